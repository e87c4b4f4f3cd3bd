"""The app."""

from __future__ import annotations

import os
from pathlib import Path

import reflex as rx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from gallery.pages import broken, components, details
from gallery.state import Gallery
from portal.frontend.layout import broken_page, loading_page
from portal.frontend.toasts import Toasts
from portal.i18n import _
from portal.reflex_adapter.static import StaticSite
from portal.shown_settings import filled
from portal.ui import document_title
from portal.ui.page import head_components
from portal.ui.shell import MenuItem, ShellState, Shop, shell
from portal.web.headers import SecurityHeaders


def frame() -> rx.Component:
    """The real shell with the gallery's own state."""
    return shell(
        shop=Shop(
            "Bovenbuis",
            "https://www.bovenbuis.example",
            "030 200 1234",
            "+31302001234",
            "info@bovenbuis.example",
            "Vredenburg 40, 3511 BD Utrecht",
        ),
        menu=(
            MenuItem(_("Orders"), "/orders"),
            MenuItem(_("Service requests"), "/maintenance", within="^/maintenance"),
        ),
        protected=("orders", "orders/[order_id]", "maintenance/[request_id]"),
        state=ShellState(
            logged_in=Gallery.logged_in,
            signed_out=Gallery.signed_out,
            toasts=Toasts.items,
            on_dismiss_toast=Toasts.dismiss,
            on_language=Gallery.chose,
        ),
        hours=rx.el.p("09:00-20:00"),
        links=(("Withdraw", "/orders"),),
        watch=rx.fragment(),
        broken=broken_page(),
    )


async def echo(request: Request) -> Response:
    """Answer as a route of the edge would: by what was typed."""
    if request.headers["content-type"] != "application/json":
        return RedirectResponse("/orders", status_code=303)
    name = (await request.json()).get("name", "")
    answers = {
        "go": {"success": True, "data": {"next": "/orders"}, "error": None, "details": None},
        "away": {"success": True, "data": {"next": "//example.org/"}, "error": None, "details": None},
        "ok": {"success": True, "data": {"name": "ok"}, "error": None, "details": None},
    }
    if name == "nonsense":
        return Response("not json", status_code=500)
    refused = {
        "success": False,
        "data": None,
        "error": "invalid_email",
        "details": {"fields": {"name": "invalid_email"}},
    }
    return JSONResponse(answers.get(name, refused), status_code=200 if name in answers else 422)


def _route_of(path: str) -> str | None:
    return app.router(path)


def _pages(backend: ASGIApp) -> ASGIApp:
    built = Path(os.environ.get("REFLEX_WEB_WORKDIR", ".web")).absolute() / "build" / "client"
    return StaticSite(built, _route_of, backend, filled) if built.is_dir() else backend


app = rx.App(
    html_lang="nl",
    toaster=None,
    reset_style=False,
    head_components=head_components(),
    hydrate_fallback=loading_page,
    app_wraps={(20, "Shell"): lambda _stateful: frame()},
)

for route, body, name in (
    ("index", components, _("Bikes")),
    ("orders", details, _("Orders")),
    ("orders/[order_id]", details, _("Orders")),
    ("maintenance/[request_id]", details, _("Service requests")),
    ("open", details, _("Log in")),
    ("broken", broken, _("Bikes")),
):
    failed = Gallery.problem != "" if route == "index" else None
    app.add_page(body, route=route, title=document_title(name, brand="Bovenbuis", failed=failed), image="")

app.api_transformer = [
    _pages,
    Starlette(routes=[Route("/echo", echo, methods=["POST"]), Route("/auth/logout", echo, methods=["POST"])]),
    SecurityHeaders,
]
