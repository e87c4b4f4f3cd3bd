"""Where an order is, part by part (part-2 §2 Order status)."""

from typing import ClassVar

import reflex as rx

from portal.contract.deliveries_api import DeliveriesApi
from portal.contract.delivery import OrderStatus
from portal.contract.registry import ask
from portal.states.live import Live
from portal.states.page import Question, last_part
from portal.states.views.deliveries import OrderStatusView, order_status_view
from portal.vocabulary.actions import Topic


class OrderStatusPage(Live, rx.State):
    """The order that the address names; another customer's order is not found.

    Attributes:
        order: everything that is known of its way.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    order: rx.Field[OrderStatusView] = rx.field(default_factory=OrderStatusView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[OrderStatus]:
        number = self._about()
        return lambda token: ask(DeliveriesApi).order_status(token, number)

    def _show(self, order: OrderStatus) -> None:
        self.order = order_status_view(order)
