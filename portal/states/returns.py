"""Returns, exchanges and withdrawals: the list (part-2 §2)."""

from typing import Any, ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.registry import ask
from portal.contract.returns import ReturnSummary
from portal.contract.returns_api import ReturnsApi
from portal.states.page import COUNTS, Paginated, Question, page_asked
from portal.states.policy import customer
from portal.states.return_actions import ReturnActions
from portal.states.views.customer import text_in
from portal.states.views.return_rows import ReturnRow, return_row
from portal.vocabulary.actions import Topic


class Returns(ReturnActions, Paginated, rx.State):
    """One page of the list, newest first.

    Attributes:
        going_on: returns of this page that are going on, or wait for the customer.
        earlier: returns of this page that are over.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS,)
    _kept: ClassVar[tuple[str, ...]] = ("going_on", "earlier", *COUNTS)
    going_on: rx.Field[list[ReturnRow]] = rx.field(default_factory=list)
    earlier: rx.Field[list[ReturnRow]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def resend(self, form: dict[str, Any]) -> None:
        """Have the link to a return mailed again."""
        await self._resend(text_in(form, "return"))

    def _question(self) -> Question[Page[ReturnSummary]]:
        page = page_asked(self)
        return lambda token: ask(ReturnsApi).returns(token, page)

    def _show(self, part: Page[ReturnSummary]) -> None:
        rows = [return_row(entry) for entry in part.items]
        self.going_on = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)
