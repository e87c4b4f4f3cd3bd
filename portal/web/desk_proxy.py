"""The way to the staff site: requests for its hosts go to its process, all others to the customers' app."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.settings import Settings
from portal.web.forms import host_of
from portal.web.sockets import TRY_AGAIN_LATER

if TYPE_CHECKING:
    from portal.web.desk_forwarding import Forwarding


class DeskHostsOnly:
    """ASGI middleware of the staff site: it answers on its own hosts only."""

    def __init__(self, app: ASGIApp, options: Settings) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request for the staff site, and refuse every other."""
        if scope["type"] in {"http", "websocket"} and not self._options.is_desk(host_of(scope)):
            await _refuse(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class DeskProxy:
    """ASGI middleware of the customers' site: passes requests for the staff site to its process."""

    def __init__(self, app: ASGIApp, options: Settings) -> None:
        """Wrap the app of the customers."""
        self._app, self._options = app, options

    @cached_property
    def _forwarding(self) -> Forwarding:
        # Imported here, because the client that it is made of is large and customers do not need it.
        from portal.web.desk_forwarding import Forwarding

        return Forwarding(self._options)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] not in {"http", "websocket"} or not self._options.is_desk(host_of(scope)):
            await self._app(scope, receive, send)
        elif not self._options.desk:
            await _refuse(scope, receive, send)
        else:
            await self._forwarding(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as if there were nothing at this host."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
        return
    await Response("Not found", 404, media_type="text/plain")(scope, receive, send)
