"""The app that the server loads: the pages, the guard of their events, and the edge around them."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import reflex as rx
from starlette.types import ASGIApp

from portal.flow.pages.state import forget_findings
from portal.flow.registry import FLOWS
from portal.frontend.first_data import FirstDataMiddleware
from portal.frontend.guard import protect
from portal.frontend.layout import frame
from portal.frontend.problems import loading_page
from portal.frontend.registry import pages_of, register, with_first_data
from portal.frontend.toasts import went_wrong
from portal.logs import configure
from portal.reflex_adapter.build import static_dir
from portal.reflex_adapter.static import StaticSite
from portal.routes import Edge
from portal.subjects import ALL_FLOWS, MODULES
from portal.ui.page import head_components
from portal.web.headers import SecurityHeaders
from portal.wiring import beside_api, connect_provider

_ROOT = Path(__file__).resolve().parents[1]

_YOUNGER_LOOKS = 100
"""After so many looks at what is newer, the collector looks at everything. With 500 tabs open that takes more than a
tenth of a second, in which nobody is answered, and finds next to nothing."""


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = static_dir(_ROOT)
    # While the pages are being compiled there is nothing to serve yet.
    return StaticSite(built, _route_of, backend) if built.is_dir() else backend


def _edge(pages: ASGIApp) -> ASGIApp:
    return Edge(pages, _protected, _route_of, _first)


@asynccontextmanager
async def _running() -> AsyncIterator[None]:
    configure()  # in the server only: whoever imports the app keeps its own log
    async with connect_provider():
        _settle_collector()
        yield


def _settle_collector() -> None:
    """What is loaded now stays until the end: it need not be looked through for longer than an event takes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _YOUNGER_LOOKS)
    gc.enable()


FLOWS.register(ALL_FLOWS)

_all = pages_of(MODULES)

_first = with_first_data(_all)

app = rx.App(
    html_lang="nl",
    toaster=None,
    reset_style=False,
    head_components=head_components(_first),
    hydrate_fallback=loading_page,
    backend_exception_handler=went_wrong,
    # The shell stands around every page once; nothing of the framework's own (English) overlays remains.
    app_wraps={(20, "Shell"): lambda _stateful: frame()},
)

_protected = register(app, _all)

protect(app)

app.add_middleware(FirstDataMiddleware(_first.values(), forget_findings))

app.register_lifespan_task(_running)

# Each stands around what is named before it; the headers are outermost, so that no answer goes without them.
app.api_transformer = [
    _pages,
    _edge,
    beside_api,
    SecurityHeaders,
]
