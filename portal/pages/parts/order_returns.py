"""From an order to the flows that send something of it back."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flows import SHOWN
from portal.i18n import _
from portal.states.order import OrderDetail
from portal.ui import LINK, card

_ORDER: Any = OrderDetail.order


def returns() -> rx.Component:
    """Return or exchange, once something was shipped. What cannot come back is told there, with its reason."""
    links = (
        (_("Return products of this order"), SHOWN["order-return"].path + "?order=" + _ORDER.number),
        (_("Return a bike or part"), SHOWN["return-request"].path),
        (_("Return accessories"), SHOWN["return-accessories-request"].path),
        (_("Exchange a bike or part"), SHOWN["exchange-request"].path),
    )
    return rx.cond(
        _ORDER.shipped,
        card(
            rx.el.h2(_("Return or exchange"), class_name="text-h3"),
            rx.el.p(
                _("Not what you expected? You can return what you ordered up to 100 days after it was shipped."),
                class_name="mt-2 text-ink-600",
            ),
            rx.el.ul(
                *[
                    rx.el.li(rx.el.a(text, to=to, class_name=f"{LINK} inline-flex min-h-11 items-center"))
                    for text, to in links
                ],
                class_name="mt-2 grid gap-x-8 sm:grid-cols-2",
            ),
            class_name="mt-5",
        ),
    )
