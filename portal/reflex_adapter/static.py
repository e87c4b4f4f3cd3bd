"""Serves the compiled frontend: pages, scripts, styles and images.

Reaches: the paths of Reflex' own server, the name of the fallback page that it compiles for routes without a file, and
    that of the route for all other addresses.
Why: Reflex serves files without compression, caching or a security policy, and redirects `/orders` to plain http.
Gain: a page is served compressed in one round trip, and scripts are cached for a year.
Test: tests/reflex_adapter/test_static_site.py.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from pathlib import Path
from wsgiref.headers import Headers

from servestatic import ServeStaticASGI
from servestatic.utils import parse_accept_encoding
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portal.web.headers import page_policy

PATHS_OF_REFLEX = frozenset({"_event", "_upload", "_health", "ping"})
"""First segments of the paths that Reflex' own server handles. Every other path is a page or a file."""

FALLBACK = "/__spa-fallback.html"

NOT_FOUND = "404"
"""Route of the page for all addresses without a page of their own."""

_DAY = 86_400
_CONDITIONS = {b"if-none-match", b"if-modified-since"}


class StaticSite:
    """ASGI app that serves the compiled pages and forwards `PATHS_OF_REFLEX` to Reflex' server."""

    def __init__(self, directory: Path, route_of: Callable[[str], str | None], backend: ASGIApp) -> None:
        self._route_of, self._backend, self._directory = route_of, backend, directory
        self._files = ServeStaticASGI(
            None,
            directory,
            max_age=_DAY,
            allow_all_origins=False,
            immutable_file_test="^/assets/",
            add_headers_function=_add_headers,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_of_reflex(scope["path"]):
            await self._backend(scope, receive, send)
            return
        file, status = self.find(scope["path"])
        if not file:
            await PlainTextResponse("Not found", 404)(scope, receive, send)
            return
        if status == 404:
            unconditional = [header for header in scope["headers"] if header[0] not in _CONDITIONS]
            scope, send = {**scope, "headers": unconditional}, _with_status(send, status)
        # pyrefly: ignore[bad-argument-type]  # types of asgiref, not of Starlette
        await self._files({**scope, "path": file}, receive, send)

    def find(self, path: str) -> tuple[str, int]:
        clean = "/" + path.strip("/")
        if not clean.endswith(".html") and clean != f"/{NOT_FOUND}":
            for name in (clean, f"{clean}.html", f"{clean.rstrip('/')}/index.html"):
                if name in self._files.files:
                    return name, 200
        if self._route_of(clean) is not None:
            return FALLBACK, 200
        is_file = clean.startswith("/assets/") or Path(clean).suffix in mimetypes.types_map
        return "" if is_file else FALLBACK, 404

    def read(self, file: str) -> str:
        return (self._directory / file.lstrip("/")).read_text(encoding="utf-8")


def is_of_reflex(path: str) -> bool:
    return path.lstrip("/").partition("/")[0] in PATHS_OF_REFLEX


def best_encoding(accepted: str, available: tuple[str, ...]) -> str:
    """The first encoding that a browser accepts, of those that are available; empty if it accepts none."""
    found = parse_accept_encoding(accepted)
    return next((name for name in available if name in found or "*" in found), "")


def _add_headers(headers: Headers, path: str, url: str) -> None:
    if url.endswith(".html"):
        headers["Cache-Control"] = "no-cache"
        headers["Content-Security-Policy"] = page_policy(Path(path).read_text(encoding="utf-8"))


def _with_status(send: Send, status: int) -> Send:
    async def send_with_status(message: Message) -> None:
        changed = {"status": status} if message["type"] == "http.response.start" and message["status"] == 200 else {}
        await send({**message, **changed})

    return send_with_status
