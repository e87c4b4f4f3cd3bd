"""The pages with the orders, the invoices, and one invoice (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.frontend.layout import title
from portal.frontend.load_views import detail_title, invoice_link, is_here, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import delivery_status, invoice_status, payment_status
from portal.i18n import Text, _, day, money, ngettext, setting
from portal.orders.pages.state import (
    InvoiceDetail,
    InvoiceEntry,
    Invoices,
    OrderEntry,
    Orders,
    ShownPayment,
    filter_bar,
)
from portal.pictures.pages import picture
from portal.setting_groups import Variant
from portal.vocabulary.actions import Feature
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.orders import ACCOUNT_HOLDER, PAY_BY_APP, PAY_OVERDUE, PAY_UNTIL, PAYMENT_CODE, PAYMENT_REFERENCE


def orders() -> rx.Component:
    return ui.page_frame(
        loaded(
            Orders,
            rx.cond((Orders.total > 0) | Orders.filtered, _list(), _empty()),
            failure=_("Your orders couldn’t be loaded."),
            loading=ui.list_loading(3, "h-28"),
        ),
        title=_("Orders"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        _filters(Orders, _("Search your orders"), _("Order number or product")),
        _found(
            Orders,
            ngettext("{n} order, newest first", "{n} orders, newest first", Orders.total),
            ui.row_list(rx.foreach(Orders.items, _row), class_name="mt-3"),
        ),
    )


def _filters(state: type[Orders | Invoices], label: Text, hint: Text) -> rx.Component:
    """Search and links; not for a list that is short enough to look through."""
    needed = state.filtered | (state.pages > 1) | (state.years.length() > 0)
    return rx.cond(needed, filter_bar(state, label, hint))


def _found(state: type[Orders | Invoices], count: Text, rows: rx.Component) -> rx.Component:
    """The entries that were found, with their number, or the way back to all."""
    return ui.when(
        state.total > 0,
        ui.muted(count, role="status", top=6),
        rows,
        ui.pagination(state.page, state.pages, to=lambda page: state.pages_url + page.to_string()),
        otherwise=rx.el.div(
            ui.text(_("Nothing found with this search."), role="status"),
            ui.text(ui.text_link(_("Show everything"), state.PATH), top=2),
            class_name="card mt-6",
        ),
    )


def _row(order: rx.vars.ObjectVar[OrderEntry]) -> rx.Component:
    further = (order.names.to(list[str]).length() - 1 + order.more.to(int)).to(int)
    more = rx.cond(
        further > 0,
        rx.el.span(" ", ngettext("and {n} more item", "and {n} more items", further), class_name="text-ink-600"),
    )
    return rx.el.li(
        rx.el.div(
            picture(order.picture, "(min-width: 48rem) 9rem, 5rem", "w-full"),
            class_name="w-20 shrink-0 self-start md:w-36 md:self-center",
        ),
        rx.el.div(
            rx.el.h2(
                rx.el.a(
                    _("Order {number}", number=order.order_number),
                    to=f"/orders/{order.order_number}",
                    class_name="text-ink no-underline after:absolute after:inset-0 tabular-nums",
                ),
                class_name="text-base font-semibold tracking-normal md:text-lg",
            ),
            ui.text(order.names.to(list[str])[0], more),
            ui.muted(day(order.order_date)),
            ui.strong(money(order.total), look="tabular-nums lg:hidden", top=2),
            _badges(order, "mt-3 lg:hidden"),
            _possible(order),
            class_name="min-w-0 grow",
        ),
        _badges(order, "max-lg:hidden justify-end"),
        ui.strong(money(order.total), look="w-28 shrink-0 text-right tabular-nums max-lg:hidden"),
        ui.chevron(),
        class_name="group relative flex items-center gap-4 px-4 py-5 hover:bg-paper md:gap-6 md:px-6",
    )


def _possible(order: rx.vars.ObjectVar[OrderEntry]) -> rx.Component:
    """What can be done with an order, on a wide screen; on a phone its page says it."""
    style = f"{ui.LINK} inline-flex min-h-8 items-center text-sm"

    def link(text: Text, path: Text) -> rx.Component:
        return rx.el.a(text, ui.hidden_text(" ", order.order_number), to=path, class_name=style)

    older = SessionState.variant == Variant.RETOUREN.value
    start = rx.cond(older, OLDER_RETURN, STARTS[Feature.RETURN]).to(str)
    return rx.el.div(
        rx.cond(order.followed, link(_("Track your order"), f"/order-status/{order.order_number}")),
        rx.cond(order.movable, link(_("Change delivery day"), f"/delivery-date/{order.order_number}")),
        rx.cond(
            order.returnable,
            link(
                rx.cond(order.exchangeable, _("Return or exchange"), _("Return something")),
                start + f"?order={order.order_number}",
            ),
        ),
        rx.cond(
            order.invoice_id != "",
            invoice_link(
                order.invoice_id, _("Download invoice"), ui.hidden_text(" ", order.order_number), class_name=style
            ),
        ),
        # Above the link that covers the row.
        class_name="relative z-10 mt-2 flex w-fit flex-wrap gap-x-6 empty:hidden max-md:hidden",
    )


def _badges(order: rx.vars.ObjectVar[OrderEntry], class_name: str) -> rx.Component:
    return rx.el.p(
        ui.badge(delivery_status(order.delivery_status), order.tone, shown=order.delivery_status),
        ui.badge(payment_status(order.payment_status), order.payment_tone, shown=order.tells_payment),
        class_name=f"flex flex-wrap gap-2 {class_name}",
    )


def _empty() -> rx.Component:
    return ui.empty_state(
        _("You have no orders yet"),
        _("Everything you buy from us appears here."),
        ui.anchor(_("Go to the shop"), href=setting("shop_url"), class_name=ui.button_class()),
        ui.illustrations.parcel(),
    )


_WIDE_AMOUNT = " md:w-32 md:text-right"
"""Amounts below each other, as in a table."""


def invoice_line(invoice: rx.vars.ObjectVar[InvoiceEntry], *, compact: bool = False) -> rx.Component:
    """A row for an invoice, with a link to the PDF in the language of the visitor."""
    number = rx.el.h3 if compact else rx.el.h2
    download = invoice_link(
        invoice.invoice_id,
        _("Download PDF"),
        ui.hidden_text(" ", invoice.number),
        class_name="btn-text shrink-0 " + ("w-full" if compact else "max-md:w-full"),
    )
    about = [
        number(
            ui.text_link(invoice.number, f"/invoices/{invoice.invoice_id}"),
            class_name="text-base font-semibold tracking-normal tabular-nums",
        ),
        ui.muted(day(invoice.invoice_date)),
        ui.muted(
            _("{amount} to pay by {day}", amount=money(invoice.due), day=day(invoice.expire_date)), shown=invoice.to_pay
        ),
    ]
    if not compact:
        order = ui.text_link(_("Order {number}", number=invoice.order_number), f"/orders/{invoice.order_number}")
        about.append(ui.text(order))
    return rx.el.li(
        # In a narrow column the text must shrink, so that the amount stays beside it.
        rx.el.div(*about, class_name="min-w-0 flex-1"),
        rx.el.div(
            ui.badge(invoice_status(invoice.status), invoice.tone),
            rx.el.p(money(invoice.total), class_name="font-semibold tabular-nums" + ("" if compact else _WIDE_AMOUNT)),
            class_name="flex flex-col-reverse items-end gap-1 self-start"
            + ("" if compact else " md:flex-row md:items-center md:gap-4 md:self-center"),
        ),
        download,
        class_name="flex flex-wrap items-center gap-x-6 gap-y-1 p-4 md:px-6"
        + ("" if compact else " md:flex-nowrap md:py-5"),
    )


def invoices() -> rx.Component:
    return ui.page_frame(
        loaded(
            Invoices,
            rx.cond((Invoices.total > 0) | Invoices.filtered, _invoice_list(), _invoice_empty()),
            failure=_("Your invoices couldn’t be loaded."),
            loading=ui.list_loading(4, "h-24"),
        ),
        title=_("Invoices"),
    )


def _invoice_list() -> rx.Component:
    return rx.fragment(
        _filters(Invoices, _("Search your invoices"), _("Invoice or order number")),
        _found(
            Invoices,
            ngettext("{n} invoice, newest first", "{n} invoices, newest first", Invoices.total),
            ui.row_list(rx.foreach(Invoices.items, invoice_line), class_name="mt-3"),
        ),
    )


def _invoice_empty() -> rx.Component:
    return ui.empty_state(
        _("You have no invoices yet"),
        _("Your invoices appear here as soon as we have them. Missing one? Contact us."),
        ui.link_button(_("Your orders"), "/orders"),
        ui.illustrations.invoice(),
    )


_INVOICE = InvoiceDetail.invoice
_KNOWN = is_here(InvoiceDetail) & _INVOICE.bool()
_HEADING = rx.cond(_KNOWN, _("Invoice {number}", number=_INVOICE.number), _("Invoice")).to(str)


def invoice() -> rx.Component:
    return unless_missing(
        InvoiceDetail,
        ui.page_frame(
            loaded(InvoiceDetail, _content(), failure=_("This invoice couldn’t be loaded.")),
            title=_HEADING,
            back=ui.back_link(_("Invoices"), "/invoices"),
        ),
    )


def _content() -> rx.Component:
    return rx.fragment(
        ui.text(ui.badge(invoice_status(_INVOICE.status), _INVOICE.tone), top=4),
        ui.stack(
            ui.notice(_(outcome(Departure.DECLARED, Dependent.INVOICE).customer)),
            top=6,
            shown=_INVOICE.due_later.to(float) > 0,
        ),
        rx.cond(_INVOICE.payment, _payment(_INVOICE.payment.to(ShownPayment))),
        ui.card(
            ui.facts(
                ui.Fact(_("Total"), money(_INVOICE.total)),
                ui.Fact(_("Invoice date"), day(_INVOICE.invoice_date)),
                ui.Fact(_("Due date"), day(_INVOICE.expire_date)),
                ui.Fact(_("Order"), ui.text_link(_INVOICE.order_number, f"/orders/{_INVOICE.order_number}")),
                label=_("Invoice"),
            ),
            ui.stack(
                invoice_link(
                    _INVOICE.invoice_id,
                    _("Download PDF"),
                    ui.hidden_text(" ", _INVOICE.number),
                    class_name=ui.button_class("secondary"),
                ),
                top=4,
            ),
            class_name="mt-6",
        ),
    )


def _payment(payment: rx.vars.ObjectVar[ShownPayment]) -> rx.Component:
    amount, due = money(payment.amount), day(_INVOICE.expire_date)
    return rx.el.section(
        ui.subheading(_(PAY_BY_APP)),
        ui.text(rx.cond(_INVOICE.overdue, _(PAY_OVERDUE, date=due), _(PAY_UNTIL, date=due)), top=2),
        rx.el.div(
            rx.el.div(
                ui.facts(
                    _copied(_("Amount"), amount, payment.typed, _("Copy amount")),
                    _copied(_("IBAN"), payment.iban, payment.iban.to(str).replace(" ", ""), _("Copy IBAN")),
                    _copied(_(ACCOUNT_HOLDER), payment.holder, payment.holder, _("Copy name")),
                    _copied(_(PAYMENT_REFERENCE), payment.reference, payment.reference, _("Copy payment reference")),
                    label=_(PAY_BY_APP),
                ),
                class_name="min-w-0 grow",
            ),
            rx.el.img(
                src=payment.image,
                alt=_(PAYMENT_CODE, amount=amount, name=payment.holder, iban=payment.iban, number=payment.reference),
                # The white edge is part of the code.
                class_name="size-50 shrink-0 rounded-control bg-plate p-4",
                custom_attrs={"width": "200", "height": "200"},
            ),
            class_name="mt-4 flex flex-col gap-6 md:flex-row",
        ),
        class_name="card mt-6",
    )


def _copied(name: Text, shown: Text, value: rx.Var[str], copy: Text) -> ui.Fact:
    return ui.Fact(name, shown, action=ui.copy_button(value, copy))


PAGES = [
    PageRoute("orders", orders, title(_("Orders")), on_load=[Orders.load, Orders.watch], first=Orders),
    PageRoute("invoices", invoices, title(_("Invoices")), on_load=[Invoices.load], first=Invoices),
    PageRoute(
        "invoices/[invoice_id]",
        invoice,
        detail_title(InvoiceDetail, _HEADING),
        on_load=[InvoiceDetail.load],
        first=InvoiceDetail,
    ),
]
