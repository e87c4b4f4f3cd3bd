"""States of the lists of orders and of invoices, one page each (part-1 §2 Account area)."""

from dataclasses import dataclass
from typing import ClassVar

import reflex as rx

from portal.contract.models import Page
from portal.contract.registry import ask
from portal.frontend.live import Live
from portal.frontend.load import COUNTS, Paginated, Question, page_asked
from portal.frontend.state import Loadable
from portal.orders.api import InvoiceSummary, OrdersApi, OrderSummary
from portal.pictures.pages.views import PictureView, picture_view
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import delivery_tone
from portal.vocabulary.orders import invoice_tone, payment_tone
from portal.vocabulary.status import Tone


@dataclass(frozen=True, slots=True)
class OrderListItem:
    """One order of the list. `payment` is empty if the order is paid; `more` is the number of items not named."""

    number: str
    day: str
    total: str
    name: str
    more: int
    picture: PictureView
    status: str
    tone: Tone
    payment: str
    payment_tone: Tone


@dataclass(frozen=True, slots=True)
class InvoiceListItem:
    """One invoice of the list. `due` is empty if no amount is due."""

    invoice_id: str
    number: str
    order_number: str
    day: str
    expires: str
    status: str
    tone: Tone
    total: str
    due: str


def order_list_item(order: OrderSummary) -> OrderListItem:
    """Convert an order for the list: the name of the first item and the number of others."""
    settled = order.payment_status == "paid"
    return OrderListItem(
        number=order.order_number,
        day=order.order_date.isoformat(),
        total=str(order.total),
        name=order.names[0] if order.names else "",
        more=max(0, len(order.names) - 1) + order.more,
        picture=picture_view(order.picture),
        status=order.delivery_status.value if order.delivery_status else "",
        tone=delivery_tone(order.delivery_status),
        payment="" if settled else order.payment_status.value,
        payment_tone=payment_tone(order.payment_status),
    )


def invoice_list_item(invoice: InvoiceSummary) -> InvoiceListItem:
    """Convert an invoice for the list."""
    return InvoiceListItem(
        invoice_id=invoice.invoice_id,
        number=invoice.number,
        order_number=invoice.order_number,
        day=invoice.invoice_date.isoformat(),
        expires=invoice.expire_date.isoformat(),
        status=invoice.status.value,
        tone=invoice_tone(invoice.status),
        total=str(invoice.total),
        due=str(invoice.due) if invoice.due > 0 and invoice.status.value != "cancelled" else "",
    )


class Orders(Live, Paginated, rx.State):
    """One page of the list of orders, newest first.

    Attributes:
        items: the orders of this page.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS)
    items: rx.Field[list[OrderListItem]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[OrderSummary]]:
        page = page_asked(self)
        return lambda token: ask(OrdersApi).orders(token, page)

    def _show(self, part: Page[OrderSummary]) -> None:
        self.items = [order_list_item(order) for order in part.items]
        self._count(part)


class Invoices(Loadable, Paginated, rx.State):
    """One page of the list of invoices, newest first.

    Attributes:
        items: the invoices of this page.
    """

    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS)
    items: rx.Field[list[InvoiceListItem]] = rx.field(default_factory=list)

    def _question(self) -> Question[Page[InvoiceSummary]]:
        page = page_asked(self)
        return lambda token: ask(OrdersApi).invoices(token, page)

    def _show(self, part: Page[InvoiceSummary]) -> None:
        self.items = [invoice_list_item(invoice) for invoice in part.items]
        self._count(part)
