"""One order: where it is, what is in it, what it cost (part-1 §2, §3)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, day
from portal.pages.parts.faces import detail_title, loaded, unless_missing
from portal.pages.parts.order_delivery import delivery
from portal.pages.parts.order_lines import lines
from portal.pages.parts.order_money import invoices, money_side
from portal.pages.parts.order_people import people
from portal.pages.parts.order_returning import returning
from portal.pages.parts.request import live_line
from portal.pages.parts.texts import delivery_status, payment_status
from portal.pages.registry import Page
from portal.states.order import OrderDetail
from portal.ui import back_link, badge, page_frame, skeleton

_NUMBER = OrderDetail.subject
_HEADING = rx.cond(_NUMBER == "", _("Order"), _("Order {number}", number=_NUMBER)).to(str)


def order() -> rx.Component:
    """The order that the address names."""
    return unless_missing(
        OrderDetail,
        page_frame(
            loaded(OrderDetail, _content(), failure=_("This order could not be loaded."), waiting=_waiting()),
            title=_HEADING,
            back=back_link(_("Orders"), "/orders"),
        ),
    )


def _content() -> rx.Component:
    shown = OrderDetail.order
    return rx.fragment(
        live_line(OrderDetail, seen=False),
        rx.el.div(
            rx.cond(shown.status != "", badge(delivery_status(shown.status), shown.tone)),
            rx.cond(shown.payment != "paid", badge(payment_status(shown.payment), shown.payment_tone)),
            rx.el.p(_("Ordered on {day}", day=day(shown.ordered_at)), class_name="text-ink-600"),
            class_name="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2",
        ),
        rx.el.div(
            rx.el.div(delivery(), lines(), returning(), class_name="min-w-0 space-y-10"),
            rx.el.div(money_side(), invoices(), class_name="space-y-10 lg:sticky lg:top-24 lg:self-start"),
            class_name="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12",
        ),
        people(),
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
        skeleton("h-7 w-64 rounded-pill"),
        rx.el.div(
            rx.el.div(skeleton("h-52 rounded-card"), skeleton("h-64 rounded-card"), class_name="space-y-10"),
            skeleton("h-80 rounded-card"),
            class_name="mt-8 grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12",
        ),
        class_name="mt-4 appear",
        custom_attrs={"aria-busy": "true"},
    )


PAGES = [
    Page(
        "orders/[order_id]",
        order,
        detail_title(OrderDetail, _HEADING),
        on_load=[OrderDetail.load, OrderDetail.watch],
        first=OrderDetail,
    )
]
