"""What can be sent back of an order, and until when one can withdraw from it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE
from portal.i18n import _, day
from portal.pages.parts.return_texts import start_return
from portal.states.order import OrderDetail
from portal.ui import card, link_button, text_link

_ORDER: Any = OrderDetail.order


def returning() -> rx.Component:
    """Returning, withdrawing, and what was returned before."""
    return rx.el.section(
        rx.el.h2(_("Return or withdraw")),
        card(
            rx.el.p(_("You can return an item until 100 days after it was shipped.")),
            rx.cond(
                _ORDER.withdrawable,
                rx.el.p(
                    rx.cond(
                        _ORDER.withdraw_until != "",
                        _(
                            "Until {day} you can also withdraw from the purchase, without giving a reason.",
                            day=day(_ORDER.withdraw_until),
                        ),
                        _(
                            "Until 14 days after everything has been delivered you can also withdraw from the "
                            "purchase, without giving a reason."
                        ),
                    ),
                    class_name="mt-2",
                ),
            ),
            rx.el.div(
                start_return("secondary", order=_ORDER.number),
                rx.cond(
                    _ORDER.withdrawable,
                    link_button(_("Withdraw from this order"), f"/withdrawal/{_ORDER.number}", "secondary"),
                ),
                class_name="mt-5 flex flex-wrap gap-3 empty:hidden max-md:flex-col",
            ),
            rx.el.p(
                text_link(_("Return accessories"), ACCESSORIES.path),
                text_link(_("Exchange a bike or part"), EXCHANGE.path),
                text_link(_("Your returns"), "/returns"),
                class_name="mt-5 flex flex-wrap gap-x-6 gap-y-2",
            ),
            class_name="mt-4",
        ),
    )
