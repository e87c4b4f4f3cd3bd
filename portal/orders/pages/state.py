"""States of the lists of orders and of invoices, and of one invoice, a page each (part-1 §2 Account area)."""

from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import quote

import reflex as rx
from reflex.event import EventSpec

from portal.contract.registry import ask
from portal.frontend.live import Live, Loadable
from portal.frontend.load import COUNTS, Paginated, Question, last_part, page_asked
from portal.frontend.policies import customer
from portal.i18n import Text, _
from portal.kernel.days import today
from portal.orders.api import (
    Invoice,
    InvoicePage,
    InvoiceSelection,
    InvoiceSummary,
    OrderPage,
    OrdersApi,
    OrderSelection,
    OrderSummary,
    Payment,
)
from portal.orders.pages.filters import FILTERS, Filtered, filters_of
from portal.pictures.pages.views import PictureView, picture_view
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import FINISHED_DELIVERY, delivery_tone
from portal.vocabulary.orders import invoice_tone, payment_tone
from portal.vocabulary.status import Tone


@dataclass(frozen=True, slots=True)
class OrderListItem:
    """One order of the list.

    `payment` is empty if the order is paid; `more` is the number of items not named; `invoice` is the id of the newest
    invoice, empty without one. `followed`, `movable` and `returnable` say what can be done with the order.
    """

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
    followed: bool
    movable: bool
    returnable: bool
    invoice: str


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
        followed=order.delivery_status is not None and order.delivery_status not in FINISHED_DELIVERY,
        movable=order.movable,
        returnable=order.returnable,
        invoice=order.invoice_id,
    )


def invoice_list_item(invoice: InvoiceSummary) -> InvoiceListItem:
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


@dataclass(frozen=True, slots=True)
class PaymentView:
    """How an amount is transferred.

    Attributes:
        account: the IBAN without spaces.
    """

    amount: str
    typed: str
    holder: str
    iban: str
    account: str
    reference: str
    code: str


@dataclass(frozen=True, slots=True)
class InvoiceView:
    """One invoice. `overdue` is true if it was to be paid before today; `payments` is empty if nothing is due now.

    `later` is true if open returns will settle some of it.
    """

    invoice_id: str = ""
    number: str = ""
    order_number: str = ""
    day: str = ""
    expires: str = ""
    status: str = ""
    tone: Tone = "neutral"
    total: str = "0"
    overdue: bool = False
    later: bool = False
    payments: list[PaymentView] = field(default_factory=list)


def invoice_view(invoice: Invoice) -> InvoiceView:
    return InvoiceView(
        invoice_id=invoice.invoice_id,
        number=invoice.number,
        order_number=invoice.order_number,
        day=invoice.invoice_date.isoformat(),
        expires=invoice.expire_date.isoformat(),
        status=invoice.status.value,
        tone=invoice_tone(invoice.status),
        total=str(invoice.total),
        overdue=invoice.expire_date < today(),
        later=invoice.due_later > 0,
        payments=[_payment_view(invoice.payment)] if invoice.payment else [],
    )


def _payment_view(payment: Payment) -> PaymentView:
    return PaymentView(
        amount=str(payment.amount),
        typed=f"{payment.amount:.2f}".replace(".", ","),
        holder=payment.holder,
        iban=payment.iban,
        account=payment.iban.replace(" ", ""),
        reference=payment.reference,
        code=f"data:image/svg+xml,{quote(payment.code)}",
    )


ORDERS, INVOICES = "/orders", "/invoices"

ORDER_SELECTIONS: dict[str, Text] = {
    OrderSelection.ALL.value: _("Everything"),
    OrderSelection.BIKES.value: _("Bikes"),
    OrderSelection.ACCESSORIES.value: _("Accessories"),
}
INVOICE_SELECTIONS: dict[str, Text] = {
    InvoiceSelection.ALL.value: _("All invoices"),
    InvoiceSelection.OPEN.value: _("Still to pay"),
}


class Orders(Filtered, Live, Paginated, rx.State):
    """One page of the list of orders, newest first."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS, *FILTERS)
    items: rx.Field[list[OrderListItem]] = rx.field(default_factory=list)

    @rx.event
    @customer
    def search(self, form: dict[str, Any]) -> EventSpec:
        """Open the list of what a search finds."""
        return self._search(form, ORDERS, filters_of(self, ORDER_SELECTIONS))

    def _question(self) -> Question[OrderPage]:
        page, asked = page_asked(self), filters_of(self, ORDER_SELECTIONS)
        return lambda token: ask(OrdersApi).orders(token, page, asked.text, asked.year, OrderSelection(asked.selection))

    def _show(self, part: OrderPage) -> None:
        self.items = [order_list_item(order) for order in part.items]
        self._count(part)
        self._show_filters(ORDERS, filters_of(self, ORDER_SELECTIONS), part.years, ORDER_SELECTIONS)


class Invoices(Filtered, Loadable, Paginated, rx.State):
    """One page of the list of invoices, newest first."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS, *FILTERS)
    items: rx.Field[list[InvoiceListItem]] = rx.field(default_factory=list)

    @rx.event
    @customer
    def search(self, form: dict[str, Any]) -> EventSpec:
        """Open the list of what a search finds."""
        return self._search(form, INVOICES, filters_of(self, INVOICE_SELECTIONS))

    def _question(self) -> Question[InvoicePage]:
        page, asked = page_asked(self), filters_of(self, INVOICE_SELECTIONS)
        return lambda token: ask(OrdersApi).invoices(
            token, page, asked.text, asked.year, InvoiceSelection(asked.selection)
        )

    def _show(self, part: InvoicePage) -> None:
        self.items = [invoice_list_item(invoice) for invoice in part.items]
        self._count(part)
        self._show_filters(INVOICES, filters_of(self, INVOICE_SELECTIONS), part.years, INVOICE_SELECTIONS)


class InvoiceDetail(Loadable, rx.State):
    """State of the page of an invoice; another customer's invoice is not found."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("invoice",)
    invoice: rx.Field[InvoiceView] = rx.field(default_factory=InvoiceView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Invoice]:
        invoice_id = self._about()
        return lambda token: ask(OrdersApi).invoice(token, invoice_id)

    def _show(self, invoice: Invoice) -> None:
        self.invoice = invoice_view(invoice)
