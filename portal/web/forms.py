"""Form posts: origin check, reading, responses, and the page to open after login."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from functools import cache
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import structlog
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Message, Receive

from portal.contract.errors import ProviderError, Unavailable
from portal.contract.session import Origin
from portal.kernel.codes import Code
from portal.kernel.validation import parsed_json
from portal.settings import settings
from portal.web import cookies

log = structlog.get_logger(__name__)


def from_own_page(connection: HTTPConnection) -> bool:
    """Whether a request that changes something comes from a page of the same origin.

    Browsers send this in headers that scripts cannot set. A request without these headers is refused.
    """
    site = connection.headers.get("sec-fetch-site")
    origin = connection.headers.get("origin")
    if site is None and origin is None:
        return False
    if site is not None and site != "same-origin":
        return False
    return origin is None or _is_own(origin, connection)


def _is_own(origin: str, connection: HTTPConnection) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    schemes = {"https"} if settings().secure else {"http", "https"}
    return parts.scheme in schemes and bool(parts.netloc) and parts.netloc == connection.headers.get("host")


def network_address(connection: HTTPConnection) -> str:
    """The client's IP address, for limits; behind proxies the one that the outermost trusted proxy reports."""
    hops = settings().trusted_proxy_hops
    forwarded = ",".join(connection.headers.getlist("x-forwarded-for"))
    addresses = [part.strip() for part in forwarded.split(",") if part.strip()]
    if hops and len(addresses) >= hops:
        return addresses[-hops]
    if hops or addresses:
        _report_proxies(hops, named=bool(addresses))
    return connection.client.host if connection.client else ""


@cache
def _report_proxies(hops: int, *, named: bool) -> None:
    """Log once that requests and `trusted_proxy_hops` disagree. Limits then count the address of a proxy."""
    log.error("unexpected X-Forwarded-For" if named else "no X-Forwarded-For", trusted_proxy_hops=hops)


def caller_address(peer: str, forwarded: str) -> str:
    addresses = [part.strip() for part in forwarded.split(",") if part.strip()]
    hops = settings().trusted_proxy_hops or int(peer in {"127.0.0.1", "::1"})
    return addresses[-hops] if hops and len(addresses) >= hops else peer


MAX_BODY = 16 * 1024
"""Most bytes of a posted form; real forms have a few hundred."""


# The documented call names the code `token` (part-1 §7); the field of the page is named `code`.
_FIELDS = {"token": "code"}


class WrongRequest(Exception):
    """A request that no page of the portal sends."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def wants_json(request: Request) -> bool:
    """Whether a script sent the request. Otherwise the browser posted the form and needs a redirect."""
    return "application/json" in {_media_type(request), request.headers.get("accept")}


async def read_form(request: Request) -> dict[str, str]:
    """Read the posted fields; values other than texts are omitted."""
    kind = _media_type(request)
    if kind not in {"application/json", "application/x-www-form-urlencoded"}:
        raise WrongRequest(415)
    body = await _read(request)
    if kind != "application/json":
        # The body was already received, so the parser gets a request that replays it.
        form = await Request(request.scope, _receiving(body)).form(max_files=0, max_fields=20)
        return {key: value for key, value in form.items() if isinstance(value, str)}
    try:
        values = parsed_json(body or b"{}")
    except ValueError as error:
        raise WrongRequest(400) from error
    if not isinstance(values, dict):
        raise WrongRequest(400)
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _receiving(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _read(request: Request) -> bytes:
    if int(request.headers.get("content-length") or 0) > MAX_BODY:
        raise WrongRequest(413)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise WrongRequest(413)
    return bytes(body)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def accept(request: Request, data: Mapping[str, Any], onwards: str) -> Response:
    """Respond to a form that was accepted: the data for a script, else a redirect to `onwards`."""
    if wants_json(request):
        return _json({"success": True, "data": dict(data), "error": None, "details": None}, 200)
    return RedirectResponse(onwards, 303)


def refuse(request: Request, error: ProviderError, back: str) -> Response:
    """Respond to a refused form: code, fields and times for a script, else a redirect to `back` with the code."""
    code = Code.NETWORK_ERROR if isinstance(error, Unavailable) else error.code
    if not wants_json(request):
        fields = [_FIELDS.get(name, name) for name in error.fields]
        query = {"error": code.value} | ({"field": fields[0]} if fields else {})
        if error.retry_at:
            query["retry_at"] = error.retry_at.astimezone(UTC).isoformat()
        return RedirectResponse(f"{back}?{urlencode(query)}", 303)
    details = {
        "fields": {_FIELDS.get(name, name): found.value for name, found in error.fields.items()},
        "retry_at": error.retry_at.astimezone(UTC).isoformat() if error.retry_at else None,
        "url": error.url,
    }
    return _json({"success": False, "data": None, "error": code.value, "details": details}, error.status)


def reject(status: int) -> Response:
    return failure(Code.INVALID_INPUT, status)


def failure(code: Code, status: int) -> Response:
    return _json({"success": False, "data": None, "error": code.value, "details": None}, status)


def _json(content: Mapping[str, Any], status: int) -> Response:
    return JSONResponse(content, status, {"cache-control": "no-store"})


_MAX_FIELD = 1000
MAX_CREDENTIAL = 12_000
"""Most characters of what a device says of a passkey, as JSON; real ones have at most three thousand."""

Handler = Callable[[Request, dict[str, str]], Awaitable[Response]]


def guarded(handler: Handler, back: str, longest: int = _MAX_FIELD) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        if not from_own_page(request):
            return reject(403)
        try:
            form = await read_form(request)
        except WrongRequest as wrong:
            return reject(wrong.status)
        try:
            return await handler(request, {name: value[:longest] for name, value in form.items()})
        except ProviderError as error:
            return refuse(request, error, back)

    return endpoint


def origin_of(request: Request) -> Origin:
    """The network address, chosen language and login challenge of the browser that sent a form."""
    held = cookies.read_challenge(request)
    return Origin(
        address=network_address(request),
        locale=cookies.chosen_language(request),
        challenge=held.challenge if held else None,
    )


_PATH = re.compile(r"/[a-z][A-Za-z0-9/_-]*(?:\?[A-Za-z0-9_=&.~+%-]*)?")
_MAX_LENGTH = 500

HOME = "/dashboard"
LOGIN = "/"
CODE = "/login/token"
PASSWORD = "/login/password"  # noqa: S105 - a path
PASSWORD_RESET = "/password/reset"  # noqa: S105 - a path
PASSKEY = "/login/passkey"
PASSKEYS = "/my-data/passkeys"


@dataclass(frozen=True, slots=True)
class Destinations:
    """The pages of the portal. `home`: The page that a login opens if no other was wanted."""

    protected: frozenset[str]
    route_of: Callable[[str], str | None]
    home: str = HOME

    def is_protected(self, path: str) -> bool:
        route = self.route_of(path.rstrip("/") or "/")
        return route is not None and route.strip("/") in self.protected

    def after_login(self, wanted: str) -> str:
        """The page to open after login: the wanted one if it is a protected page of the site, else its home."""
        return wanted if self.may_resume(wanted) else self.home

    def may_resume(self, wanted: str) -> bool:
        """Whether an untrusted path, such as one from a cookie, is a protected page of the portal."""
        if len(wanted) > _MAX_LENGTH or not _PATH.fullmatch(wanted) or "//" in wanted:
            return False
        path, _, query = wanted.partition("?")
        harmless = not any(sign in unquote(query) for sign in ("\r", "\n", "\\", "\0"))
        return harmless and self.is_protected(path)
