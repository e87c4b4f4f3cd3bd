"""What answers a request first: the routes of a site, then its compiled pages."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

_UPLOADS = "/_upload"


class RoutesBeforePages:
    """Tries routes in their order, then the pages. Refuses the upload endpoint of the framework without reading."""

    def __init__(self, routes: Iterable[Route], pages: ASGIApp) -> None:
        """Serve `routes` in front of `pages`, which also have the event socket."""
        self._routes = list(routes)
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
            return
        if scope["path"].startswith(_UPLOADS):
            await Response(status_code=404)(scope, receive, send)
            return
        for route in self._routes:
            match, found = route.matches(scope)
            if match is not Match.NONE:
                # The route itself answers a wrong method with 405.
                await route.handle({**scope, **found}, receive, send)
                return
        await self._pages(scope, receive, send)
