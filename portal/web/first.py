"""`GET /first/…`: what a page is going to show, asked by its document beside the scripts."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.states.credential import fingerprint
from portal.states.first import Asked, first_data
from portal.states.guard import Limiter
from portal.states.page import Loadable
from portal.states.session_checks import SessionChecks, Standing, checks
from portal.web import cookies

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
        if checked.standing is Standing.ENDED:
            return _empty(_WHO)
        path = "/" + request.path_params["path"].rstrip("/")
        route = (self._route_of(path) or "").strip("/")
        page = self._pages.get(route)
        if page is None or checked.standing is not Standing.ALIVE:
            return _empty(_NOTHING)
        query = f"?{request.url.query}" if request.url.query else ""
        asked = Asked(f"/{route}", path + query, request.headers.get("host", ""))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                data = await first_data(page, asked, token, checked)
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
