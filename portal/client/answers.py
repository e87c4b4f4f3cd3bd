"""Reading HTTP responses: returns the result, or raises the error that the service raised."""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import unquote

import httpx
import structlog
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from portal.contract.errors import (
    BY_STATUS,
    Conflict,
    InvalidInput,
    NotAuthenticated,
    NotFound,
    ProviderError,
    Refused,
    TooMany,
    Unavailable,
)
from portal.contract.models import Content, Document, warn_unknown
from portal.contract.operations import Media
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.kernel.ranges import read_content_range
from portal.vocabulary.files import FileKind

MAX_ANSWER_BYTES = 1024 * 1024
"""Largest JSON answer in bytes; a page of a list has tens of thousands."""

MAX_DOCUMENT_BYTES = 20 * 1024 * 1024
"""Largest document in bytes; it is read into memory."""

MAX_FILE_BYTES = 512 * 1024 * 1024
"""Largest file in bytes; a re-encoded photo can be larger than the upload limit."""

_GATEWAY_FAULTS = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response. `body`: the whole body; empty if `rest` has it."""

    status: int
    headers: httpx.Headers
    body: bytes
    rest: AsyncGenerator[bytes, None] | None = None


class NotReached(Exception):
    """The provider did not answer. `reason` is safe to log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PassingFault(NotReached):
    """A transient fault; another attempt may succeed."""


class TooLarge(Exception):
    """The answer is larger than the limit."""


async def whole(response: httpx.Response, largest: int) -> Reply:
    if response.status_code in _GATEWAY_FAULTS and not _is_json(response):
        raise PassingFault(f"status {response.status_code}")
    return Reply(response.status_code, response.headers, await _read(response, largest))


def is_file(response: httpx.Response) -> bool:
    """Whether this is a file to stream: an uncompressed attachment with an acceptable size."""
    size = response.headers.get("content-length", "")
    attached = response.headers.get("content-disposition", "").startswith("attachment")
    plain = "content-encoding" not in response.headers
    sent = response.status_code in _FILE_STATUSES
    return sent and attached and plain and size.isdigit() and int(size) <= MAX_FILE_BYTES


_FILE_STATUSES = frozenset({200, 206, 416})
"""The whole file, a part of it, or none of the bytes that were asked for (RFC 9110, section 15)."""


def _is_json(response: httpx.Response) -> bool:
    return response.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


async def pieces(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except httpx.TransportError:
        raise Unavailable(Code.NETWORK_ERROR) from None
    finally:
        await response.aclose()


async def _read(response: httpx.Response, largest: int) -> bytes:
    announced = response.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > largest:
        raise TooLarge
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > largest:
            raise TooLarge
    return bytes(body)


T = TypeVar("T")

_log = structlog.get_logger(__name__)
_MAX_WAIT = timedelta(days=1)
_MAX_NAME_LENGTH = 120


# Some providers answer 200 with `success: false`, which the requirements allow; then the code decides.
_BY_CODE: dict[Code, type[ProviderError]] = {
    Code.SESSION_ENDED: NotAuthenticated,
    Code.TOO_MANY_REQUESTS: TooMany,
    Code.INVALID_INPUT: InvalidInput,
    Code.DRAFT_CHANGED: Conflict,
    Code.DRAFT_SENT: Conflict,
    Code.REPAIR_REQUEST_INVALID_STATUS: Conflict,
}

_UNAVAILABLE = frozenset({Code.GENERAL_ERROR, Code.NETWORK_ERROR, Code.PDF_FAILED})

_MALFORMED = frozenset(
    {
        Code.FILE_PARAMS_MISSING, Code.FILE_EMPTY, Code.MAX_UPLOAD_SIZE_REACHED, Code.UPLOAD_FAILED,
        Code.FILE_NOT_ALLOWED, Code.FILE_DAMAGED, Code.FILE_TOO_DETAILED, Code.FILE_PROTECTED,
    }
)  # fmt: skip


def data(operation: str, reply: Reply, adapter: TypeAdapter[T]) -> T:
    envelope = _envelope(operation, reply)
    if not envelope["success"]:
        raise _error(reply, envelope)
    if reply.status >= 300:
        raise _not_understood(operation, f"success with status {reply.status}")
    try:
        return adapter.validate_python(envelope.get("data"))
    except ValidationError as error:
        # Log where the answer does not fit, not its values.
        places = [".".join(map(str, problem["loc"])) for problem in error.errors()[:3]]
        raise _not_understood(operation, f"wrong shape at {', '.join(places) or 'the top'}") from None


def document(operation: str, reply: Reply, media: Media) -> Document:
    if reply.status == 200 and _media_type(reply) == media.media_type:
        if not reply.body.startswith(media.beginning):
            raise _not_understood(operation, f"not {media.media_type}")
        return Document(name=_name(reply) or media.name, media_type=media.media_type, content=reply.body)
    raise _no_file(operation, reply)


def content(operation: str, reply: Reply) -> Content:
    if reply.rest is None:
        raise _no_file(operation, reply)
    length = reply.headers.get("content-length", "")
    size, part = int(length) if length.isdigit() else 0, None
    if reply.status != 200:
        ranged = read_content_range(reply.headers.get("content-range", ""))
        if ranged is None or ranged[0].length != size:
            raise _not_understood(operation, "no part of a file")
        part, size = ranged
    media_type = _media_type(reply)
    known = media_type if media_type in _FILE_MEDIA_TYPES else "application/octet-stream"
    return Content(name=_name(reply), media_type=known, size=size, chunks=reply.rest, part=part)


_FILE_MEDIA_TYPES = frozenset(kind.media_type for kind in FileKind)


def _media_type(reply: Reply) -> str:
    return reply.headers.get("content-type", "").partition(";")[0].strip()


def _no_file(operation: str, reply: Reply) -> ProviderError:
    envelope = _envelope(operation, reply)
    return _not_understood(operation, "no file") if envelope["success"] else _error(reply, envelope)


def _envelope(operation: str, reply: Reply) -> dict[str, object]:
    content: Any = None
    # A compressed body is not readable; we did not ask for compression.
    if "content-encoding" not in reply.headers:
        try:
            content = from_json(reply.body)
        except ValueError:
            content = None
    if isinstance(content, dict) and isinstance(content.get("success"), bool):
        return content
    if reply.status == 429:
        raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=_after(reply.headers.get("retry-after", "")))
    raise _not_understood(operation, f"no envelope, status {reply.status}")


