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

_REASONS = {code.value: MESSAGES[code] for code in (*REFUSALS, Code.NOTHING_FOUND, Code.RETURN_REQUEST_ALREADY_EXISTS)}


@rx.memo
def refused_items() -> rx.Component:
    """Items that cannot be chosen, below those that can."""
    return rx.cond(
        Returning.refused.length() > 0,
        rx.el.section(
            rx.el.h2(_("What you cannot return now"), class_name="text-h3"),
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
    return _box(item.name, item.order, item.day, item.refusal, _what_to_do(item.refusal, item.order, item.is_bike))


def _refused_order(order: rx.vars.ObjectVar[OrderView]) -> rx.Component:
    waiting = rx.el.div(
        rx.el.p(_("We have sent the link to confirm it to {email}.", email=order.email)),
        _link(_("View this return"), f"/returns/{order.waiting}", order.id),
    )
    return _box(
        _("Order {number}", number=order.id),
        None,
        order.day,
        order.refusal,
        rx.cond(order.waiting != "", waiting, _what_to_do(order.refusal, order.id, False)),
    )


def _box(name: Text, order: Any | None, ordered: Any, refusal: Any, action: rx.Component) -> rx.Component:
    where = (
        _("Ordered on {day}", day=day(ordered))
        if order is None
        else _("Order {number} of {day}", number=order, day=day(ordered))
    )
    return rx.el.div(
        rx.el.p(name, class_name="font-semibold"),
        rx.el.p(where, class_name="text-sm text-ink-600 tabular-nums"),
        rx.el.p(choice(refusal, _REASONS), class_name="mt-2"),
        action,
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


def _what_to_do(refusal: Any, order: Any, is_bike: rx.Var[bool] | bool) -> rx.Component:
    """Where to go on, by the reason."""
    returns = _link(_("View your returns"), "/returns", order)
    contact = _link(_("Contact us"), "/contact?topic=return", order)
    repair = rx.cond(is_bike, _link(_("Is it broken? Request a repair"), "/repair-request", order), contact)
    return rx.fragment(
        rx.match(
            refusal,
            (Code.RETURN_REQUEST_EXISTS.value, returns),
            (Code.RETURN_REQUEST_ALREADY_EXISTS.value, returns),
            (Code.ALREADY_RETURNED.value, returns),
            (Code.ORDER_NOT_SHIPPED.value, _link(_("Follow your order"), f"/orders/{order}", order)),
            (Code.OLDER_THAN_100_DAYS.value, repair),
            contact,
        )
    )


def _link(text: Text, to: Any, order: Any) -> rx.Component:
    return rx.el.a(
        text,
        rx.el.span(" – ", _("Order {number}", number=order), class_name="sr-only"),
        to=to,
        class_name=f"{LINK} inline-flex min-h-11 items-center",
    )
