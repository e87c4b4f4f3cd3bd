"""Answers a request for a page with a document that has the data of its customer."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Locale
from portal.contract.session import SessionCheck
from portal.drawing.drawer import Drawer, NotDrawn
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.frontend.guard import Limiter
from portal.reflex_adapter.static import NOT_FOUND, StaticSite, best_encoding, is_of_reflex
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.documents import HIDDEN_PAGE
from portal.web.headers import page_policy
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks, shown_terms

FirstData = Callable[[DocumentRequest, str, CheckedSession[SessionCheck]], Awaitable[DocumentData]]
"""Loads the first data of a page, given the request, the session token and the result of the session check. It raises
`ProviderError` if the provider does not have them."""

_BODY = b"<body>"
_BODY_OF_CUSTOMER = b"<body data-own>"
_BLOCK = b'<script id="first" type="application/json">%b</script>'
_PRIVATE = {"cache-control": "no-store, private", "vary": "Cookie, Accept-Encoding"}

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
        self._site, self._drawer, self._pages, self._route_of = site, drawer, pages, route_of
        self._patience, self._checks = patience, session_checks
        self._limiter = Limiter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: ASGIApp | None = None
        if scope["type"] == "http" and scope["method"] == "GET" and not is_of_reflex(scope["path"]):
            answer = await self._document(Request(scope))
        await (answer or self._site)(scope, receive, send)

    async def _document(self, request: Request) -> Response | None:
        path, route, document = self._asked(request)
        load = self._pages.get(route)
        token = cookies.read_session(request)
        if load is None or not token or not self._limiter.allows(fingerprint(token)):
            return None
        checked = await self._checks.check(token)
        if checked.state is not SessionStatus.ALIVE:
            return None
        try:
            async with asyncio.timeout(self._patience):
                found = await load(document, token, checked)
        except NotAuthenticated:
            self._checks.ended(token)
            return _see_other(document.address)  # which leads to the login
        except (ProviderError, TimeoutError) as error:
            _log.info("no first data", route=route, reason=type(error).__name__)
            return self._built(path, _BLOCK % b"{}", request) if isinstance(error, TimeoutError) else None
        if found.elsewhere:
            return _see_other(found.elsewhere)
        if not found.data:
            return self._built(path, b"", request)
        encoding = best_encoding(request.headers.get("accept-encoding", ""), ("br", "gzip", ""))
        terms = await shown_terms.changed()
        try:
            page, policy = await self._drawer.draw(
                route,
                document.address,
                _locale(request),
                found.data,
                packed=encoding == "br",
                terms=terms,
            )
        except NotDrawn:
            return self._built(path, _BLOCK % found.data.replace("<", "\\u003c").encode(), request)
        if encoding == "gzip":
            page = gzip.compress(page, 5)
        headers = {**_PRIVATE, "content-security-policy": policy}
        status = 404 if route == NOT_FOUND else 200
        return Response(page, status, media_type="text/html", headers=headers | _encoded(encoding))

    def _asked(self, request: Request) -> tuple[str, str, DocumentRequest]:
        path = "/" + request.url.path.strip("/")
        file, status = self._site.find(path)
        # The browser still has the address of the hidden page, and its scripts would show that page.
        is_unknown = file and status == 404 and path != HIDDEN_PAGE
        route = NOT_FOUND if is_unknown else (self._route_of(path) or "").strip("/")
        address = f"{path}?{request.url.query}" if request.url.query else path
        headers = request.headers
        return path, route, DocumentRequest(f"/{route}", address, headers.get("host", ""), headers.get("cookie", ""))

    def _built(self, path: str, block: bytes, request: Request) -> Response | None:
        """The page as it was built, with a block beside it: data that it shows when its scripts have come.

        The styles know a customer's page by its body: what moves when the data come is hidden until then (`below-own`).
        """
        file, status = self._site.find(path)
        if not file:
            return None
        built = self._site.read(file)
        page = built.encode().replace(_BODY, _BODY_OF_CUSTOMER + block, 1)
        encoding = best_encoding(request.headers.get("accept-encoding", ""), ("gzip", ""))
        page = gzip.compress(page, 5) if encoding else page
        headers = {**_PRIVATE, "content-security-policy": page_policy(built), **_encoded(encoding)}
        return Response(page, status, media_type="text/html", headers=headers)


def _encoded(encoding: str) -> dict[str, str]:
    return {"content-encoding": encoding} if encoding else {}


def _locale(request: Request) -> Locale:
    return cookies.linked_language(request) or cookies.language(request)


def _see_other(address: str) -> Response:
    return RedirectResponse(address, 303, {"cache-control": "no-store"})
