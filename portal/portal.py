"""The app that the server loads: the pages, the guard of their events, and the HTTP layers around them."""

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
from portal.frontend.toasts import page_failed, went_wrong
from portal.logs import configure
from portal.reflex_adapter.build import static_dir
from portal.reflex_adapter.static import StaticSite
from portal.routes import Edge
from portal.subjects import ALL_FLOWS, MODULES
from portal.ui.page import head_components
from portal.web.headers import SecurityHeaders
from portal.wiring import beside_api, connect_provider

_ROOT = Path(__file__).resolve().parents[1]
_YOUNG_COLLECTION_THRESHOLD = 5000
"""New objects before the collector looks at the youngest ones. With Python's 700 it took 35 to 50 µs of every step."""

_FULL_COLLECTION_THRESHOLD = 100
"""Collections of the middle generation before a full garbage collection. With 500 open tabs a full collection blocks
the process for more than a tenth of a second and finds almost nothing."""


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = static_dir(_ROOT)
    # There is nothing to serve while the pages are being compiled.
    return StaticSite(built, _route_of, backend) if built.is_dir() else backend


def _edge(pages: ASGIApp) -> ASGIApp:
    return Edge(pages, _protected, _route_of, _first)


@asynccontextmanager
async def _running() -> AsyncIterator[None]:
    configure()  # In the server only: other importers of the app keep their own logging.
    async with connect_provider():
        _tune_garbage_collector()
        yield


def _tune_garbage_collector() -> None:
    """Exclude everything loaded so far from garbage collection, because it lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_COLLECTION_THRESHOLD, gc.get_threshold()[1], _FULL_COLLECTION_THRESHOLD)
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
    frontend_exception_handler=page_failed,
    # The shell wraps every page once and replaces the framework's own (English) overlays.
    app_wraps={(20, "Shell"): lambda _stateful: frame(sorted(_protected))},
)

_protected = register(app, _all)

protect(app)

app.add_middleware(FirstDataMiddleware(_first.values(), forget_findings))

app.register_lifespan_task(_running)

# Each layer wraps the one before it.
app.api_transformer = [
    _pages,
    _edge,
    beside_api,
]


def served() -> ASGIApp:
    """The app as it is served. The headers are outermost: what the framework answers by itself has them, too."""
    return SecurityHeaders(app())
