"""The session of a customer's tab (part-1 §3 Session state).

The session token is in an HttpOnly cookie and never in a state variable. `SessionState._owner` binds the state tree of
a tab to the session it was loaded for. The guard checks it before any handler runs.
"""

from typing import Any

import reflex as rx

from portal.contract.common_api import SessionApi
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import Customer, LocaleChoice, SessionCheck, UserData
from portal.frontend.policies import Policy, customer
from portal.frontend.session_end import shown_end
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.reflex_adapter.events import LOAD_AGAIN
from portal.reflex_adapter.state import assign_changed
from portal.setting_groups import Variant
from portal.settings import settings
from portal.vocabulary.staff import Right
from portal.web.cookies import session_token as _read_token
from portal.web.session import CheckedSession, SessionChecks, checks


class SessionState(rx.State):
    """The session state of a tab. The guard sets it; every page reads it.

    `idle_until`: when the session ends without further use (ISO 8601, UTC), accurate to a minute.
    `expires_at`: when the session ends in any case (ISO 8601, UTC).
    `recall`: id of a product safety recall that the customer has not confirmed to have read; empty if there is none.
    `person`: the customer; None until loaded.
    `order_number`: of the order the customer logged in with; empty until loaded.
    """

    authenticated: bool = False
    signed_out: bool = False
    unavailable: bool = False
    variant: str = "mijn"
    passwords: bool = False
    idle_until: str = ""
    expires_at: str = ""
    recall: str = ""
    person: rx.Field[Customer | None] = rx.field(None)
    order_number: str = ""
    _owner: str = ""

    @rx.event
    @customer
    async def load(self) -> None:
        if self.person is not None:
            return
        try:
            self._remember(await ask(SessionApi).customer_info(session_token(self)))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            return  # The next page asks again.

    @rx.event
    @customer
    async def stay(self) -> None:
        """Stay logged in. The guard's check before this handler counts as use of the session."""

    def _remember(self, data: UserData) -> None:
        self.person = data.customer
        self.order_number = data.order.order_number if data.order else ""


def session_token(state: rx.State) -> str:
    """The session token of the browser of this tab, for calls to the provider."""
    if token := _read_token(state.router.headers.cookie, secure=settings().secure):
        return token
    raise NotAuthenticated(Code.SESSION_ENDED)


async def session_ended(state: rx.State) -> None:
    """Mark the session of a tab as ended, after an operation raised `NotAuthenticated`.

    A check of some seconds ago may have said that it is alive: without `ended` the browser would load the page again
    and find it open.
    """
    checks.ended(_read_token(state.router.headers.cookie, secure=settings().secure))
    (await state.get_state(SessionState)).signed_out = True


class Language(rx.State):
    """The events about the language. A cookie and the provider store it.

    `choices`: how often one was stored; what is loaded when it is shown is loaded again after another one.
    """

    choices: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    async def choose(self, language: str) -> Any:
        """Store the language of the customer, and load the page again: its data name articles in that language."""
        try:
            await ask(SessionApi).change_locale(session_token(self), LocaleChoice(locale=known_locale(language)))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            # The page already shows the language; the next choice is stored again.
            return None
        else:
            self.choices += 1
            return LOAD_AGAIN
        return None


async def language_choices(state: rx.State) -> int:
    """How often a language was stored in this tab."""
    return (await state.get_state(Language)).choices


class CustomerSite:
    """The pages of customers. Whoever is logged in may call every handler that asks for a customer."""

    state = SessionState

    @property
    def checks(self) -> SessionChecks[SessionCheck]:
        return checks

    def token(self, cookie: str) -> str:
        """The session token in a Cookie header; empty when there is none."""
        return _read_token(cookie, secure=settings().secure)

    def has(self, policy: Policy | Right) -> bool:
        return not isinstance(policy, Right)

    def admits(self, policy: Policy | Right, session: SessionState) -> bool:  # noqa: ARG002 - no roles
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
