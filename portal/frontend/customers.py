"""The customers' site, as the guard knows it: its session state, its cookie, and what it tells a tab."""

from __future__ import annotations

from portal.contract.session import SessionCheck
from portal.frontend.policies import Policy, StaffPolicy
from portal.frontend.session import SessionState
from portal.frontend.session_end import shown_end
from portal.reflex_adapter.state import assign_changed
from portal.settings import Variant, settings
from portal.web.cookies import session_token
from portal.web.session import CheckedSession, SessionChecks, checks


class CustomerSite:
    """The pages of customers. Whoever is logged in may call every handler that asks for a customer."""

    state = SessionState

    @property
    def checks(self) -> SessionChecks[SessionCheck]:
        return checks

    def token(self, cookie: str) -> str:
        """The session token in a Cookie header; empty when there is none."""
        return session_token(cookie, secure=settings().secure)

    def has(self, policy: Policy | StaffPolicy) -> bool:
        return not isinstance(policy, StaffPolicy)

    def admits(self, policy: Policy | StaffPolicy, session: SessionState) -> bool:  # noqa: ARG002 - no roles
        """Whether the customer may call handlers with this policy."""
        return True

    def describe(self, session: SessionState, host: str, owner: str, checked: CheckedSession[SessionCheck]) -> None:
        describe(session, host, owner, checked)


CUSTOMERS = CustomerSite()


def describe(session: SessionState, host: str, owner: str, checked: CheckedSession[SessionCheck]) -> None:
    """Update the session state of a tab. Only changed values are assigned, so only these are sent."""
    changes: dict[str, object] = {
        "authenticated": bool(owner),
        "variant": Variant.of_host(host).value,
        "passwords": settings().passwords,
    }
    if owner:
        changes |= {"unavailable": False, "signed_out": False}
    if owner and checked.session is not None:
        changes["recall"] = checked.session.recall
        changes["expires_at"] = checked.session.expires_at.isoformat()
        changes["idle_until"] = shown_end(session.idle_until, checked.session.idle_until)
    assign_changed(session, changes)