def _not_understood(operation: str, reason: str) -> Unavailable:
    _log.warning("provider_not_understood", operation=operation, reason=reason)
    return Unavailable()


def _error(reply: Reply, envelope: dict[str, object]) -> ProviderError:
    code = _code(envelope.get("error"), Code.GENERAL_ERROR)
    details = envelope.get("details")
    details = details if isinstance(details, dict) else {}
    retry_at = _moment(details.get("retry_at"))
    kind = BY_STATUS.get(reply.status)
    if reply.status < 300:
        if code is Code.NOT_FOUND:
            return NotFound()
        if code in _UNAVAILABLE:
            return Unavailable(code, retry_at=retry_at)
        malformed = details.get("fields") or code in _MALFORMED
        kind = _BY_CODE.get(code, InvalidInput if malformed else Refused)
    if reply.status == 404:
        return NotFound()
    if kind is None and reply.status >= 500:
        return Unavailable(code, retry_at=retry_at)
    return (kind or ProviderError)(
        code, fields=_fields(details.get("fields")), retry_at=retry_at, url=_url(details.get("url"))
    )


def _code(value: Any, neutral: Code) -> Code:
    try:
        return Code(value)
    except ValueError:
        warn_unknown("Code", str(value))
        return neutral


def _fields(value: Any) -> dict[str, Code]:
    if not isinstance(value, dict):
        return {}
    return {str(name): _code(code, Code.INVALID_INPUT) for name, code in value.items()}


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return moment.astimezone(UTC) if moment.tzinfo else None


def _after(seconds: str) -> datetime | None:
    if not (seconds.isascii() and seconds.isdigit()):
        return None
    return now() + min(timedelta(seconds=int(seconds[:9])), _MAX_WAIT)


def _url(value: Any) -> str | None:
    """The value if it is an http(s) URL, which may become a link."""
    return value if isinstance(value, str) and re.match(r"https?://[^\s/]", value) else None


def _name(reply: Reply) -> str:
    header = reply.headers.get("content-disposition", "")
    full = re.search(r"filename\*=UTF-8''([^;]+)", header, re.IGNORECASE)
    plain = re.search(r'filename="([^"]*)"', header)
    name = unquote(full[1]) if full else plain[1] if plain else ""
    # Keep only a plain file name: no directories, no invisible characters.
    name = "".join(sign for sign in name if sign.isprintable() and sign not in '/\\:*?"<>|').lstrip(". ")
    return name[:_MAX_NAME_LENGTH]
