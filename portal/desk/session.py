"""The session of a tab of a member of staff, and the staff site as the guard knows it.

The session token is in an HttpOnly cookie of the staff host and never in a state variable. `StaffSession._owner` binds
the state tree of a tab to the session it was loaded for. The guard checks it before any handler runs.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import reflex as rx

from portal.contract.errors import NotAuthenticated
from portal.desk.sources import Member, sources
from portal.frontend.policies import Policy, StaffPolicy, staff
from portal.frontend.session import shown_end
from portal.kernel.codes import Code
from portal.reflex_adapter.state import assign_changed
from portal.vocabulary.staff import Right, Role
from portal.web.session import CheckedSession, SessionChecks
from portal.web.staff_cookies import staff_token


@dataclass(frozen=True, slots=True)
class StaffCheck:
    """A checked session: the person, and the ends of the session (UTC)."""

    member: Member

    @property
    def expires_at(self) -> datetime:
        """End of the session in any case."""
        return self.member.ends_at

    @property
    def idle_until(self) -> datetime:
        """End of the session without further use."""
        return self.member.expires_at


async def check_staff(token: str) -> StaffCheck:
    """Ask the provider about the session of a member of staff."""
    return StaffCheck(await sources().member(token))


checks = SessionChecks(check_staff)
"""The sessions of staff that this process has asked about, for the event guard and the HTTP routes."""


class StaffSession(rx.State):
    """The session state of a tab. The guard sets it; every page reads it.

    Attributes:
        rights: values of `Right`, to show only what the person may open. The guard and every operation check again.
        stores: names of the person's stores; empty for roles that see all stores.
        idle_until: when the session ends without further use (ISO 8601, UTC), accurate to a minute.
        expires_at: when the session ends in any case (ISO 8601, UTC).
    """

    authenticated: bool = False
    signed_out: bool = False
    unavailable: bool = False
    person_id: str = ""
    name: str = ""
    role: str = ""
    rights: rx.Field[list[str]] = rx.field(default_factory=list)
    stores: rx.Field[list[str]] = rx.field(default_factory=list)
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
        """The session token in a Cookie header; empty when there is none."""
        return staff_token(cookie)

    def has(self, policy: Policy | StaffPolicy) -> bool:
        return policy is not Policy.CUSTOMER

    def admits(self, policy: Policy | StaffPolicy, session: StaffSession) -> bool:
        """Whether the role of the person has the right of the policy."""
        return isinstance(policy, StaffPolicy) and policy.right.value in session.rights

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
                "idle_until": shown_end(session.idle_until, checked.session.idle_until),
                "expires_at": checked.session.expires_at.isoformat(),
            }
        assign_changed(session, changes)


STAFF = StaffSite()
