"""The base classes of the states of staff pages."""

from typing import Any

import reflex as rx

from portal.contract.changes import Changes
from portal.desk.session import session_ended, session_token
from portal.desk.sources import sources
from portal.frontend.load import Loading
from portal.frontend.policies import staff
from portal.frontend.watch import Watching
from portal.vocabulary.staff import Right


class DeskPage(Loading, mixin=True):
    """A page that loads its data by operations for staff, which check right and store.

    A subclass defines `_question` and `_show`.
    """

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def load(self) -> Any:
        """Load the data of the page, when it is opened and when the person tries again."""
        return (await self._exchange(opening=True))[1]

    def _session_token(self) -> str:
        return session_token(self)

    async def _session_ended(self) -> None:
        await session_ended(self)


class LiveDeskPage(Watching, DeskPage, mixin=True):
    """A page that loads its data again when a case that the person may see has changed. List `watch` in `on_load`."""

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def watch(self) -> None:
        """Load the data again whenever they changed, while the page is open."""
        await self._watch()

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> Changes:
        new = await sources().changes(token, mark, wait_seconds)
        # The first answer does not tell whether something changed since the page has loaded: it loads once more.
        return Changes(mark=new, recent=True)
