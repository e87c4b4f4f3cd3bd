"""States of the lists of orders and of invoices, and of one invoice, a page each (part-1 §2 Account area)."""

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import quote

import reflex as rx
from pydantic import computed_field

from portal.contract.registry import ask
from portal.frontend.live import Live, Loadable
from portal.frontend.load import COUNTS, Paginated, Question, last_part, page_asked
from portal.frontend.models import viewed
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
from portal.orders.pages.filters import FILTERS, Filtered
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import FINISHED_DELIVERY, delivery_tone
from portal.vocabulary.orders import InvoiceStatus, invoice_tone, payment_tone
from portal.vocabulary.status import Tone


class OrderEntry(OrderSummary):
    """An order of the list."""

    @computed_field
    @property
    def tone(self) -> Tone:
        return delivery_tone(self.delivery_status)

    @computed_field
    @property
    def payment_tone(self) -> Tone:
        return payment_tone(self.payment_status)

    @computed_field
    @property
    def followed(self) -> bool:
        """Whether there is a delivery to follow."""
        return self.delivery_status is not None and self.delivery_status not in FINISHED_DELIVERY


class InvoiceEntry(InvoiceSummary):
    """An invoice of the list."""

    @computed_field
    @property
    def tone(self) -> Tone:
        return invoice_tone(self.status)

    @computed_field
    @property
    def to_pay(self) -> bool:
        return self.due > 0 and self.status is not InvoiceStatus.CANCELLED


class ShownPayment(Payment):
    @computed_field
    @property
    def typed(self) -> str:
        """The amount as it is typed in a banking app."""
        return f"{self.amount:.2f}".replace(".", ",")

    @computed_field
    @property
    def image(self) -> str:
        """The address of the payment code."""
        return f"data:image/svg+xml,{quote(self.code)}"


class ShownInvoice(Invoice):
    payment: ShownPayment | None = None

    @computed_field
    @property
    def tone(self) -> Tone:
        return invoice_tone(self.status)

    @computed_field
    @property
    def overdue(self) -> bool:
        """Whether it was to be paid before today."""
        return self.expire_date < today()


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

    PATH: ClassVar[str] = "/orders"
    SELECTIONS: ClassVar[Mapping[str, Text]] = ORDER_SELECTIONS
    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS, *FILTERS)
    items: rx.Field[list[OrderEntry]] = rx.field(default_factory=list)

    def _question(self) -> Question[OrderPage]:
        page, asked = page_asked(self), self._filters()
        return lambda token: ask(OrdersApi).orders(token, page, asked.text, asked.year, OrderSelection(asked.selection))

    def _show(self, part: OrderPage) -> None:
        self.items = [viewed(OrderEntry, order) for order in part.items]
        self._count(part)
        self._show_filters(part.years)


class Invoices(Filtered, Loadable, Paginated, rx.State):
    """One page of the list of invoices, newest first."""

    PATH: ClassVar[str] = "/invoices"
    SELECTIONS: ClassVar[Mapping[str, Text]] = INVOICE_SELECTIONS
    _browser_keeps: ClassVar[tuple[str, ...]] = ("items", *COUNTS, *FILTERS)
    items: rx.Field[list[InvoiceEntry]] = rx.field(default_factory=list)

    def _question(self) -> Question[InvoicePage]:
        page, asked = page_asked(self), self._filters()
        return lambda token: ask(OrdersApi).invoices(
            token, page, asked.text, asked.year, InvoiceSelection(asked.selection)
        )

    def _show(self, part: InvoicePage) -> None:
        self.items = [viewed(InvoiceEntry, invoice) for invoice in part.items]
        self._count(part)
        self._show_filters(part.years)


class InvoiceDetail(Loadable, rx.State):
    """State of the page of an invoice; another customer's invoice is not found."""

    _browser_keeps: ClassVar[tuple[str, ...]] = ("invoice",)
    invoice: rx.Field[ShownInvoice | None] = rx.field(None)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Invoice]:
        invoice_id = self._about()
        return lambda token: ask(OrdersApi).invoice(token, invoice_id)

    def _show(self, invoice: Invoice) -> None:
        self.invoice = viewed(ShownInvoice, invoice)
