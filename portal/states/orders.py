"""The list of orders, a page at a time (part-1 §2 Account area)."""

from typing import ClassVar

import reflex as rx

from portal.contract.base import Page
from portal.contract.orders import OrderSummary
from portal.contract.orders_api import OrdersApi
from portal.contract.registry import ask
from portal.states.live import Live
from portal.states.page import COUNTS, Paginated, Question, page_asked
from portal.states.views.orders import OrderRow, order_row
from portal.vocabulary.actions import Topic


class Orders(Live, Paginated, rx.State):
    """One page of the list, newest first.

    Attributes:
        rows: the orders of this page.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    _kept: ClassVar[tuple[str, ...]] = ("rows", *COUNTS)
    rows: rx.Field[list[OrderRow]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[OrderSummary]]:
        page = page_asked(self)
        return lambda token: ask(OrdersApi).orders(token, page)

    def _show(self, part: Page[OrderSummary]) -> None:
        self.rows = [order_row(order) for order in part.items]
        self._count(part)
