"""The page of the link that sets a password: what the link is good for. The password itself never comes here."""

import reflex as rx

from portal.contract.errors import NotFound, ProviderError
from portal.contract.login_api import LoginApi
from portal.contract.passwords import PasswordLink
from portal.contract.registry import ask
from portal.states.credential import fingerprint
from portal.states.page import FAILED, LOADING, MISSING, last_part
from portal.states.policy import public

_LONGEST = 1000


class PasswordLinkPage(rx.State):
    """What the page shows. The end of the link is read from the address, and kept nowhere.

    Attributes:
        face: a value of `LinkState`, or `LOADING`, `FAILED`, `MISSING`.
        email: of the account, masked.
    """

    face: rx.Field[str] = rx.field(LOADING)
    email: rx.Field[str] = rx.field("")
    _mark: str = ""

    @rx.event
    @public
    async def load(self) -> None:
        """Look what the link is good for; this changes nothing. What is shown stays meanwhile, with what was typed."""
        if self._mark != (mark := fingerprint(self.router.url.path)):
            self.reset()
            self._mark = mark
        try:
            found = await ask(LoginApi).password_link(PasswordLink(hash=last_part(self)[:_LONGEST]))
        except NotFound:
            self.face = MISSING
        except ProviderError:
            if self.face == LOADING:
                self.face = FAILED
        else:
            self.face, self.email = found.state.value, found.email
