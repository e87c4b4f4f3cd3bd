"""The list of orders (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, day, money, ngettext
from portal.pages.layout import title
from portal.pages.parts.bike_art import item_art
from portal.pages.parts.faces import loaded
from portal.pages.parts.rows import chevron, list_waiting, row_list
from portal.pages.parts.texts import delivery_status, payment_status
from portal.pages.registry import Page
from portal.settings import settings
from portal.states.orders import Orders
from portal.states.views.orders import OrderRow
from portal.ui import anchor, badge, button_class, empty_state, illustrations, page_frame, pagination, text_link


def orders() -> rx.Component:
    """Orders, newest first, a page at a time."""
    return page_frame(
        loaded(
            Orders,
            rx.cond(Orders.total > 0, _list(), _empty()),
            failure=_("Your orders could not be loaded."),
            waiting=list_waiting(3, "h-28"),
        ),
        title=_("Orders"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.p(
                ngettext("{n} order, newest first", "{n} orders, newest first", Orders.total), class_name="text-ink-600"
            ),
            text_link(_("All invoices"), "/invoices"),
            class_name="mt-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1",
        ),
        row_list(rx.foreach(Orders.rows, _row)),
        pagination(Orders.page, Orders.pages, to=lambda page: "/orders?page=" + page.to_string()),
    )


def _row(order: rx.vars.ObjectVar[OrderRow]) -> rx.Component:
    more = rx.cond(
        order.more.to(int) > 0,
        rx.el.span(" ", ngettext("and {n} more item", "and {n} more items", order.more), class_name="text-ink-600"),
    )
    return rx.el.li(
        rx.el.div(
            item_art(order.kind),
            class_name="w-16 shrink-0 self-start text-ink md:w-24 md:self-center",
        ),
        rx.el.div(
            rx.el.h2(
                rx.el.a(
                    _("Order {number}", number=order.number),
                    to=f"/orders/{order.number}",
                    class_name="text-ink no-underline after:absolute after:inset-0 tabular-nums",
                ),
                class_name="text-base font-semibold tracking-normal md:text-lg",
            ),
            rx.el.p(order.name, more),
            rx.el.p(day(order.day), class_name="text-ink-600"),
            rx.el.p(money(order.total), class_name="mt-2 font-semibold tabular-nums md:hidden"),
            _badges(order, "mt-3 md:hidden"),
            class_name="min-w-0 grow",
        ),
        _badges(order, "max-md:hidden justify-end"),
        rx.el.p(money(order.total), class_name="w-28 shrink-0 text-right font-semibold tabular-nums max-md:hidden"),
        chevron(),
        class_name="group relative flex items-center gap-4 px-4 py-5 hover:bg-paper md:gap-6 md:px-6",
    )


def _badges(order: rx.vars.ObjectVar[OrderRow], class_name: str) -> rx.Component:
    return rx.el.p(
        rx.cond(order.status != "", badge(delivery_status(order.status), order.tone)),
        rx.cond(order.payment != "", badge(payment_status(order.payment), order.payment_tone)),
        class_name=f"flex flex-wrap gap-2 {class_name}",
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no orders yet"),
        _("Whatever you buy from us appears here."),
        anchor(_("To the shop"), href=settings().brand.shop_url, class_name=button_class()),
        illustrations.parcel(),
    )


PAGES = [Page("orders", orders, title(_("Orders")), on_load=[Orders.load, Orders.watch], first=Orders)]
