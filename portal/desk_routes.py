"""The plain HTTP routes of the staff site, served in front of its compiled pages."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.cases import http as cases
from portal.conversations import http as conversations
from portal.desk.gate import DeskGate
from portal.desk.shell import HOME
from portal.exports import http as exports
from portal.imports import http as imports
from portal.returns import http as returns
from portal.staff.http import StaffAuthentication
from portal.staff.http import files as staff_files
from portal.web.forms import Destinations
from portal.web.sockets import SocketLimit
from portal.web.staff_cookies import read_staff

_UPLOADS = "/_upload"

ROUTES: tuple[Callable[[], list[Route]], ...] = (
    cases.routes,
    conversations.routes,
    returns.routes,
    staff_files,
    exports.routes,
    imports.routes,
)
"""Routes of subjects, such as files of a case; each function returns the routes of one subject."""


class DeskEdge:
    """Tries our own routes first, then the pages. Refuses the upload endpoint of the framework without reading."""

    def __init__(self, pages: ASGIApp, protected: frozenset[str], route_of: Callable[[str], str | None]) -> None:
        """Wrap the pages.

        Args:
            pages: Serves the compiled pages and the event socket.
            protected: Routes that need a login, as the router names them.
            route_of: Finds the route of a path.
        """
        destinations = Destinations(protected, route_of, HOME)
        self._pages = SocketLimit(DeskGate(pages, destinations), session_of=read_staff)
        self._routes = [
            *StaffAuthentication(destinations).routes,
            *(route for routes in ROUTES for route in routes()),
        ]

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
