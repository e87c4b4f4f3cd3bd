"""Which products of which order come back (part-2 §2 Older order-return flow)."""

from __future__ import annotations

import reflex as rx

from portal.flows.order_return import ORDER
from portal.flows.returned import ITEMS
from portal.i18n import _, day
from portal.pages.flow.fields import answer, group
from portal.pages.flow.screens import StepFields
from portal.pages.returning.items import countable
from portal.pages.returning.refused import refused_item, refused_orders
from portal.states.returning import Returning
from portal.states.views.returning import ItemView, OrderView


def orders_body(fields: StepFields) -> rx.Component:
    """The orders; the chosen one opens its products.

    Args:
        fields: those that ask for the order and the products.
    """
    cards = rx.foreach(Returning.orders, _order)
    orders = group(fields[ORDER], cards, legend=None, columns="")
    # What is wrong with the products is told once, above all orders.
    return rx.fragment(group(fields[ITEMS], orders, legend=None, columns=""), refused_orders())


def _order(order: rx.vars.ObjectVar[OrderView]) -> rx.Component:
    products = rx.foreach(
        order.products.to(list[ItemView]),
        lambda item: rx.cond(item.refusal == "", countable(ITEMS, item, in_order=True), refused_item(item)),
    )
    return rx.el.div(
        rx.el.label(
            rx.el.input(
                type="radio",
                name=ORDER,
                value=order.id,
                default_checked=answer(ORDER) == order.id,
                class_name="size-6 shrink-0 accent-ink",
            ),
            rx.el.span(
                rx.el.span(_("Order {number}", number=order.id), class_name="block font-semibold tabular-nums"),
                rx.el.span(_("Ordered on {day}", day=day(order.day)), class_name="block text-ink-600 tabular-nums"),
            ),
            class_name="choice",
        ),
        # Only the products of the chosen order are sent.
        rx.el.fieldset(
            rx.el.legend(_("Products"), class_name="mb-1 font-semibold"),
            rx.el.div(products, class_name="mt-3 grid gap-3"),
            class_name="reveal reveal-cards",
            custom_attrs={"data-only": ""},
        ),
        class_name="reveals",
        key=order.id,
    )
