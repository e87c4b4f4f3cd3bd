"""States of the lists of orders and of invoices with their filters, and of one invoice (part-1 §2 Account area)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import reflex as rx
from reflex.event import EventSpec

from portal import ui
from portal.contract.operations import MAX_SEARCH
from portal.contract.registry import ask
from portal.frontend.live import Live, Loadable
from portal.frontend.load import COUNTS, Form, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer
from portal.i18n import Text, _, choice
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
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import FINISHED_DELIVERY, delivery_tone
from portal.vocabulary.orders import InvoiceStatus, ItemKind, invoice_tone, payment_tone, tells_payment
from portal.vocabulary.status import Tone

TEXT, YEAR, SELECTION = "text", "year", "show"
"""Names in the address."""

ALL = "all"

FILTERS = ("text", "years", "selections", "filtered", "pages_url")
"""Variables of a `Filtered` list that the browser keeps with it."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What of a list is shown: a part of the text of its entries, a year (0 for all), and a value of its selection."""

    text: str = ""
    year: int = 0
    selection: str = ALL

    def url(self, path: str) -> str:
        values = {TEXT: self.text, YEAR: self.year or "", SELECTION: "" if self.selection == ALL else self.selection}
        query = urlencode({name: value for name, value in values.items() if value})
        return f"{path}?{query}" if query else path


@dataclass(frozen=True, slots=True)
class FilterLink:
    """A link that sets one filter and keeps the others. `value` is empty for 'all'."""

    value: str = ""
    href: str = ""
    current: bool = False


class Filtered(rx.State, mixin=True):
    """A list with filters. `years`, `selections`: links that choose a year or a kind, the first of each for all."""

    PATH: ClassVar[str] = ""
    SELECTIONS: ClassVar[Mapping[str, Text]] = {}
    text: rx.Field[str] = rx.field("")
    years: rx.Field[list[FilterLink]] = rx.field(default_factory=list)
    selections: rx.Field[list[FilterLink]] = rx.field(default_factory=list)
    filtered: rx.Field[bool] = rx.field(False)
    pages_url: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    def search(self, form: Form) -> EventSpec:
        self.answered += 1
        text = text_in(form, TEXT).strip()[:MAX_SEARCH]
        return rx.redirect(replace(self._filters(), text=text).url(self.PATH))

    def _filters(self) -> Filters:
        """The filters in the address of the page; what is not known there is left out."""
        query = self.router.url.query_parameters
        year, selection = str(query.get(YEAR, "")), str(query.get(SELECTION, ""))
        return Filters(
            text=str(query.get(TEXT, "")).strip()[:MAX_SEARCH],
            year=int(year) if year.isascii() and year.isdigit() and len(year) == len("2026") else 0,
            selection=selection if selection in self.SELECTIONS else ALL,
        )

    def _show_filters(self, years: list[int]) -> None:
        filters = self._filters()
        self.text, self.filtered = filters.text, filters != Filters()
        # A list of one year needs no choice of years.
        self.years = [
            FilterLink(str(year or ""), replace(filters, year=year).url(self.PATH), year == filters.year)
            for year in ([0, *years] if len(years) > 1 or filters.year else [])
        ]
        self.selections = [
            FilterLink(name, replace(filters, selection=name).url(self.PATH), name == filters.selection)
            for name in self.SELECTIONS
        ]
        url = filters.url(self.PATH)
        self.pages_url = f"{url}{'&' if '?' in url else '?'}page="


def filter_bar(state: type[Filtered], label: Text, hint: Text) -> rx.Component:
    """The search field and the links of a list; on small screens folded, until one of them is used."""
    return rx.el.details(
        rx.el.summary(_("Search and filter"), class_name=ui.button_class("secondary")),
        rx.el.div(
            ui.event_form(
                rx.el.div(
                    ui.text_field(TEXT, label, hint=hint, value=state.text, max_length=MAX_SEARCH),
                    # A new field for another search: an initial value does not change a field that is there.
                    key=state.text,
                    class_name="min-w-0 grow",
                ),
                ui.search_button(),
                on_send=state.search,
                answered=state.answered,
                class_name="flex max-w-form flex-wrap items-end gap-3",
                custom_attrs={"role": "search", "aria-label": label},
            ),
            _links(state.years, _("Year"), lambda link: rx.cond(link.value == "", _("All years"), link.value).to(str)),
            _links(state.selections, _("Kind"), lambda link: choice(link.value, state.SELECTIONS)),
            class_name="space-y-4 pt-4",
        ),
        open=state.filtered,
        class_name="filters mt-6",
    )


def _links(links: rx.vars.ArrayVar[Sequence[FilterLink]], label: Text, text: Any) -> rx.Component:
    return rx.cond(
        links.length() > 0,
        rx.el.nav(
            rx.foreach(
                links,
                lambda link: rx.el.a(
                    text(link),
                    to=link.href,
                    class_name="filter",
                    custom_attrs={"aria-current": rx.cond(link.current, "true", "false")},
                ),
            ),
            class_name="flex flex-wrap gap-2",
            aria_label=label,
        ),
    )


class OrderEntry(OrderSummary):
    @computed
    def tone(self) -> Tone:
        return delivery_tone(self.delivery_status)

    @computed
    def payment_tone(self) -> Tone:
        return payment_tone(self.payment_status)

    @computed
    def tells_payment(self) -> bool:
        return tells_payment(self.payment_status, self.delivery_status)

    @computed
    def followed(self) -> bool:
        return self.delivery_status is not None and self.delivery_status not in FINISHED_DELIVERY

    @computed
    def exchangeable(self) -> bool:
        """Whether it may hold a bike or a part of one; accessories are not exchanged."""
        return self.more > 0 or any(kind is not ItemKind.ACCESSORY for kind in self.kinds)


class InvoiceEntry(InvoiceSummary):
    @computed
    def tone(self) -> Tone:
        return invoice_tone(self.status)

    @computed
    def to_pay(self) -> bool:
        return self.due > 0 and self.status is not InvoiceStatus.CANCELLED


class ShownPayment(Payment):
    @computed
    def typed(self) -> str:
        """The amount as it is typed in a banking app."""
        return f"{self.amount:.2f}".replace(".", ",")

    @computed
    def image(self) -> str:
        return f"data:image/svg+xml,{quote(self.code)}"


class ShownInvoice(Invoice):
    payment: ShownPayment | None = None

    @computed
    def tone(self) -> Tone:
        return invoice_tone(self.status)

    @computed
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
