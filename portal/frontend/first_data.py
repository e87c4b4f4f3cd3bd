"""The first data of a page over HTTP, for a browser that has just requested the document (decision 0015).

A page loads its data over the socket, which opens after its scripts are loaded. The browser requests the first data
while it loads the scripts. The endpoint asks the question of the page for the session of the cookie, and responds with
the state update that the socket would send. The browser shows it until the socket sends its own.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.session import SessionCheck
from portal.frontend.customers import describe
from portal.frontend.guard import Limiter
from portal.frontend.load import READY, Loading, PageState
from portal.frontend.session import SessionState
from portal.reflex_adapter.events import FIRST_EVENT, Event
from portal.reflex_adapter.state import BaseState, as_json, new_tree, root_of
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """A document that a browser requested.

    Attributes:
        route: the route of the page, as the router names it.
        address: path and query.
        host: the host name of the request.
    """

    route: str
    address: str
    host: str


async def first_data(
    page: type[Loading], request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]
) -> str:
    """The first data of a page as JSON: for each state the variables that differ from their compiled values.

    Args:
        page: the state of the page.
        request: the document that the browser requested.
        token: the session token.
        checked: the result of the session check; the session is alive.

    Raises:
        ProviderError: the provider has no data for the page. The page then loads over the socket.
    """
    # A state tree that belongs to no tab: it is never stored.
    root = new_tree(request.route, request.address, request.host)
    session, page_state = _substate(root, SessionState), _substate(root, page)
    answer = await page_state._question()(token)
    describe(session, request.host, fingerprint(token), checked)
    page_state.subject = page_state._about()
    page_state._show(answer)
    page_state.view_state = READY
    return as_json(session, page_state)


def _substate(root: BaseState, kind: type[Any]) -> Any:
    return root.get_substate(kind.get_full_name().split("."))


class FirstDataMiddleware(rx.Middleware):
    """Resets the page state of a tab that loaded a new document, before any of it is sent. Runs after the guard.

    The document is empty or shows its first data. The state of the tab may be older or about another subject.
    """

    def __init__(self, pages: Collection[type[Loading]], *more: Callable[[BaseState], Awaitable[None]]) -> None:
        """Reset these pages; other states keep their values.

        Args:
            pages: the states of the pages.
            more: further functions that run with the state tree of the tab.
        """
        self._pages = {page.get_full_name(): page for page in pages}
        self._more = more

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:  # noqa: ARG002
        """Reset the page state if the event is the first of a new document. Every event continues.

        Args:
            app: the app.
            state: the state tree of the tab.
            event: the event.
        """
        # Only the first event of a document has the hashes of the compiled state.
        if event.name != FIRST_EVENT or not event.payload.get("hashes"):
            return
        root = root_of(state)
        held = await root.get_state(PageState)
        if (page := self._pages.get(held._holder)) is not None:
            (await root.get_state(page)).reset()
            held._holder = ""
        for forget in self._more:
            await forget(root)


logger = logging.getLogger(__name__)
PREFIX = "/first"
MARK = "portal-first"
"""A required request header. Scripts of other sites cannot send it, because their CORS preflight fails."""

PATIENCE_SECONDS = 5.0
"""Timeout of the provider. By then the page has loaded over the socket."""

_PRIVATE = {"cache-control": "no-store, private", "vary": "Cookie, Accept-Encoding"}

_NO_CONTENT, _UNAUTHORIZED, _FORBIDDEN, _TOO_MANY_REQUESTS = 204, 401, 403, 429


class FirstData:
    """The endpoint that serves first data. After any failure the page loads over the socket."""

    def __init__(
        self,
        pages: Mapping[str, type[Loading]],
        route_of: Callable[[str], str | None],
        session_checks: SessionChecks[SessionCheck] = checks,
    ) -> None:
        """Serve these pages.

        Args:
            pages: the state of each page, by route as the router names it.
            route_of: finds the route of a path.
            session_checks: checks whether a session is alive.
        """
        self._pages = pages
        self._route_of = route_of
        self._checks = session_checks
        self._limiter = Limiter()

    @property
    def routes(self) -> list[Route]:
        """The routes to serve."""
        return [Route(PREFIX + "/{path:path}", self.answer, methods=["GET"])]

    async def answer(self, request: Request) -> Response:
        """Respond with the data as JSON; 204 if there are none, 401 without a session, 403 for other sites."""
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin" or MARK not in request.headers:
            return _empty(_FORBIDDEN)
        token = cookies.read_session(request)
        if not self._limiter.allows(fingerprint(token)):
            return _empty(_TOO_MANY_REQUESTS)
        checked = await self._checks.check(token)
        if checked.state is SessionStatus.ENDED:
            return _empty(_UNAUTHORIZED)
        path = "/" + request.path_params["path"].rstrip("/")
        route = (self._route_of(path) or "").strip("/")
        page = self._pages.get(route)
        if page is None or checked.state is not SessionStatus.ALIVE:
            return _empty(_NO_CONTENT)
        query = f"?{request.url.query}" if request.url.query else ""
        document = DocumentRequest(f"/{route}", path + query, request.headers.get("host", ""))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                data = await first_data(page, document, token, checked)
        except NotAuthenticated:
            return _empty(_UNAUTHORIZED)
        except (ProviderError, TimeoutError) as error:
            logger.info("no first data for %s: %s", route, type(error).__name__)
            return _empty(_NO_CONTENT)
        return _json(data.encode(), request.headers.get("accept-encoding", ""))


def _json(data: bytes, accepted: str) -> Response:
    headers = dict(_PRIVATE)
    if "gzip" in accepted:
        data, headers["content-encoding"] = gzip.compress(data, 6), "gzip"
    return Response(data, media_type="application/json", headers=headers)


def _empty(status: int) -> Response:
    return Response(status_code=status, headers=_PRIVATE)
