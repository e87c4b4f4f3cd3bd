"""The app that the server loads: the pages, the guard of their events, and the HTTP layers around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import reflex as rx
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp

from portal.drawing.documents import DrawnDocuments, FirstData
from portal.drawing.drawer import Drawer
from portal.flow.journey import FLOWS
from portal.flow.pages.state import first_step, forget_other_page
from portal.frontend.first_data import FirstDataMiddleware, first_data, first_session
from portal.frontend.guard import protect
from portal.frontend.layout import frame, loading_page
from portal.frontend.registry import pages_of, register, with_first_data
from portal.frontend.session import CUSTOMERS
from portal.frontend.toasts import page_failed, went_wrong
from portal.reflex_adapter.build import static_dir, web_dir
from portal.reflex_adapter.patches import ENVIRONMENT, drawing_command
from portal.reflex_adapter.static import StaticSite
from portal.routes import Edge
from portal.settings import settings
from portal.shown_settings import filled, of_process
from portal.subjects import ALL_FLOWS, MODULES
from portal.ui.page import head_components, sample_path
from portal.web.headers import SecurityHeaders
from portal.web.ready import Part
from portal.wiring import beside_api, count_events, parts, serving

_ROOT = Path(__file__).resolve().parents[1]


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = static_dir(_ROOT)
    if not built.is_dir():
        return backend  # There is nothing to serve while the pages are being compiled.
    site = StaticSite(built, _route_of, backend, filled)
    return DrawnDocuments(site, _drawer, _first, _route_of, settings().drawing_seconds)


def _edge(pages: ASGIApp) -> ASGIApp:
    return Edge(pages, _protected, _route_of, _report)


async def _report() -> dict[str, Part]:
    return {"drawing": _drawer.state, **await parts()}


@asynccontextmanager
async def _running() -> AsyncIterator[None]:
    # In the server only: other importers of the app keep their own logging.
    async with serving(app):
        if settings().drawn:
            _drawer.start()
        try:
            yield
        finally:
            await _drawer.stop()


FLOWS.register(ALL_FLOWS)

_all = pages_of(MODULES)
_pages_with_data = with_first_data(_all)
_first: dict[str, FirstData] = {route: partial(first_data, state) for route, state in _pages_with_data.items()}
_of_flows = [page.route for page in _all if page.protected and page.route.partition("/")[0] in FLOWS]
_first |= dict.fromkeys(_of_flows, first_step)
_first |= {
    page.route: first_session if page.first is None else partial(first_data, page.first)
    for page in _all
    if page.for_both
}

_drawer = Drawer(
    drawing_command(web_dir(_ROOT)),
    ENVIRONMENT,
    {route: sample_path(route) for route in _first},
    settings().drawing_seconds,
    # Pages of flows, and those for everybody, wait for the style sheet: their budgets of bytes have no room.
    styled=_pages_with_data,
    settings=of_process,
)

app = rx.App(
    html_lang="nl",
    toaster=None,
    reset_style=False,
    head_components=head_components(),
    hydrate_fallback=loading_page,
    backend_exception_handler=went_wrong,
    frontend_exception_handler=page_failed,
    # The shell wraps every page once and replaces the framework's own (English) overlays.
    app_wraps={(20, "Shell"): lambda _stateful: frame(sorted(_protected))},
)

_protected = register(app, _all)

protect(app, CUSTOMERS)
count_events(app)

app.add_middleware(FirstDataMiddleware({page.first for page in _all if page.first is not None}, forget_other_page))

app.register_lifespan_task(_running)

# Each layer wraps the one before it.
app.api_transformer = [
    _pages,
    _edge,
    beside_api,
]


def served() -> ASGIApp:
    """The app as it is served, on hosts of customers only. The headers are outermost, so every answer has them."""
    return SecurityHeaders(TrustedHostMiddleware(app(), settings().hosts(), www_redirect=False))
