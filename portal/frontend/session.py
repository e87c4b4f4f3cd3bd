"""Who is behind this page: the session as a page sees it (part-1 §3 Session state).

The token lives in an HttpOnly cookie and never in a var. `Session._owner` binds everything kept for this tab to the
session that it was loaded for; the guard sees to that before any handler runs.
"""

from dataclasses import dataclass

import reflex as rx

from portal.contract.account import UserData
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session_api import SessionApi
from portal.domain.codes import Code
from portal.reflex_adapter.state import headers_of
from portal.settings import settings
from portal.states.credential import session_token as _read_token
from portal.states.policy import customer


@dataclass(frozen=True)
class Profile:
    """The part of `userData` that shell and forms use (part-1 §3): the customer, their address, the login order."""

    first_name: str = ""
    prefix: str = ""
    last_name: str = ""
    email: str = ""
    phone: str = ""
    post_code: str = ""
    house_number: str = ""
    house_number_addon: str = ""
    street: str = ""
    city: str = ""
    country_code: str = ""
    order_number: str = ""
    invoiced_at: str = ""


class Session(rx.State):
    """Set by the guard, read by every page.

    Attributes:
        authenticated: Whether the page belongs to a customer who is logged in.
        signed_out: The session ended while the page was open; the browser loads the page anew and gets the login.
        unavailable: The provider could not say whether the session is alive; nothing is shown and nothing is lost.
        variant: `mijn` or `retouren`, from the host name.
        passwords: Whether passwords are offered beside login codes.
        idle_until: When the session ends without further use (ISO 8601, UTC); a minute exact.
        expires_at: When it ends in any case (ISO 8601, UTC).
        user_data_loaded: Whether `profile` holds the customer's data.
        user_data_failed: Whether loading it failed the last time.
        profile: The customer's data; empty until loaded.
    """

    authenticated: bool = False
    signed_out: bool = False
    unavailable: bool = False
    variant: str = "mijn"
    passwords: bool = False
    idle_until: str = ""
    expires_at: str = ""
    user_data_loaded: bool = False
    user_data_failed: bool = False
    profile: Profile = Profile()
    _owner: str = ""

    @rx.event
    @customer
    async def load(self) -> None:
        """Fetch the customer's data once after login; later calls reuse it (part-1 §4)."""
        if not self.user_data_loaded:
            await self._fetch()

    @rx.event
    @customer
    async def reload(self) -> None:
        """Fetch the customer's data again."""
        await self._fetch()

    @rx.event
    @customer
    async def stay(self) -> None:
        """Stay logged in: calling the handler counts as use of the session, the guard has done it already."""

    async def _fetch(self) -> None:
        try:
            self._remember(await ask(SessionApi).customer_info(session_token(self)))
        except NotAuthenticated:
            self.signed_out = True
        except ProviderError:
            self.user_data_failed = True

    def _remember(self, data: UserData) -> None:
        """Keep what pages use of the customer's data, after it was loaded or changed."""
        person, address = data.customer, data.customer.address
        self.profile = Profile(
            first_name=person.first_name,
            prefix=person.prefix,
            last_name=person.last_name,
            email=person.email,
            phone=address.phone,
            post_code=address.post_code,
            house_number=address.house_number,
            house_number_addon=address.house_number_addon,
            street=address.street,
            city=address.city,
            country_code=address.country_code.value,
            order_number=data.order.order_number if data.order else "",
            invoiced_at=data.order.invoiced_at.isoformat() if data.order and data.order.invoiced_at else "",
        )
        self.user_data_loaded, self.user_data_failed = True, False


def session_token(state: rx.State) -> str:
    """The session token of the browser that this state belongs to, for calls of the provider.

    Raises:
        NotAuthenticated: There is none.
    """
    if token := _read_token(headers_of(state).cookie, secure=settings().secure):
        return token
    raise NotAuthenticated(Code.SESSION_ENDED)


async def session_ended(state: rx.State) -> None:
    """Tell the page that its session has ended, when an operation raised `NotAuthenticated`."""
    (await state.get_state(Session)).signed_out = True
