"""The language of the visitor, told to the server so that mails and documents follow."""

import reflex as rx

from portal.contract.account import LocaleChoice
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session_api import SessionApi
from portal.states.policy import customer
from portal.states.session import session_ended, session_token
from portal.texts import known_locale


class Language(rx.State):
    """Holds nothing: the browser keeps the language in a cookie, the provider keeps it with the customer."""

    @rx.event
    @customer
    async def choose(self, language: str) -> None:
        """Keep the chosen language with the customer.

        Args:
            language: `nl` or `en`; anything else counts as the default.
        """
        try:
            await ask(SessionApi).change_locale(session_token(self), LocaleChoice(locale=known_locale(language)))
        except NotAuthenticated:
            await session_ended(self)
        except ProviderError:
            # The page already speaks the chosen language; the next choice tells the provider again.
            return
