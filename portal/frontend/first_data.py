"""The first data of a page, for a browser that has just asked for the document (decision 0015).

The page itself asks over the socket, which opens when its scripts have come. Its first data are asked beside the
scripts: the same question, for the session of the cookie, answered as the same change of state that the socket would
send. The browser shows it until the socket has brought its own.
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
from portal.frontend.guard import Limiter, describe
from portal.frontend.session import SessionState
from portal.frontend.state import READY, Loadable, PageState
from portal.reflex_adapter.events import FIRST_EVENT, Event
from portal.reflex_adapter.state import BaseState, as_json, new_tree, root_of
from portal.web import cookies
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession, SessionChecks, SessionStatus, checks


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """A document that a browser asked for.

    Attributes:
        route: The route of the page, as the router names it.
        address: Path and query.
        host: The host that the browser asked.
    """

    route: str
    address: str
    host: str


async def first_data(page: type[Loadable], wanted: DocumentRequest, token: str, checked: CheckedSession) -> str:
    """What the page will show, as JSON: for each state the variables that are not as they were compiled.

    Args:
        page: The state of the page.
        wanted: What the browser asked for.
        token: The session token.
        checked: What is known of the session; it is alive.

    Raises:
        ProviderError: The provider did not answer, or not with data; the page will find out by itself.
    """
    # A tree of nobody's tab: it is never stored, and gone when the answer is.
    root = new_tree(wanted.route, wanted.address, wanted.host)
    session, shown = _part(root, SessionState), _part(root, page)
    answer = await shown._question()(token)
    describe(session, wanted.host, fingerprint(token), checked)
    shown.subject = shown._about()
    shown._show(answer)
    shown.view_state = READY
    return as_json(session, shown)


def _part(root: BaseState, kind: type[Any]) -> Any:
    return root.get_substate(kind.get_full_name().split("."))


class FirstDataMiddleware(rx.Middleware):
    """Empties the page of a tab whose document is new, before anything of it is sent.

    The document is empty or shows its first data; what the tab showed before may be older, or about something else.
    Stands after the guard.
    """

    def __init__(self, pages: Collection[type[Loadable]], *more: Callable[[BaseState], Awaitable[None]]) -> None:
        """Empty these pages; all else stays.

        Args:
            pages: The states of the pages.
            more: What else is done in the state tree of the tab.
        """
        self._pages = {page.get_full_name(): page for page in pages}
        self._more = more

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:  # noqa: ARG002
        """Look at an event; it always goes on.

        Args:
            app: The app.
            state: The state tree of the tab.
            event: What is to be run.
        """
        # Only the first event of a document says what the compiled page begins with.
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
"""A header that only a script of ours can send: for others a browser asks first, and is not answered."""

PATIENCE_SECONDS = 5.0
"""After that the page has asked by itself."""

_PRIVATE = {"cache-control": "no-store, private", "vary": "Cookie, Accept-Encoding"}

_NOTHING, _WHO, _REFUSED, _TOO_MANY = 204, 401, 403, 429


class FirstData:
    """Serves the first data of the pages that have them. Whatever goes wrong, the page asks over the socket."""

    def __init__(
        self,
        pages: Mapping[str, type[Loadable]],
        route_of: Callable[[str], str | None],
        session_checks: SessionChecks = checks,
    ) -> None:
        """Serve these pages.

        Args:
            pages: The state of a page by its route, as the router names it.
            route_of: Finds the route of a path.
            session_checks: Says whether a session is alive.
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
        """The data as JSON; 204 when there are none to show, 401 without a session, 403 for another site."""
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin" or MARK not in request.headers:
            return _empty(_REFUSED)
        token = cookies.read_session(request)
        if not self._limiter.allows(fingerprint(token)):
            return _empty(_TOO_MANY)
        checked = await self._checks.check(token)
        if checked.state is SessionStatus.ENDED:
            return _empty(_WHO)
        path = "/" + request.path_params["path"].rstrip("/")
        route = (self._route_of(path) or "").strip("/")
        page = self._pages.get(route)
        if page is None or checked.state is not SessionStatus.ALIVE:
            return _empty(_NOTHING)
        query = f"?{request.url.query}" if request.url.query else ""
        wanted = DocumentRequest(f"/{route}", path + query, request.headers.get("host", ""))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                data = await first_data(page, wanted, token, checked)
        except NotAuthenticated:
            return _empty(_WHO)
        except (ProviderError, TimeoutError) as error:
            logger.info("no first data for %s: %s", route, type(error).__name__)
            return _empty(_NOTHING)
        return _packed(data.encode(), request.headers.get("accept-encoding", ""))


def _packed(data: bytes, accepted: str) -> Response:
    headers = dict(_PRIVATE)
    if "gzip" in accepted:
        data, headers["content-encoding"] = gzip.compress(data, 6), "gzip"
    return Response(data, media_type="application/json", headers=headers)


def _empty(status: int) -> Response:
    return Response(status_code=status, headers=_PRIVATE)
