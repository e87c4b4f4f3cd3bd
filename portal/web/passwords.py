"""Passwords over HTTP, where they are offered: a password never travels as an event, and is kept in no state."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.login_api import LoginApi
from portal.contract.passwords import NewPassword, PasswordEntry, PasswordResetRequest
from portal.contract.registry import ask
from portal.states.session_checks import checks
from portal.web import cookies
from portal.web.auth import logged_in
from portal.web.destinations import PASSWORD, PASSWORD_RESET, Destinations
from portal.web.envelope import accept
from portal.web.forms import guarded, origin_of

_DONE = "?done=1"
"""For a browser that posts the form by itself: the page says that it worked."""


class Passwords:
    """The calls of the password pages; not found unless `PORTAL_PASSWORDS` is on, which the provider decides."""

    def __init__(self, destinations: Destinations) -> None:
        """Log in to these pages."""
        self._destinations = destinations

    @property
    def routes(self) -> list[Route]:
        """The routes to serve."""
        return [
            Route("/auth/password", guarded(self.log_in, PASSWORD), methods=["POST"]),
            Route("/auth/password-reset", guarded(self.request_link, PASSWORD_RESET), methods=["POST"]),
            Route("/auth/new-password", guarded(self.set_password, PASSWORD_RESET), methods=["POST"]),
        ]

    async def log_in(self, request: Request, form: dict[str, str]) -> Response:
        """Open a session with a password."""
        entry = PasswordEntry(
            email=form.get("email", ""),
            order_number=form.get("order_number", ""),
            password=form.get("password", ""),
        )
        session = await ask(LoginApi).log_in(entry, origin_of(request))
        return await logged_in(request, session, self._destinations)

    async def request_link(self, request: Request, form: dict[str, str]) -> Response:
        """Mail a link to set a password."""
        wanted = PasswordResetRequest(email=form.get("email", ""), order_number=form.get("order_number", ""))
        sent = await ask(LoginApi).request_password_reset(wanted, origin_of(request))
        data = {
            "email": sent.email,
            "expires_at": sent.expires_at.isoformat(),
            "resend_at": sent.resend_at.isoformat(),
        }
        return accept(request, data, PASSWORD_RESET + _DONE)

    async def set_password(self, request: Request, form: dict[str, str]) -> Response:
        """Set the password. Every session of the customer ends, also the one of this browser."""
        names = ("hash", "password", "repeat")
        await ask(LoginApi).set_password(NewPassword(**{name: form.get(name, "") for name in names}))
        onwards = PASSWORD + _DONE
        response = accept(request, {"next": onwards}, onwards)
        if token := cookies.read_session(request):
            checks.ended(token)
            cookies.clear_session(response)
        return response
