"""Serves the compiled frontend: pages, scripts, styles and images.

Reaches: the paths of Reflex' own server, the name of the fallback page that it compiles for routes without a file, and
    that of the route for all other addresses.
Why: Reflex serves files without compression, caching or a security policy, and redirects `/orders` to plain http.
Gain: a page is served compressed in one round trip, with the settings of today, and scripts are cached for a year.
Test: tests/reflex_adapter/test_static_site.py.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from servestatic import ServeStaticASGI
from servestatic.utils import parse_accept_encoding
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.web.headers import page_policy

PATHS_OF_REFLEX = frozenset({"_event", "_upload", "_health", "ping"})
"""First segments of the paths that Reflex' own server handles. Every other path is a page or a file."""

FALLBACK = "/__spa-fallback.html"

NOT_FOUND = "404"
"""Route of the page for all addresses without a page of their own."""

_DAY = 86_400


class StaticSite:
    """ASGI app that serves the compiled pages and forwards `PATHS_OF_REFLEX` to Reflex' server.

    `fill`: puts what pages show of settings into a document.
    """

    def __init__(
        self, directory: Path, route_of: Callable[[str], str | None], backend: ASGIApp, fill: Callable[[str], str] = str
    ) -> None:
        self._route_of, self._backend, self._directory, self._fill = route_of, backend, directory, fill
        self.read, self._packed = lru_cache(None)(self._read), lru_cache(None)(self._pack)
        self._files = ServeStaticASGI(
            None,
            directory,
            max_age=_DAY,
            allow_all_origins=False,
            immutable_file_test="^/assets/",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_of_reflex(scope["path"]):
            await self._backend(scope, receive, send)
            return
        file, status = self.find(scope["path"])
        if not file:
            await PlainTextResponse("Not found", 404)(scope, receive, send)
            return
        if file.endswith(".html") and scope["method"] in {"GET", "HEAD"}:
            await self._page(Request(scope), file, status)(scope, receive, send)
            return
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

    def _page(self, request: Request, file: str, status: int) -> Response:
        encoding = best_encoding(request.headers.get("accept-encoding", ""), ("gzip", ""))
        policy, tag, body = self._packed(file, encoding)
        headers = {"cache-control": "no-cache", "etag": tag, "vary": "Accept-Encoding"}
        if status == 200 and request.headers.get("if-none-match", "").removeprefix("W/") == tag:
            return Response(status_code=304, headers=headers)
        headers |= {"content-security-policy": policy, "content-length": str(len(body))}
        if encoding:
            headers["content-encoding"] = encoding
        return Response(b"" if request.method == "HEAD" else body, status, headers, "text/html")

    def _read(self, file: str) -> str:
        return self._fill((self._directory / file.lstrip("/")).read_text(encoding="utf-8"))

    def _pack(self, file: str, encoding: str) -> tuple[str, str, bytes]:
        """The policy, the tag and the content of a page."""
        page = self.read(file)
        body = page.encode()
        tag = f'"{hashlib.sha256(body).hexdigest()[:24]}{encoding}"'
        return page_policy(page), tag, gzip.compress(body, 9, mtime=0) if encoding else body


def is_of_reflex(path: str) -> bool:
    return path.lstrip("/").partition("/")[0] in PATHS_OF_REFLEX


def best_encoding(accepted: str, available: tuple[str, ...]) -> str:
    """The first encoding that a browser accepts, of those that are available; empty if it accepts none."""
    found = parse_accept_encoding(accepted)
    return next((name for name in available if name in found or "*" in found), "")
