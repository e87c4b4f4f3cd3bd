"""The app that the server loads: the pages, the guard of their events, and the edge around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import reflex as rx
from reflex.utils.prerequisites import get_web_dir
from starlette.types import ASGIApp

from portal.flows import FLOWS
from portal.garbage import settle
from portal.logs import configure
from portal.pages.layout import frame
from portal.pages.registry import all_pages, register, with_first_data
from portal.pages.waiting import waiting_page
from portal.states.faults import went_wrong
from portal.states.first import Arrival
from portal.states.flow import FlowRun
from portal.states.protect import protect
from portal.subjects import ALL_FLOWS
from portal.ui.head import head_components
from portal.web.edge import Edge
from portal.web.headers import SecurityHeaders
from portal.web.static import StaticSite
from portal.wiring import beside_api, open_street


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = Path(get_web_dir()).absolute() / "build" / "client"
    # While the pages are being compiled there is nothing to serve yet.
    return StaticSite(built, _route_of, backend) if built.is_dir() else backend


def _edge(pages: ASGIApp) -> ASGIApp:
    return Edge(pages, _protected, _route_of, _first)


@asynccontextmanager
async def _running() -> AsyncIterator[None]:
    configure()  # in the server only: whoever imports the app keeps its own log
    async with open_street():
        settle()
        yield


FLOWS.register(ALL_FLOWS)
_all = all_pages()
_first = with_first_data(_all)
app = rx.App(
    html_lang="nl",
    toaster=None,
    reset_style=False,
    head_components=head_components(_first),
    hydrate_fallback=waiting_page,
    backend_exception_handler=went_wrong,
    # The shell stands around every page once; nothing of the framework's own (English) overlays remains.
    app_wraps={(20, "Shell"): lambda _stateful: frame()},
)
_protected = register(app, _all)
protect(app)
app.add_middleware(Arrival(_first.values(), (FlowRun,)))
app.register_lifespan_task(_running)
# Each stands around what is named before it; the headers are outermost, so that no answer goes without them.
app.api_transformer = [
    _pages,
    _edge,
    beside_api,
    SecurityHeaders,
]
