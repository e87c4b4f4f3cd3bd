"""What comes back from a provider: whole answers of a limited size, and files piece by piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass

import httpx

from portal.contract.errors import Unavailable
from portal.domain.codes import Code

LARGEST_ANSWER = 1024 * 1024
"""Bytes of an answer; a page of a list has some tens of thousands."""
LARGEST_DOCUMENT = 20 * 1024 * 1024
"""Bytes of a document that is read at once."""
LARGEST_KEPT = 512 * 1024 * 1024
"""Bytes of a file that the provider keeps; a photo that was written anew can be larger than it was."""
_GATEWAY_FAULTS = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        status, headers: of the answer.
        body: all of it; empty when it is still coming.
        rest: the body piece by piece, of a file that was opened. To be read to the end, or closed.
    """

    status: int
    headers: httpx.Headers
    body: bytes
    rest: AsyncGenerator[bytes, None] | None = None


class NotReached(Exception):
    """No answer of the provider came. `reason` is fit for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PassingFault(NotReached):
    """Another try may succeed."""


class TooLarge(Exception):
    """The answer is larger than any that is expected."""


async def told_when_over(body: AsyncIterator[bytes], tell: Callable[[], None]) -> AsyncIterator[bytes]:
    """The same body; `tell` is called behind its last piece."""
    async for piece in body:
        yield piece
    tell()


async def whole(response: httpx.Response, largest: int) -> Reply:
    """An answer with all of its body.

    Raises:
        PassingFault: what stands in front of the provider answered.
        TooLarge: it is.
    """
    if response.status_code in _GATEWAY_FAULTS and not _is_json(response):
        raise PassingFault(f"status {response.status_code}")
    return Reply(response.status_code, response.headers, await _read(response, largest))


def is_file(response: httpx.Response) -> bool:
    """Whether this is a file to be passed on: it says so, and how large it is."""
    size = response.headers.get("content-length", "")
    attached = response.headers.get("content-disposition", "").startswith("attachment")
    plain = "content-encoding" not in response.headers
    return response.status_code == 200 and attached and plain and size.isdigit() and int(size) <= LARGEST_KEPT


def _is_json(response: httpx.Response) -> bool:
    return response.headers.get("content-type", "").partition(";")[0].strip() == "application/json"


async def pieces(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body of a file; the connection is given back behind it."""
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
