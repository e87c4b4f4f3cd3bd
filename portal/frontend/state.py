"""The base class of the states of customers' pages."""

from typing import Any

import reflex as rx

from portal.frontend.load import Loading
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token


class Loadable(Loading, mixin=True):
    """A page that loads its data for the logged-in customer. A subclass defines `_question` and `_show`."""

    @rx.event(background=True)
    @customer
    async def load(self) -> Any:
        """Load the data of the page, when it is opened and when the customer tries again."""
        return (await self._exchange(opening=True))[1]

    def _session_token(self) -> str:
        return session_token(self)

    async def _session_ended(self) -> None:
        await session_ended(self)
