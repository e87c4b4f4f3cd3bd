"""The list of orders, a page at a time (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.orders import OrderSummary
from portal.contract.orders_api import OrdersApi
from portal.contract.registry import ask
from portal.states.live import Live
from portal.states.page import COUNTS, Listed, Question, page_asked
from portal.states.policy import customer
from portal.states.views.orders import OrderRow, order_row
from portal.vocabulary.actions import Topic


class Orders(Live, Listed, rx.State):
    """One page of the list, newest first.

    Attributes:
        rows: the orders of this page.
    """

    _kept: ClassVar[tuple[str, ...]] = ("rows", *COUNTS)
    rows: rx.Field[list[OrderRow]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def load(self) -> None:
        """Ask for the page that the address names."""
        await self._open(self._question(), self._show)

    @rx.event(background=True)
    @customer
    async def watch(self) -> None:
        """Show them again when something happens to a delivery."""
        await self._follow(Topic.DELIVERIES)

    def _question(self) -> Question[Page[OrderSummary]]:
        page = page_asked(self)
        return lambda token: ask(OrdersApi).orders(token, page)

    def _show(self, part: Page[OrderSummary]) -> None:
        self.rows = [order_row(order) for order in part.items]
        self._count(part)
