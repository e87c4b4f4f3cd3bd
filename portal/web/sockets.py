"""How many sockets one browser session and one network address may hold open: each costs the worker memory."""

from __future__ import annotations

from collections import Counter

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.settings import settings
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.forms import network_address

_TRY_AGAIN_LATER = 1013


class SocketLimit:
    """ASGI wrapper that refuses a socket more than allowed. The page tries again by itself, less and less often."""

    def __init__(self, app: ASGIApp, per_address: int | None = None, per_session: int | None = None) -> None:
        """Stand before an app.

        Args:
            app: Serves the sockets.
            per_address: Sockets from one network address; by default as set.
            per_session: Sockets of one browser session; by default as set.
        """
        self._app = app
        self._limits = {
            "address": per_address or settings().sockets_per_address,
            "session": per_session or settings().sockets_per_session,
        }
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a socket through while there is room; everything else always."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        keys = _keys(HTTPConnection(scope))
        if any(self._open[key] >= self._limits[key[0]] for key in keys):
            # Closed before it was accepted: the handshake is answered with 403.
            await receive()
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self._open.update(keys)
        try:
            await self._app(scope, receive, send)
        finally:
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]


def _keys(connection: HTTPConnection) -> list[tuple[str, str]]:
    keys = [("address", network_address(connection))]
    if session := cookies.read_session(connection):
        keys.append(("session", fingerprint(session)))
    return keys
