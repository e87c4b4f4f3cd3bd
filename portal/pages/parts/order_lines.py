"""What is in an order."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, money
from portal.pages.parts.bike_art import item_art
from portal.states.order import OrderDetail
from portal.states.views.order import LineView
from portal.ui import LINK


def lines() -> rx.Component:
    """Every line with its picture, colour, size, battery and price."""
    return rx.el.section(
        rx.el.h2(_("Items")),
        rx.el.ul(
            rx.foreach(OrderDetail.order.lines, _line),
            class_name="mt-4 divide-y divide-line rounded-card border border-line bg-white",
        ),
    )


def _line(line: rx.vars.ObjectVar[LineView]) -> rx.Component:
    return rx.el.li(
        rx.el.div(item_art(line.kind), class_name="w-16 shrink-0 text-ink md:w-24"),
        rx.el.div(
            rx.el.div(
                rx.el.h3(line.name, class_name="text-base font-semibold"),
                rx.el.p(money(line.price), class_name="shrink-0 font-semibold tabular-nums"),
                class_name="flex items-baseline justify-between gap-x-6 max-md:flex-col",
            ),
            rx.el.dl(
                _detail(_("Colour"), line.color),
                _detail(_("Frame size"), line.size),
                _detail(_("Battery"), line.battery),
                _detail(_("Item number"), line.sku),
                rx.cond(
                    line.quantity.to(int) > 1,
                    _detail(_("Quantity"), _("{n} × {price}", n=line.quantity, price=money(line.unit_price))),
                ),
                class_name="mt-1 flex flex-wrap gap-x-5 text-ink-600",
            ),
            rx.cond(
                line.bike_id != "",
                rx.el.a(
                    _("View this bike"),
                    rx.el.span(" – ", line.name, class_name="sr-only"),
                    to=f"/bikes/{line.bike_id}",
                    class_name=f"{LINK} inline-flex min-h-11 items-center",
                ),
            ),
            class_name="min-w-0 grow",
        ),
        class_name="flex gap-4 p-4 md:gap-6 md:p-6",
    )


def _detail(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    return rx.cond(
        value != "",
        rx.el.div(rx.el.dt(name, ":", class_name="inline"), " ", rx.el.dd(value, class_name="inline-block")),
    )
