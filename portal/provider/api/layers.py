"""What surrounds all routes: the size of requests, headers of answers, and the last catch."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.contract.errors import ProviderError, Unavailable
from portal.contract.http import FILE_PATH, LARGEST_REQUEST
from portal.domain.codes import Code
from portal.domain.flow.files import LARGEST_FILE
from portal.provider.api.envelope import refuse
from portal.provider.faults import tell

_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}


class Surround:
    """ASGI wrapper around the API."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        is_file = scope["method"] == "PUT" and FILE_PATH.fullmatch(scope["path"])
        largest = LARGEST_FILE if is_file else LARGEST_REQUEST
        if _announced_size(scope) > largest:
            refusal = refuse(ProviderError(Code.INVALID_INPUT), status=413, headers={"Connection": "close"})
            await refusal(scope, receive, answer)
            return
        try:
            await self._app(scope, _counted(receive, largest), answer)
        except Exception as error:
            tell(error, f"{scope['method']} {getattr(scope.get('route'), 'path', '?')}")
            if started:
                raise
            await refuse(Unavailable(), status=500)(scope, receive, answer)


def _announced_size(scope: Scope) -> int:
    text = Headers(scope=scope).get("content-length", "0")
    return int(text) if text.isascii() and text.isdigit() else 0


def _counted(receive: Receive, largest: int) -> Receive:
    """Stop reading a body without announced size as soon as it is too large."""
    size = 0

    async def read() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > largest:
            raise HTTPException(413)
        return message

    return read
