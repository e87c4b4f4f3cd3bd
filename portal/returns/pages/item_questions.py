"""What cannot come back: it stays visible, with the reason and what to do instead (part-2 §8)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.flows.returned import REFUSALS
from portal.i18n import Text, _, choice, day
from portal.states.returning import Returning
from portal.states.views.returning import ItemView, OrderView
from portal.ui import LINK

_ACTIONS = {
    "returns": _("View your returns"),
    "return": _("View this return"),
    "order": _("Follow your order"),
    "repair": _("Is it broken? Request a repair"),
    "contact": _("Contact us"),
}
_REASONS = {code.value: MESSAGES[code] for code in (*REFUSALS, Code.NOTHING_FOUND, Code.RETURN_REQUEST_ALREADY_EXISTS)}


@rx.memo
def refused_items() -> rx.Component:
    """Items that cannot be chosen, below those that can."""
    return rx.cond(
        Returning.refused.length() > 0,
        rx.el.section(
            rx.el.h2(
                rx.cond(Returning.exchange, _("What you cannot exchange now"), _("What you cannot return now")),
                class_name="text-h3",
            ),
            rx.el.ul(
                rx.foreach(Returning.refused, lambda item: rx.el.li(refused_item(item))), class_name="mt-3 space-y-3"
            ),
        ),
    )


@rx.memo
def refused_orders() -> rx.Component:
    """Orders of which nothing can be chosen, likewise."""
    return rx.cond(
        Returning.refused_orders.length() > 0,
        rx.el.section(
            rx.el.h2(_("What you cannot return now"), class_name="text-h3"),
            rx.el.ul(
                rx.foreach(Returning.refused_orders, lambda order: rx.el.li(_refused_order(order))),
                class_name="mt-3 space-y-3",
            ),
        ),
    )


def refused_item(item: rx.vars.ObjectVar[ItemView]) -> rx.Component:
    """One item with its reason."""
    return _box(item.name, _("Order {number} of {day}", number=item.order, day=day(item.day)), item)


def _refused_order(order: rx.vars.ObjectVar[OrderView]) -> rx.Component:
    sent = rx.cond(order.email != "", rx.el.p(_("We have sent the link to confirm it to {email}.", email=order.email)))
    return _box(_("Order {number}", number=order.id), _("Ordered on {day}", day=day(order.day)), order, sent)


def _box(name: Text, ordered: Text, refused: Any, *more: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(name, class_name="font-semibold"),
        rx.el.p(ordered, class_name="text-sm text-ink-600 tabular-nums"),
        rx.el.p(choice(refused.refusal, _REASONS), class_name="mt-2"),
        *more,
        rx.el.a(
            choice(refused.action, _ACTIONS),
            rx.el.span(" – ", name, class_name="sr-only"),
            to=refused.href,
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )
