"""The plain HTTP routes of the staff site, served in front of its compiled pages."""

from __future__ import annotations

from collections.abc import Callable

from starlette.routing import Route
from starlette.types import ASGIApp

from portal.cases import http as cases
from portal.conversations import http as conversations
from portal.desk.session import DeskGate
from portal.desk.shell import HOME
from portal.exports import http as exports
from portal.imports import http as imports
from portal.returns import http as returns
from portal.staff.http import StaffAuthentication
from portal.staff.http import files as staff_files
from portal.web import ready
from portal.web.forms import Destinations
from portal.web.headers import RoutesBeforePages
from portal.web.ready import Report

ROUTES: tuple[Callable[[], list[Route]], ...] = (
    cases.routes,
    conversations.routes,
    returns.routes,
    staff_files,
    exports.routes,
    imports.routes,
)
"""Routes of subjects, such as files of a case; each function returns the routes of one subject."""


class DeskEdge(RoutesBeforePages):
    """The staff site as it is served: its routes, then its pages."""

    def __init__(
        self, pages: ASGIApp, protected: frozenset[str], route_of: Callable[[str], str | None], report: Report
    ) -> None:
        destinations = Destinations(protected, route_of, HOME)
        own = [
            *StaffAuthentication(destinations).routes,
            *(route for routes in ROUTES for route in routes()),
            *ready.routes(report),
        ]
        super().__init__(own, DeskGate(pages, destinations))
