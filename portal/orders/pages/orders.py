"""The pages with the list of orders and the list of invoices (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.frontend.layout import title
from portal.frontend.load_views import invoice_link, loaded
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import delivery_status, invoice_status, payment_status
from portal.i18n import Text, _, day, money, ngettext, setting
from portal.orders.pages.state import InvoiceEntry, Invoices, OrderEntry, Orders, filter_bar
from portal.pictures.pages import picture
from portal.setting_groups import Variant
from portal.vocabulary.actions import Feature


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
        rx.cond(order.returnable, link(_("Return or exchange"), start + f"?order={order.order_number}")),
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


PAGES = [
    PageRoute("orders", orders, title(_("Orders")), on_load=[Orders.load, Orders.watch], first=Orders),
    PageRoute("invoices", invoices, title(_("Invoices")), on_load=[Invoices.load], first=Invoices),
]
