"""The app that the server loads: the pages, the guard of their events, and the edge around them."""

from __future__ import annotations

from pathlib import Path

import reflex as rx
from reflex.utils.prerequisites import get_web_dir
from starlette.applications import Starlette
from starlette.types import ASGIApp

from portal.pages.registry import register
from portal.states.protect import protect
from portal.web.auth import Authentication
from portal.web.destinations import Destinations
from portal.web.documents import DocumentGate
from portal.web.headers import SecurityHeaders
from portal.web.static import StaticSite
from portal.wiring import beside_api, open_street


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = Path(get_web_dir()).absolute() / "build" / "client"
    # While the pages are being compiled there is nothing to serve yet.
    return StaticSite(built, _route_of, backend) if built.is_dir() else backend


def _gate(pages: ASGIApp) -> ASGIApp:
    return DocumentGate(pages, _destinations)


app = rx.App(html_lang="nl", toaster=None, reset_style=False, app_wraps={})
_destinations = Destinations(register(app), _route_of)
protect(app)
app.register_lifespan_task(open_street)
# Each stands around what is named before it; the headers are outermost, so that no answer goes without them.
app.api_transformer = [
    _pages,
    _gate,
    Starlette(routes=Authentication(_destinations).routes),
    beside_api,
    SecurityHeaders,
]
