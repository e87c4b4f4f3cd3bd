"""The app of the staff site: its pages, routes, the guard of their events, and the HTTP layers (decision 0078)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import reflex as rx
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from portal.cases import http as cases
from portal.cases.api import CasesApi, CaseWatch
from portal.cases.desk.queue_state import case_counts
from portal.contract.registry import ask
from portal.conversations import http as conversations
from portal.desk.registry import navigation_of
from portal.desk.session import STAFF, DeskGate, Sources, connect
from portal.desk.shell import HOME, SEARCH, desk_frame, loading_page
from portal.desk.state import DeskCounts
from portal.exports import http as exports
from portal.frontend.guard import protect
from portal.frontend.registry import pages_of, register
from portal.frontend.toasts import page_failed, went_wrong
from portal.imports import http as imports
from portal.reflex_adapter.build import DESK, static_dir
from portal.reflex_adapter.static import StaticSite
from portal.returns import http as returns
from portal.settings import settings
from portal.shown_settings import filled
from portal.staff.api.people import Member, StaffApi
from portal.staff.desk.login import StaffLanguage
from portal.staff.http import StaffAuthentication
from portal.staff.http import files as staff_files
from portal.subjects import DESK_MODULES
from portal.ui.page import head_components
from portal.web import ready
from portal.web.forms import Destinations
from portal.web.headers import RoutesBeforePages, SecurityHeaders
from portal.web.ready import Report
from portal.wiring import beside_api, count_events, parts, serving

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


_ROOT = Path(__file__).resolve().parents[1]


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = static_dir(_ROOT, DESK)
    # There is nothing to serve while the pages are being compiled.
    return StaticSite(built, _route_of, backend, filled) if built.is_dir() else backend


def _edge(pages: ASGIApp) -> ASGIApp:
    return DeskEdge(pages, _protected, _route_of, parts)


def _staff_api(rest: ASGIApp) -> ASGIApp:
    return beside_api(rest, staff=True)


async def _member(token: str) -> Member:
    return await ask(StaffApi).member(token)


async def _changes(token: str, mark: int, wait_seconds: int) -> int:
    return (await ask(CasesApi).case_changes(token, CaseWatch(since=mark, wait_seconds=wait_seconds))).mark


@asynccontextmanager
async def _running() -> AsyncIterator[None]:
    # In the server only: other importers of the app keep their own logging.
    async with serving(app, staff=True):
        yield


connect(Sources(member=_member, changes=_changes, counts=case_counts))

_all = pages_of(DESK_MODULES)

app = rx.App(
    html_lang="nl",
    toaster=None,
    reset_style=False,
    head_components=head_components(),
    hydrate_fallback=loading_page,
    backend_exception_handler=went_wrong,
    frontend_exception_handler=page_failed,
    app_wraps={
        (20, "Shell"): lambda _stateful: desk_frame(
            sorted(_protected),
            navigation_of(DESK_MODULES),
            on_language=StaffLanguage.choose,
            searching=any(f"/{page.route}" == SEARCH for page in _all),
        )
    },
)

_protected = register(
    app,
    [replace(page, on_load=[*page.on_load, DeskCounts.watch]) if page.protected else page for page in _all],
)

protect(app, STAFF)
count_events(app)

app.register_lifespan_task(_running)

# Each layer wraps the one before it.
app.api_transformer = [
    _pages,
    _edge,
    _staff_api,
]


def served() -> ASGIApp:
    """The app as it is served, on hosts of staff only. The headers are outermost, so every answer has them."""
    return SecurityHeaders(TrustedHostMiddleware(app(), settings().hosts(staff=True), www_redirect=False))
