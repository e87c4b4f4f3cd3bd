"""Redirects before a staff page is served, so that nobody sees a page that needs a login without one.

The HTML of a page holds no data; the event guard and the provider protect these. Therefore a page opens when the
provider is unavailable, and shows the error itself.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.desk.session import StaffCheck, checks
from portal.kernel.codes import Code
from portal.web import cookies
from portal.web.forms import Destinations
from portal.web.session import SessionChecks, SessionStatus
from portal.web.staff_cookies import clear_staff, read_staff

DESK_LOGIN = "/login"
DESK_CODE = "/login/code"


class DeskGate:
    """ASGI middleware that redirects requests for staff pages."""

    def __init__(
        self, app: ASGIApp, destinations: Destinations, session_checks: SessionChecks[StaffCheck] = checks
    ) -> None:
        """Wrap an app that serves these pages."""
        self._app = app
        self._destinations = destinations
        self._checks = session_checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Redirect a request, or pass it to the app."""
        answer = None
        if scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}:
            answer = await self._elsewhere(Request(scope))
        await (answer or self._app)(scope, receive, send)

    async def _elsewhere(self, request: Request) -> Response | None:
        path = request.url.path.rstrip("/") or "/"
        if path == "/":
            return RedirectResponse(self._destinations.home, 303)
        if path in {DESK_LOGIN, DESK_CODE}:
            return await self._for_visitors(request, path)
        if self._destinations.is_protected(path):
            return await self._for_staff(request, path)
        return None

    async def _for_visitors(self, request: Request, path: str) -> Response | None:
        token = read_staff(request)
        if token and (await self._checks.check(token)).state is SessionStatus.ALIVE:
            response = RedirectResponse(self._destinations.after_login(cookies.read_next(request, token)), 303)
            cookies.clear_next(response)
            return response
        if path == DESK_CODE and cookies.read_challenge(request) is None:
            return RedirectResponse(DESK_LOGIN, 303)
        return None

    async def _for_staff(self, request: Request, path: str) -> Response | None:
        token = read_staff(request)
        if (await self._checks.check(token)).state is not SessionStatus.ENDED:
            return None
        # With a token there was a session before: the login page explains that it has ended.
        response = RedirectResponse(f"{DESK_LOGIN}?error={Code.SESSION_ENDED.value}" if token else DESK_LOGIN, 303)
        query = f"?{request.url.query}" if request.url.query else ""
        wanted = next((place for place in (path + query, path) if self._destinations.may_resume(place)), "")
        if wanted:
            cookies.set_next(request, response, wanted, token)
        if token:
            clear_staff(response)
        return response
