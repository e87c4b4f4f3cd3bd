"""The numbers behind the links of the navigation, which change while a page is open."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

import reflex as rx

from portal.contract.common_api import LONGEST_WAIT, NEVER_ASKED
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.desk.session import session_ended, session_token
from portal.desk.sources import sources
from portal.frontend.policies import staff
from portal.frontend.watch import rest
from portal.vocabulary.staff import Right


@dataclass(frozen=True)
class SavedView:
    """A link that the person saved, and the number of cases in it."""

    name: str
    path: str
    number: int
    view_id: str = ""


UNREAD = "unread"
"""Name of the number of unread cases, which stands in the title of every page as well."""


class DeskCounts(rx.State):
    """How many cases stand behind each link."""

    numbers: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    saved: rx.Field[list[SavedView]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def watch(self) -> None:
        """Show the numbers, and again whenever one changed, while the page is open."""
        mark, pause = NEVER_ASKED, 1.0
        while token := await self._token():
            started = time.monotonic()
            try:
                new = await sources().changes(token, mark, 0 if mark == NEVER_ASKED else LONGEST_WAIT)
                if new != mark:
                    await self._count(token)
            except NotAuthenticated:
                async with self:
                    await session_ended(self)
                return
            except ProviderError:
                pause = await rest(pause)
                continue
            if new == mark and time.monotonic() - started < 1:
                await asyncio.sleep(1)  # Limits the requests to a provider that does not wait for changes.
            mark, pause = new, 1.0

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def count(self) -> None:
        """Show the numbers after something that is no change of a case, such as reading it."""
        if token := await self._token():
            with suppress(ProviderError):  # `watch` shows them with the next change.
                await self._count(token)

    async def _count(self, token: str) -> None:
        found = await sources().counts(token)
        async with self:
            self.numbers = dict(found.numbers)
            self.saved = [SavedView(link.name, link.path, link.number, link.view_id) for link in found.saved]

    async def _token(self) -> str:
        async with self:
            try:
                return session_token(self)
            except NotAuthenticated:
                await session_ended(self)
                return ""
