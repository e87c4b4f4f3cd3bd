"""The session of a tab of a member of staff, and the staff site as the guard knows it.

The session token is in an HttpOnly cookie of the staff host and never in a state variable. `StaffSession._owner` binds
the state tree of a tab to the session it was loaded for. The guard checks it before any handler runs.

`DeskGate` redirects before a page is served, so that nobody sees one that needs a login without it. The HTML of a page
holds no data, so it opens when the provider is unavailable, and shows the error itself.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import reflex as rx
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.contract.errors import NotAuthenticated, Unavailable
from portal.contract.models import Locale
from portal.frontend.policies import Policy, staff
from portal.frontend.session_end import shown_end
from portal.kernel.codes import Code
from portal.reflex_adapter.state import assign_changed
from portal.vocabulary.staff import Right, Role
from portal.web import cookies
from portal.web.forms import Destinations
from portal.web.session import CheckedSession, SessionChecks, SessionStatus
from portal.web.staff_cookies import clear_staff, read_staff, staff_token


class StoreOfMember(Protocol):
    @property
    def store_id(self) -> str: ...
    @property
    def name(self) -> str: ...


class SessionMember(Protocol):
    """The person of a valid session; `portal.staff.api.people.Member`.

    `stores` is empty for roles that see all stores. The session ends at `ends_at` in any case, and at `expires_at`
    (both UTC) without further use.
    """

    @property
    def person_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> Role: ...
    @property
    def rights(self) -> Sequence[Right]: ...
    @property
    def stores(self) -> Sequence[StoreOfMember]: ...
    @property
    def locale(self) -> Locale: ...
    @property
    def quiet(self) -> bool: ...
    @property
    def expires_at(self) -> datetime: ...
    @property
    def ends_at(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class SavedLink:
    name: str
    path: str
    number: int
    view_id: str = ""


@dataclass(frozen=True, slots=True)
class NavigationCounts:
    numbers: Mapping[str, int]
    saved: Sequence[SavedLink] = ()


MemberQuestion = Callable[[str], Awaitable[SessionMember]]
"""Asks who a session token belongs to; raises `NotAuthenticated` when the session has ended."""

ChangesQuestion = Callable[[str, int, int], Awaitable[int]]
"""Waits for a change of a case that the person may see. Given are token, last mark and the longest wait in seconds; the
answer is the new mark."""

CountsQuestion = Callable[[str], Awaitable[NavigationCounts]]


@dataclass(frozen=True, slots=True)
class Sources:
    member: MemberQuestion
    changes: ChangesQuestion
    counts: CountsQuestion


_connected: list[Sources] = []


def connect(sources: Sources) -> None:
    _connected[:] = [sources]


def sources() -> Sources:
    if not _connected:
        raise Unavailable
    return _connected[0]


@dataclass(frozen=True, slots=True)
class StaffCheck:
    member: SessionMember

    @property
    def expires_at(self) -> datetime:
        return self.member.ends_at

    @property
    def idle_until(self) -> datetime:
        return self.member.expires_at


async def check_staff(token: str) -> StaffCheck:
    return StaffCheck(await sources().member(token))


checks = SessionChecks(check_staff)
"""The sessions of staff that this process has asked about, for the event guard and the HTTP routes."""


class StaffSession(rx.State):
    """The session state of a tab. The guard sets it; every page reads it.

    `rights`: values of `Right`, to show only what the person may open. The guard and every operation check again.
    `stores`: names of the person's stores; empty for roles that see all stores.
    `idle_until`: when the session ends without further use (ISO 8601, UTC), accurate to a minute.
    `expires_at`: when the session ends in any case (ISO 8601, UTC).
    """

    authenticated: bool = False
    signed_out: bool = False
    unavailable: bool = False
    person_id: str = ""
    name: str = ""
    role: str = ""
    rights: rx.Field[list[str]] = rx.field(default_factory=list)
    stores: rx.Field[list[str]] = rx.field(default_factory=list)
    quiet: bool = False
    idle_until: str = ""
    expires_at: str = ""
    _owner: str = ""

    @rx.event
    @staff(Right.OWN_ACCOUNT)
    async def stay(self) -> None:
        """Stay logged in. The guard's check before this handler counts as use of the session."""


def may(right: Right) -> rx.Var[bool]:
    """Whether the person of this tab has a right. Only for display; the guard enforces rights."""
    return StaffSession.rights.contains(right.value)


def works_as(roles: Collection[Role]) -> rx.Var[bool]:
    """Whether the person of this tab has one of these roles. Only for display; the guard enforces rights."""
    return rx.Var.create(sorted(role.value for role in roles)).to(list[str]).contains(StaffSession.role)


def session_token(state: rx.State) -> str:
    """The session token of the browser of this tab, for calls to the provider."""
    if token := staff_token(state.router.headers.cookie):
        return token
    raise NotAuthenticated(Code.SESSION_ENDED)


async def session_ended(state: rx.State) -> None:
    """Mark the session of a tab as ended, after an operation raised `NotAuthenticated`."""
    checks.ended(staff_token(state.router.headers.cookie))
    (await state.get_state(StaffSession)).signed_out = True


class StaffSite:
    """The pages of staff: a handler needs a right, and the role of the person has it or not."""

    state = StaffSession

    @property
    def checks(self) -> SessionChecks[StaffCheck]:
        return checks

    def token(self, cookie: str) -> str:
        return staff_token(cookie)

    def has(self, policy: Policy | Right) -> bool:
        return policy is not Policy.CUSTOMER

    def admits(self, policy: Policy | Right, session: StaffSession) -> bool:
        return isinstance(policy, Right) and policy.value in session.rights

    def describe(self, session: StaffSession, host: str, owner: str, checked: CheckedSession[StaffCheck]) -> None:  # noqa: ARG002 - one host
        """Update the session state of a tab. Only changed values are assigned, so only these are sent."""
        changes: dict[str, object] = {"authenticated": bool(owner)}
        if owner:
            changes |= {"unavailable": False, "signed_out": False}
        if owner and checked.session is not None:
            member = checked.session.member
            changes |= {
                "person_id": member.person_id,
                "name": member.name,
                "role": member.role.value,
                "rights": [right.value for right in member.rights],
                "stores": [store.name for store in member.stores],
                "quiet": member.quiet,
                "idle_until": shown_end(session.idle_until, checked.session.idle_until),
                "expires_at": checked.session.expires_at.isoformat(),
            }
        assign_changed(session, changes)


STAFF = StaffSite()


DESK_LOGIN = "/login"
DESK_CODE = "/login/code"


class DeskGate:
    def __init__(
        self, app: ASGIApp, destinations: Destinations, session_checks: SessionChecks[StaffCheck] = checks
    ) -> None:
        self._app = app
        self._destinations = destinations
        self._checks = session_checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
