"""What stands where a bike would, for a customer who has none."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _
from portal.ui import empty_state, illustrations, link_button


def no_bikes(meaning: rx.Var[str], also: rx.Component) -> rx.Component:
    """That there is no bike yet, and the way to the orders.

    Args:
        meaning: why, and what to do.
        also: a second way to go on.
    """
    return empty_state(
        _("You have no bikes yet"),
        meaning,
        rx.el.div(link_button(_("Your orders"), "/orders"), also, class_name="flex flex-wrap justify-center gap-3"),
        illustrations.city_bike(),
    )
