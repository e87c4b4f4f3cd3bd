"""Form posts of the login of staff. They use HTTP so that the session can be in a cookie that scripts cannot read."""

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from portal.contract.errors import ProviderError, Unavailable
from portal.contract.registry import ask
from portal.contract.session import CodeDelivery, CodeEntry, CodeSent, LocaleChoice, Origin
from portal.desk.downloads import download
from portal.desk.session import DESK_CODE, DESK_LOGIN, checks
from portal.kernel.codes import Code
from portal.login.http import CodeLogin
from portal.staff.api.people import (
    AUDIT_FILTERS,
    OpenedSession,
    PeopleApi,
    SignOnEntry,
    StaffApi,
    StaffCodeRequest,
    audit_search,
)
from portal.web import cookies
from portal.web.forms import accept, guarded, origin_of
from portal.web.staff_cookies import caller_token, clear_sign_on, clear_staff, read_sign_on, set_sign_on, set_staff

SIGN_ON_ANSWER = "/login/answer"
"""Where the OpenID provider sends the browser back to."""


class StaffAuthentication(CodeLogin):
    _checks = checks
    _token = staticmethod(caller_token)
    _forget = staticmethod(clear_staff)
    login, code = DESK_LOGIN, DESK_CODE
    asked_with = "person"
    """Somebody of the demonstration's list."""

    @property
    def routes(self) -> list[Route]:
        return [
            *super().routes,
            Route("/auth/begin-sign-on", guarded(self.begin_sign_on, DESK_LOGIN), methods=["POST"]),
            Route(SIGN_ON_ANSWER, self.finish_sign_on, methods=["GET"]),
        ]

    async def _send(self, email: str, asked_with: str, origin: Origin) -> CodeSent:
        asked = StaffCodeRequest(email=email[:1000], person_id=asked_with[:40])
        return await ask(StaffApi).request_staff_code(asked, origin)

    async def _delivery(self, origin: Origin) -> CodeDelivery:
        return await ask(StaffApi).staff_code_delivery(origin)

    async def _open(self, request: Request, form: dict[str, str], entry: CodeEntry) -> Response:  # noqa: ARG002 - no passkeys
        session = await ask(StaffApi).open_staff_session(entry, origin_of(request))
        onwards = self._destinations.after_login(cookies.read_next(request, session.token))
        return await _logged_in(request, accept(request, {"next": onwards}, onwards), session)

    async def _end(self, token: str) -> None:
        await ask(StaffApi).end_staff_session(token)

    async def begin_sign_on(self, request: Request, form: dict[str, str]) -> Response:  # noqa: ARG002 - the form has no fields
        begun = await ask(StaffApi).start_sign_on(origin_of(request))
        response = accept(request, {"away": begun.url}, begun.url)
        set_sign_on(response, begun.challenge)
        return response

    async def finish_sign_on(self, request: Request) -> Response:
        """Open a session with what the OpenID provider gave the browser.

        The provider sends the browser here from another site, so there is no check of the origin: the challenge in the
        cookie, which only this browser has, and the state bind the answer to the login that was begun here.
        """
        query = request.query_params
        entry = SignOnEntry(
            code=query.get("code", "")[:4000],
            state=query.get("state", "")[:200],
            error=query.get("error", "")[:200],
            challenge=read_sign_on(request)[:200] or None,
        )
        try:
            session = await ask(StaffApi).finish_sign_on(entry, origin_of(request))
        except ProviderError as error:
            code = Code.NETWORK_ERROR if isinstance(error, Unavailable) else error.code
            failed = RedirectResponse(f"{DESK_LOGIN}?error={code.value}", 303)
            clear_sign_on(failed)
            return failed
        onwards = self._destinations.after_login(cookies.read_next(request, session.token))
        return await _logged_in(request, RedirectResponse(onwards, 303), session)


async def _logged_in(request: Request, response: Response, session: OpenedSession) -> Response:
    """Set the session cookie and agree on the language. A failure of the latter must not block the login."""
    set_staff(response, session.token)
    cookies.clear_challenge(response)
    cookies.clear_next(response)
    clear_sign_on(response)
    with suppress(ProviderError):
        if chosen := cookies.chosen_language(request):
            await ask(StaffApi).change_staff_locale(session.token, LocaleChoice(locale=chosen))
            cookies.set_language(response, chosen)
        else:
            cookies.set_language(response, (await ask(StaffApi).member(session.token)).locale)
    return response


def files() -> list[Route]:
    return [Route("/files/audit.csv", _audit, methods=["GET"])]


async def _audit(request: Request) -> Response:
    values = {name: str(request.query_params.get(name, ""))[:60] for name in AUDIT_FILTERS}
    return await download(request, "/audit", lambda token: ask(PeopleApi).audit_export(token, audit_search(values)))
