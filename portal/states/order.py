"""One order (part-1 §2, §3)."""

from typing import ClassVar

import reflex as rx

from portal.contract import orders
from portal.contract.orders_api import OrdersApi
from portal.contract.registry import ask
from portal.states.live import Live
from portal.states.page import Question, last_part
from portal.states.views.order import OrderView, order_view
from portal.vocabulary.actions import Topic


class OrderDetail(Live, rx.State):
    """The order that the address names; another customer's order is not found."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    order: rx.Field[OrderView] = rx.field(default_factory=OrderView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[orders.Order]:
        number = self._about()
        return lambda token: ask(OrdersApi).order(token, number)

    def _show(self, order: orders.Order) -> None:
        self.order = order_view(order)
