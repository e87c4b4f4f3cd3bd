"""Answers a request for a page with a document that has the data of its customer."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.errors import ProviderError
from portal.contract.session import SessionCheck
from portal.drawing.drawer import Drawer
from portal.drawing.process import NotDrawn
from portal.frontend.first_data import DocumentRequest
from portal.frontend.guard import Limiter
from portal.reflex_adapter.static import StaticSite, best_encoding
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks
from portal.web.terms import shown_terms

FirstData = Callable[[DocumentRequest, str, CheckedSession[SessionCheck]], Awaitable[str]]
"""Loads the first data of a page as JSON, given the request, the session token and the result of the session check.
The text is empty if the page has none now. It raises `ProviderError` if the provider does not have them."""

_BODY = b"<body>"
_BLOCK = b'<script id="first" type="application/json">%b</script>'
_PRIVATE = {"cache-control": "no-store, private", "vary": "Cookie, Accept-Encoding"}
_HEADERS_OF_BUILD = (b"content-type", b"content-security-policy")

_log = structlog.get_logger(__name__)


class DrawnDocuments:
    """ASGI app around the built pages. Whatever goes wrong, a page is served as it was built, if possible with data."""

    def __init__(
        self,
        site: StaticSite,
        drawer: Drawer,
        pages: Mapping[str, FirstData],
        route_of: Callable[[str], str | None],
        patience: float,
        session_checks: SessionChecks[SessionCheck] = checks,
    ) -> None:
        """Serve pages.

        Args:
            site: the built pages.
            drawer: draws a page with data.
            pages: what loads the first data of a page, by route as the router names it.
            route_of: finds the route of a path.
            patience: seconds that a page waits for its data; after them it loads them over the socket.
            session_checks: checks whether a session is alive.
        """
        self._site, self._drawer, self._pages, self._route_of = site, drawer, pages, route_of
        self._patience, self._checks = patience, session_checks
        self._limiter = Limiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a page with data, or pass it on."""
        asked = scope["type"] == "http" and scope["method"] == "GET"
        answer: ASGIApp | None = await self._document(Request(scope)) if asked else None
        await (answer or self._site)(scope, receive, send)

    async def _document(self, request: Request) -> Response | None:
        path = "/" + request.url.path.strip("/")
        route = (self._route_of(path) or "").strip("/")
        load = self._pages.get(route)
        token = cookies.read_session(request)
        if load is None or not token or not self._limiter.allows(fingerprint(token)):
            return None
        checked = await self._checks.check(token)
        if checked.state is not SessionStatus.ALIVE:
            return None
        address = f"{path}?{request.url.query}" if request.url.query else path
        document = DocumentRequest(f"/{route}", address, request.headers.get("host", ""))
        try:
            async with asyncio.timeout(self._patience):
                data = await load(document, token, checked)
        except (ProviderError, TimeoutError) as error:
            _log.info("no first data", route=route, reason=type(error).__name__)
            return None
        if not data:
            return None
        encoding = best_encoding(request.headers.get("accept-encoding", ""), ("br", "gzip", ""))
        locale = cookies.linked_language(request) or cookies.language(request)
        terms = await shown_terms.changed()
        try:
            page, policy = await self._drawer.draw(route, address, locale, data, packed=encoding == "br", terms=terms)
        except NotDrawn:
            return self._built(path, data, request)
        if encoding == "gzip":
            page = gzip.compress(page, 5)
        headers = {**_PRIVATE, "content-security-policy": policy}
        return Response(page, media_type="text/html", headers=headers | _encoded(encoding))

    def _built(self, path: str, data: str, request: Request) -> Response | None:
        """The page as it was built, with the data beside it: it shows them when its scripts have come."""
        built, _ = self._site.find(path)
        if built is None:
            return None
        block = _BLOCK % data.replace("<", "\\u003c").encode()
        page = built.bodies[""][0].replace(_BODY, _BODY + block, 1)
        encoding = best_encoding(request.headers.get("accept-encoding", ""), ("gzip", ""))
        headers = {name.decode(): value.decode() for name, value in built.headers if name in _HEADERS_OF_BUILD}
        page = gzip.compress(page, 5) if encoding else page
        return Response(page, headers={**headers, **_PRIVATE, **_encoded(encoding)})


def _encoded(encoding: str) -> dict[str, str]:
    return {"content-encoding": encoding} if encoding else {}
