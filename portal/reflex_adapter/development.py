"""Development server: compiles only the pages that are opened and serves them through Vite.

Reaches: `app._unevaluated_pages` and `app._compile`; reflex.utils.build and prerequisites; granian's embedded server.
Why: Reflex compiles all pages or none, and its own development server runs without our cookies and access checks.
Gain: a changed page appears in seconds; compiling all pages takes half a minute.
Test: test_a_page_is_compiled_when_it_is_opened_and_when_it_changed.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Collection, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import reflex as rx
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from reflex.route import get_router
from reflex.utils.build import set_env_json
from reflex.utils.prerequisites import initialize_frontend_dependencies
from reflex_base.utils.imports import ImportDict
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.reflex_adapter.build import one_compiler
from portal.reflex_adapter.static import PATHS_OF_REFLEX

# Vite uses inline scripts, and evaluates changed modules.
_POLICY = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'"
_WAIT = '<!doctype html><meta http-equiv="refresh" content="1"><title>Compiling</title><p>Compiling this page.'


def install_frontend() -> None:
    with one_compiler(Path.cwd()):
        initialize_frontend_dependencies()


def compile_pages(app: rx.App, opened: Collection[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Compile the opened pages. Every other page is a placeholder that reloads, which makes the server compile it."""
    routes = frozenset(app._unevaluated_pages)
    compiled = routes & frozenset(opened)
    for route in routes - compiled:
        app._unevaluated_pages[route] = replace(app._unevaluated_pages[route], component=_AskedFor.create)
    with one_compiler(Path.cwd()), redirect_stdout(io.StringIO()):
        app._compile(use_rich=False)
    set_env_json()
    return routes, compiled


def serve_pages(app: rx.App, pages: PagesOfVite, served: Callable[[], ASGIApp], address: str, port: int) -> None:
    """Serve the app until stopped, with the pages from Vite instead of the compiled files of production."""
    app.api_transformer = [pages.before, *cast(Sequence[Any], app.api_transformer)[1:]]
    server = Server(served(), address=address, port=port, interface=Interfaces.ASGI, log_level=LogLevels.warning)
    asyncio.run(server.serve())


class _AskedFor(rx.Fragment):
    """Placeholder for a page that is not compiled: it reloads from the server, which then compiles the page."""

    def add_imports(self) -> ImportDict:
        return {"react": "useEffect"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return ["useEffect(() => window.location.reload(), [])"]


class PagesOfVite:
    """Proxy: forwards requests for pages and scripts to Vite, and Reflex' own requests to its server."""

    def __init__(
        self,
        port: int,
        routes: Collection[str],
        compiled: Collection[str],
        opened: Callable[[str], None],
        fill: Callable[[str], str],
    ) -> None:
        self._fill = fill
        self._route_of, self._compiled, self._opened = get_router(list(routes)), compiled, opened
        self._vite = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=60, transport=httpx.AsyncHTTPTransport(retries=6)
        )

    def before(self, backend: ASGIApp) -> ASGIApp:
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"].split("/", 2)[1] in PATHS_OF_REFLEX:
                await backend(scope, receive, send)
                return
            response = await self._answer(Request(scope))
            response.headers["content-security-policy"] = _POLICY
            await response(scope, receive, send)

        return answer

    async def _answer(self, request: Request) -> Response:
        is_page = "text/html" in request.headers.get("accept", "")
        route = self._route_of(request.url.path) if is_page else None
        if route is not None and route not in self._compiled:
            self._opened(route)
            return HTMLResponse(_WAIT)
        headers = {name: value for name, value in request.headers.items() if name not in {"host", "connection"}}
        asked = self._vite.build_request(
            request.method, httpx.URL(path=request.url.path, query=request.url.query.encode()), headers=headers
        )
        answer = await self._vite.send(asked, stream=True)
        if answer.headers.get("content-type", "").startswith("text/html"):
            await answer.aread()
            return HTMLResponse(self._fill(answer.text), answer.status_code)
        return StreamingResponse(
            answer.aiter_raw(), answer.status_code, dict(answer.headers), background=BackgroundTask(answer.aclose)
        )
