"""Limits on open sockets per browser session and per network address, because each uses memory of the worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.settings import settings
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.forms import network_address

_TRY_AGAIN_LATER = 1013


class SocketLimit:
    """ASGI middleware that refuses sockets above the limit. The page retries with increasing delay."""

    def __init__(
        self,
        app: ASGIApp,
        per_address: int | None = None,
        per_session: int | None = None,
        *,
        session_of: Callable[[HTTPConnection], str] = cookies.read_session,
    ) -> None:
        """Wrap an app.

        Args:
            app: The app that serves the sockets.
            per_address: Most sockets from one network address; by default that of the settings.
            per_session: Most sockets of one browser session; by default that of the settings.
            session_of: Reads the session token of a request; empty when there is none.
        """
        self._session_of = session_of
        self._app = app
        self._limits = {
            "address": per_address or settings().sockets_per_address,
            "session": per_session or settings().sockets_per_session,
        }
        self._open: Counter[tuple[str, str]] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a socket below the limit, and every other request."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        keys = self._keys(HTTPConnection(scope))
        if any(self._open[key] >= self._limits[key[0]] for key in keys):
            # Closing before accepting makes the server answer the handshake with 403.
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

    def _keys(self, connection: HTTPConnection) -> list[tuple[str, str]]:
        keys = [("address", network_address(connection))]
        if session := self._session_of(connection):
            keys.append(("session", fingerprint(session)))
        return keys
