"""What can be sent back of an order, and until when one can withdraw from it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flows.accessories import ACCESSORIES
from portal.flows.exchange import EXCHANGE
from portal.i18n import _, choice, day
from portal.pages.parts.return_texts import start_return
from portal.states.order import OrderDetail
from portal.ui import card, link_button, text_link

_ORDER: Any = OrderDetail.order


def returning() -> rx.Component:
    """Returning, withdrawing, and what was returned before."""
    possible = _ORDER.returning == "open"
    return rx.el.section(
        rx.el.h2(rx.cond(_ORDER.withdrawable, _("Return or withdraw"), _("Return or exchange"))),
        card(
            rx.el.p(_how_it_stands()),
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
                            "Until {withdrawal_days} days after everything has been delivered you can also "
                            "withdraw from the purchase, without giving a reason."
                        ),
                    ),
                    class_name="mt-2",
                ),
            ),
            rx.el.div(
                rx.cond(possible, start_return("secondary", order=_ORDER.number)),
                rx.cond(
                    _ORDER.withdrawable,
                    link_button(_("Withdraw from this order"), f"/withdrawal/{_ORDER.number}", "secondary"),
                ),
                class_name="mt-5 flex flex-wrap gap-3 empty:hidden max-md:flex-col",
            ),
            rx.el.p(
                rx.cond(
                    possible,
                    rx.fragment(
                        text_link(_("Return accessories"), ACCESSORIES.path),
                        text_link(_("Exchange a bike or part"), EXCHANGE.path),
                    ),
                    text_link(_("Contact us"), "/contact?topic=return"),
                ),
                text_link(_("Your returns"), "/returns"),
                class_name="mt-5 flex flex-wrap gap-x-6 gap-y-2",
            ),
            class_name="mt-4",
        ),
    )


def _how_it_stands() -> rx.Var[str]:
    """Until when, or why not."""
    return choice(
        _ORDER.returning,
        {
            "not_shipped": _("You can return an item once it has been shipped, until {return_days} days after that."),
            "over": _("You could return the items of this order until {day}.", day=day(_ORDER.return_until)),
            "cancelled": _("This order was cancelled, so there is nothing to return."),
        },
        _("You can return an item until {return_days} days after it was shipped."),
    )
