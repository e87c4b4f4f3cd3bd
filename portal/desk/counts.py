"""The numbers behind the links of the navigation, which change while a page is open."""

import asyncio
import time

import reflex as rx

from portal.contract.changes import LONGEST_WAIT, NEVER_ASKED
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.desk.session import session_ended, session_token
from portal.desk.sources import counts_question
from portal.frontend.policies import staff
from portal.frontend.watch import rest
from portal.vocabulary.staff import Right


class DeskCounts(rx.State):
    """How many cases stand behind each link.

    Attributes:
        numbers: number by the name of the link.
    """

    numbers: rx.Field[dict[str, int]] = rx.field(default_factory=dict)

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def watch(self) -> None:
        """Show the numbers, and again whenever one changed, while the page is open."""
        question = counts_question()
        mark, pause = NEVER_ASKED, 1.0
        while question is not None:
            started = time.monotonic()
            async with self:
                try:
                    token = session_token(self)
                except NotAuthenticated:
                    await session_ended(self)
                    return
            try:
                found = await question(token, mark, 0 if mark == NEVER_ASKED else LONGEST_WAIT)
            except NotAuthenticated:
                async with self:
                    await session_ended(self)
                return
            except ProviderError:
                pause = await rest(pause)
                continue
            if found.mark == mark and time.monotonic() - started < 1:
                await asyncio.sleep(1)  # Limits the requests to a provider that does not wait for changes.
            if found.mark != mark:
                async with self:
                    self.numbers = dict(found.numbers)
            mark, pause = found.mark, 1.0
