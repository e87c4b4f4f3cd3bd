"""Form posts of the login pages. They use HTTP so that the session can be in a cookie that scripts cannot read."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from portal.contract.common_api import SessionApi
from portal.contract.errors import NotAuthenticated, ProviderError, Refused
from portal.contract.models import Locale
from portal.contract.registry import ask
from portal.contract.session import (
    VISIT_PATH,
    CodeDelivery,
    CodeEntry,
    CodeRequest,
    CodeSent,
    LeaseRequest,
    LocaleChoice,
    Origin,
    Session,
)
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.kernel.validation import parsed_json
from portal.login.api import (
    LoginApi,
    NewPasskey,
    NewPassword,
    PasskeyAnswer,
    PasskeyOptions,
    PasskeyPage,
    PasskeysApi,
    PasswordEntry,
    PasswordResetRequest,
    PasswordResetSent,
    VisitLink,
)
from portal.settings import settings
from portal.web import cookies
from portal.web.forms import (
    CODE,
    LOGIN,
    MAX_CREDENTIAL,
    PASSKEY,
    PASSKEYS,
    PASSWORD,
    PASSWORD_RESET,
    Destinations,
    accept,
    guarded,
    origin_of,
)
from portal.web.session import SessionChecks, checks


class CodeLogin:
    """Routes that request a code, open a session with it and log out. Staff replace what differs."""

    _checks: SessionChecks[Any] = checks
    _token: Callable[[Request], str] = staticmethod(cookies.read_session)
    _forget = staticmethod(cookies.clear_session)
    login, code = LOGIN, CODE
    asked_with = "order_number"

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/auth/code", guarded(self.request_code, self.login), methods=["POST"]),
            Route("/auth/code-delivery", guarded(self.code_delivery, self.code), methods=["POST"]),
            Route("/auth/session", guarded(self.open_session, self.code), methods=["POST"]),
            Route("/auth/logout", guarded(self.log_out, self.login), methods=["POST"]),
        ]

    async def _send(self, email: str, asked_with: str, origin: Origin) -> CodeSent:
        return await ask(LoginApi).request_code(CodeRequest(email=email, order_number=asked_with), origin)

    async def _delivery(self, origin: Origin) -> CodeDelivery:
        return await ask(LoginApi).code_delivery(origin)

    async def _open(self, request: Request, form: dict[str, str], entry: CodeEntry) -> Response:
        session = await ask(LoginApi).authenticate(entry, origin_of(request))
        return await logged_in(request, session, self._destinations, offers=_takes_passkeys(form))

    async def _end(self, token: str) -> None:
        await ask(LoginApi).logout(token)

    async def request_code(self, request: Request, form: dict[str, str]) -> Response:
        """Mail a login code.

        Who asks again before another code can be sent goes to the page of the code that is on its way, if this
        browser asked for it. With `resend`, the fields come from this browser's challenge cookie instead of the form.
        """
        email, asked_with, resend = form.get("email", ""), form.get(self.asked_with, ""), bool(form.get("resend"))
        if resend:
            held = _held(request)
            email, asked_with = held.email, held.order_number
        elif cookies.awaits_code(request, email, asked_with):
            return accept(request, {"next": self.code}, self.code)
        sent = await self._send(email, asked_with, origin_of(request))
        data = {"email": cookies.typed_address(email) or sent.email, **_times(sent)}
        response = accept(request, data if resend else {**data, "next": self.code}, self.code)
        cookies.set_challenge(response, sent, email, asked_with)
        return response

    async def code_delivery(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - no fields
        return accept(request, (await self._delivery(origin_of(request))).model_dump(), self.code)

    async def open_session(self, request: Request, form: dict[str, str]) -> Response:
        entry = CodeEntry(token=form.get("code", ""), challenge=_held(request).challenge)
        return await self._open(request, form, entry)

    async def log_out(self, request: Request, form: dict[str, str]) -> Response:
        if token := self._token(request):
            with suppress(NotAuthenticated):  # the session has already ended
                await self._end(token)
            self._checks.ended(token)
        wanted = form.get("next", "")
        resumes = self._destinations.may_resume(wanted)
        onwards = f"{self.login}?error={Code.SESSION_ENDED.value}" if resumes else self.login
        response = accept(request, {"next": onwards}, onwards)
        cookies.clear_challenge(response)
        if resumes:
            cookies.set_next(request, response, wanted, token)
        else:
            cookies.refuse_next(response)
            # The next person at this browser finds nothing that was typed.
            response.headers["clear-site-data"] = '"storage"'
        self._forget(response)
        return response


def _held(request: Request) -> cookies.Challenge:
    if (held := cookies.read_challenge(request)) is None:
        raise Refused(Code.NO_CHALLENGE)
    return held


def _times(sent: CodeSent | PasswordResetSent) -> dict[str, str]:
    return {"expires_at": sent.expires_at.isoformat(), "resend_at": sent.resend_at.isoformat()}


class Authentication(CodeLogin):
    @property
    def routes(self) -> list[Route]:
        return [*super().routes, Route(f"{VISIT_PATH}/{{hash}}", self.visit, methods=["GET"])]

    async def request_code(self, request: Request, form: dict[str, str]) -> Response:
        if form.get("variant") == "lease" or ("lease" in form and "order_number" not in form):
            await ask(LoginApi).request_lease(LeaseRequest(lease=form.get("lease", "")), origin_of(request))
            raise Refused(Code.NOT_LEASE_ORDER)
        return await super().request_code(request, form)

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


async def logged_in(
    request: Request, session: Session, destinations: Destinations, *, offers: bool = False
) -> Response:
    language = await _agreed_language(cookies.chosen_language(request), session)
    offers = offers and await _offers_passkey(request, session)
    onwards = PASSKEY if offers else destinations.after_login(cookies.read_next(request, session.jwt))
    response = accept(request, {"next": onwards}, onwards)
    cookies.set_session(response, session.jwt)
    cookies.clear_challenge(response)
    if offers:
        cookies.set_offered_passkey(response)
    else:
        cookies.clear_next(response)
    if language:
        cookies.set_language(response, language)
    return response


async def _agreed_language(chosen: Locale | None, session: Session) -> Locale | None:
    """Store the language that was chosen in this browser; without one, find the language of the account."""
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
        self._destinations = destinations

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/auth/password", guarded(self.log_in, PASSWORD), methods=["POST"]),
            Route("/auth/password-reset", guarded(self.request_link, PASSWORD_RESET), methods=["POST"]),
            Route("/auth/new-password", guarded(self.set_password, PASSWORD_RESET), methods=["POST"]),
        ]

    async def log_in(self, request: Request, form: dict[str, str]) -> Response:
        entry = PasswordEntry(
            email=form.get("email", ""),
            order_number=form.get("order_number", ""),
            password=form.get("password", ""),
        )
        session = await ask(LoginApi).log_in(entry, origin_of(request))
        return await logged_in(request, session, self._destinations, offers=_takes_passkeys(form))

    async def request_link(self, request: Request, form: dict[str, str]) -> Response:
        wanted = PasswordResetRequest(email=form.get("email", ""), order_number=form.get("order_number", ""))
        sent = await ask(LoginApi).request_password_reset(wanted, origin_of(request))
        data = {"email": cookies.typed_address(wanted.email), **_times(sent)}
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


def _takes_passkeys(form: dict[str, str]) -> bool:
    """Whether the device of the visitor can keep a passkey; scripts of the page say so."""
    return form.get("passkeys") == "1"


async def _offers_passkey(request: Request, session: Session) -> bool:
    """Whether to offer a passkey to a customer who has none. A failure must not block the login."""
    if cookies.was_offered_passkey(request) or not settings().passkey_host(_origin(request)):
        return False
    try:
        return (await ask(PasskeysApi).passkeys(session.jwt)).offered
    except ProviderError:
        return False


def _origin(request: Request) -> str:
    # Every browser with passkeys sends the header with a form.
    return request.headers.get("origin", "")[:300]


class Passkeys:
    """Routes that make passkeys and log in with them. The challenge is in a cookie, so it is bound to the browser."""

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/auth/passkey/options", guarded(self.begin_login, LOGIN), methods=["POST"]),
            Route("/auth/passkey", guarded(self.log_in, LOGIN, MAX_CREDENTIAL), methods=["POST"]),
            Route("/auth/passkeys/options", guarded(self.begin, PASSKEYS), methods=["POST"]),
            Route("/auth/passkeys", guarded(self.add, PASSKEYS, MAX_CREDENTIAL), methods=["POST"]),
            Route("/auth/passkeys/later", guarded(self.postpone, PASSKEY), methods=["POST"]),
            Route("/auth/passkeys/never", guarded(self.decline, PASSKEY), methods=["POST"]),
        ]

    async def begin_login(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - no fields
        page = PasskeyPage(origin=_origin(request))
        return _asking(request, await ask(PasskeysApi).begin_passkey_login(page, origin_of(request)))

    async def log_in(self, request: Request, form: dict[str, str]) -> Response:
        """Open a session with the answer of the device. Who was quicker than the scripts of the page stays there."""
        if "credential" not in form:
            return accept(request, {}, LOGIN)
        answer = PasskeyAnswer(
            origin=_origin(request), challenge=cookies.read_passkey(request), credential=_device_answer(form)
        )
        session = await ask(PasskeysApi).log_in_with_passkey(answer, origin_of(request))
        response = await logged_in(request, session, self._destinations)
        cookies.set_passkey(response, "", 0)
        return response

    async def begin(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - no fields
        page = PasskeyPage(origin=_origin(request))
        return _asking(request, await ask(PasskeysApi).begin_passkey(cookies.read_session(request), page))

    async def add(self, request: Request, form: dict[str, str]) -> Response:
        """Add the passkey that the device made. From the offer after a login, the requested page comes next."""
        if "credential" not in form:
            return accept(request, {}, PASSKEY if form.get("offer") else PASSKEYS)
        passkey = NewPasskey(
            origin=_origin(request),
            challenge=cookies.read_passkey(request),
            credential=_device_answer(form),
            user_agent=request.headers.get("user-agent", "")[:1000],
        )
        await ask(PasskeysApi).add_passkey(cookies.read_session(request), passkey)
        response = self._onwards(request) if form.get("offer") else accept(request, {}, PASSKEYS)
        cookies.set_passkey(response, "", 0)
        return response

    async def postpone(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - no fields
        """Go on without a passkey. This browser gets no other offer for a month."""
        return self._onwards(request)

    async def decline(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - no fields
        """Go on without a passkey, and offer none to this customer any more."""
        await ask(PasskeysApi).decline_passkeys(cookies.read_session(request))
        return self._onwards(request)

    def _onwards(self, request: Request) -> Response:
        onwards = self._destinations.after_login(cookies.read_next(request, cookies.read_session(request)))
        response = accept(request, {"next": onwards}, onwards)
        cookies.clear_next(response)
        return response


def _asking(request: Request, asked: PasskeyOptions) -> Response:
    response = accept(request, {"options": asked.options}, LOGIN)
    cookies.set_passkey(response, asked.challenge, max(1, round((asked.expires_at - now()).total_seconds())))
    return response


def _device_answer(form: dict[str, str]) -> dict[str, object]:
    try:
        credential = parsed_json(form.get("credential", ""))
    except ValueError:
        credential = None
    if not isinstance(credential, dict):
        raise Refused(Code.INVALID_PASSKEY)
    return credential
