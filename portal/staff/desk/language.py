"""The events about the language. A cookie and the provider store it, so this state has no variables."""

from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import LocaleChoice
from portal.desk.session import session_ended, session_token
from portal.frontend.policies import staff
from portal.kernel.texts import known_locale
from portal.reflex_adapter.events import LOAD_AGAIN
from portal.staff.api import StaffApi
from portal.vocabulary.staff import Right


class StaffLanguage(rx.State):
    """Stores the language of a member of staff."""

    @rx.event
    @staff(Right.OWN_ACCOUNT)
    async def choose(self, language: str) -> Any:
        """Store the language of the person, and load the page again: its data name articles in that language."""
        try:
            choice = LocaleChoice(locale=known_locale(language))
            await ask(StaffApi).change_staff_locale(session_token(self), choice)
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            # The page already shows the language; the next choice is stored again.
            return None
        else:
            return LOAD_AGAIN
        return None
