"""Form posts of the login pages. They use HTTP so that the session can be in a cookie that scripts cannot read."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from portal.contract.errors import NotAuthenticated, ProviderError, Refused
from portal.contract.models import Locale
from portal.contract.registry import ask
from portal.contract.session import VISIT_PATH, CodeEntry, CodeRequest, CodeSent, LeaseRequest, LocaleChoice, Session
from portal.contract.session_api import SessionApi
from portal.kernel.codes import Code
from portal.login.api import LoginApi, NewPassword, PasswordEntry, PasswordResetRequest, VisitLink
from portal.web import cookies
from portal.web.forms import CODE, LOGIN, PASSWORD, PASSWORD_RESET, Destinations, accept, guarded, origin_of
from portal.web.session import checks


def code_sent(request: Request, sent: CodeSent, page: str, *, resend: bool) -> Response:
    """The answer after a code was mailed.

    Args:
        request: asked for the code.
        sent: what the provider says of it.
        page: the page of the code.
        resend: whether the browser is on that page already.
    """
    data = {
        "email": sent.email,
        "expires_at": sent.expires_at.isoformat(),
        "resend_at": sent.resend_at.isoformat(),
        **({} if resend else {"next": page}),
    }
    return accept(request, data, page)


def logged_out(request: Request, form: dict[str, str], destinations: Destinations, login: str) -> Response:
    """The answer after a session ended. After a time-out, `next` is the page that the next login opens.

    Args:
        request: ended the session.
        form: what was posted.
        destinations: the pages of the site.
        login: its login page.
    """
    wanted = form.get("next", "")
    resumes = destinations.may_resume(wanted)
    onwards = f"{login}?error={Code.SESSION_ENDED.value}" if resumes else login
    response = accept(request, {"next": onwards}, onwards)
    cookies.clear_challenge(response)
    if resumes:
        cookies.set_next(response, wanted)
    else:
        cookies.clear_next(response)
    return response


class Authentication:
    """Routes that request a code, open a session and log out."""

    def __init__(self, destinations: Destinations) -> None:
        """Redirect to `destinations` after a login."""
        self._destinations = destinations

    @property
    def routes(self) -> list[Route]:
        """The routes to serve."""
        return [
            Route("/auth/code", guarded(self.request_code, LOGIN), methods=["POST"]),
            Route("/auth/session", guarded(self.open_session, CODE), methods=["POST"]),
            Route("/auth/logout", guarded(self.log_out, LOGIN), methods=["POST"]),
            Route(f"{VISIT_PATH}/{{hash}}", self.visit, methods=["GET"]),
        ]

    async def request_code(self, request: Request, form: dict[str, str]) -> Response:
        """Mail a login code.

        Who asks again before another code can be sent goes to the page of the code that is on its way, if this
        browser asked for it. With `resend`, the e-mail address and order number come from this browser's challenge
        cookie instead of the form.
        """
        if form.get("variant") == "lease" or ("lease" in form and "order_number" not in form):
            await ask(LoginApi).request_lease(LeaseRequest(lease=form.get("lease", "")), origin_of(request))
            raise Refused(Code.NOT_LEASE_ORDER)
        email, order_number = form.get("email", ""), form.get("order_number", "")
        if form.get("resend"):
            held = cookies.read_challenge(request)
            if held is None:
                raise Refused(Code.NO_CHALLENGE)
            email, order_number = held.email, held.order_number
        elif cookies.awaits_code(request, email, order_number):
            return accept(request, {"next": CODE}, CODE)
        sent = await ask(LoginApi).request_code(CodeRequest(email=email, order_number=order_number), origin_of(request))
        response = code_sent(request, sent, CODE, resend=bool(form.get("resend")))
        cookies.set_challenge(response, sent, email, order_number)
        return response

    async def open_session(self, request: Request, form: dict[str, str]) -> Response:
        """Log in with the code from the mail."""
        held = cookies.read_challenge(request)
        if held is None:
            raise Refused(Code.NO_CHALLENGE)
        entry = CodeEntry(token=form.get("code", ""), challenge=held.challenge)
        session = await ask(LoginApi).authenticate(entry, origin_of(request))
        return await logged_in(request, session, self._destinations)

    async def log_out(self, request: Request, form: dict[str, str]) -> Response:
        """End the session. After a time-out, `next` is the page that the next login opens."""
        if token := cookies.read_session(request):
            with suppress(NotAuthenticated):  # the session has already ended
                await ask(LoginApi).logout(token)
            checks.ended(token)
        response = logged_out(request, form, self._destinations, LOGIN)
        cookies.clear_session(response)
        return response

    async def visit(self, request: Request) -> Response:
        """Open the site as somebody of the staff, with a link that works once.

        The link comes from the staff site, so there is no check of the origin: it opens only what the person who asked
        for it may see, and the page says whose session it is.
        """
        try:
            link = VisitLink(hash=request.path_params["hash"][:200])
            session = await ask(LoginApi).open_visit(link, origin_of(request))
        except ProviderError as error:
            return RedirectResponse(f"{LOGIN}?error={error.code.value}", 303)
        response = RedirectResponse("/", 303)
        cookies.set_session(response, session.jwt)
        cookies.clear_challenge(response)
        cookies.clear_next(response)
        return response


async def logged_in(request: Request, session: Session, destinations: Destinations) -> Response:
    """Set the session cookie, agree on the language, and go to the requested page."""
    language = await _agreed_language(cookies.chosen_language(request), session)
    onwards = destinations.after_login(cookies.read_next(request))
    response = accept(request, {"next": onwards}, onwards)
    cookies.set_session(response, session.jwt)
    cookies.clear_challenge(response)
    cookies.clear_next(response)
    if language:
        cookies.set_language(response, language)
    return response


async def _agreed_language(chosen: Locale | None, session: Session) -> Locale | None:
    """Store the language that was chosen in this browser; without one, find the language of the account.

    Returns:
        The language of the account; None if the provider failed. A failure must not block the login.
    """
    try:
        if chosen:
            await ask(SessionApi).change_locale(session.jwt, LocaleChoice(locale=chosen))
            return chosen
        return (await ask(SessionApi).check_session(session.jwt)).locale
    except ProviderError:
        return None


_DONE = "?done=1"
"""Query string that makes the page report success, for browsers without scripts."""


class Passwords:
    """Routes of the password pages. The provider answers `NotFound` unless `PORTAL_PASSWORDS` is on."""

    def __init__(self, destinations: Destinations) -> None:
        """Redirect to `destinations` after a login."""
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
        """Set the password. Every session of the customer ends, including this one."""
        names = ("hash", "password", "repeat")
        await ask(LoginApi).set_password(NewPassword(**{name: form.get(name, "") for name in names}))
        onwards = PASSWORD + _DONE
        response = accept(request, {"next": onwards}, onwards)
        if token := cookies.read_session(request):
            checks.ended(token)
            cookies.clear_session(response)
        return response
