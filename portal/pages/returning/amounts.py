"""What a return is worth, line by line: the figures of the server, nothing is added up here (part-2 §5, §9)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _, money
from portal.pages.parts.return_amounts import amount_lines, pays_back
from portal.states.returning import Returning
from portal.ui import card


@rx.memo
def amounts_aside() -> rx.Component:
    """What it is worth so far, beside the steps."""
    shown = Returning.amounts
    return rx.cond(
        shown.lines.length() > 0,
        card(
            rx.cond(
                shown.charge == "",
                _so_far(_("You get back, so far"), shown.refund),
                _so_far(_("You pay, so far"), shown.charge),
            ),
            class_name="mt-4",
        ),
    )


def _so_far(name: rx.Var[str], amount: rx.Var[str]) -> rx.Component:
    return rx.fragment(
        rx.el.p(name, class_name="font-semibold"),
        rx.el.p(money(amount), class_name="mt-1 text-h3 font-semibold tabular-nums"),
    )


def amounts_to_check() -> rx.Component:
    """The amounts on the check page."""
    return _box(Returning.amounts)


def amounts_sent() -> rx.Component:
    """The amounts as they were when it was sent, on the confirmation."""
    return _box(Returning.settled)


def _box(shown: Any) -> rx.Component:
    paid_back = rx.cond(
        Returning.exchange,
        _("We refund within {refund_days} days after your exchange has been processed."),
        _("We refund within {refund_days} days after your return has been processed."),
    )
    charged = _("You do not have to pay yet. We contact you about it.")
    nothing = _("What you have not paid yet is set off first.")
    unpaid = rx.cond(shown.set_off, nothing, "")
    note = rx.cond(shown.charge != "", charged, rx.cond(pays_back(shown), paid_back, unpaid))
    return rx.cond(
        shown.lines.length() > 0,
        rx.el.section(
            rx.el.h2(_("Amounts"), class_name="text-h3"),
            rx.el.div(amount_lines(shown), class_name="mt-4"),
            rx.cond(note != "", rx.el.p(note, class_name="mt-4 text-ink-600")),
            class_name="card mt-8 max-w-form",
            custom_attrs={"data-amounts": ""},
        ),
    )
