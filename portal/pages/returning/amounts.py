"""What a return is worth, line by line: the figures of the server, nothing is added up here (part-2 §5, §9)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.returns.settlement import SETTLEMENT_NAMES
from portal.i18n import _, choice, money
from portal.states.flow import FlowRun
from portal.states.returning import Returning
from portal.states.views.returning import AmountLine
from portal.ui import card

_NAMES = {kind.value: name for kind, name in SETTLEMENT_NAMES.items()}


@rx.memo
def amounts_aside() -> rx.Component:
    """What it is worth so far, beside the steps."""
    shown = Returning.amounts
    return rx.cond(
        shown.refund != "",
        card(
            rx.cond(
                shown.charge == "0.00",
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
    return _box(FlowRun.receipt.amounts)


def _box(shown: Any) -> rx.Component:
    return rx.cond(
        shown.refund != "",
        rx.el.section(
            rx.el.h2(_("Amounts"), class_name="text-h3"),
            rx.el.dl(
                rx.foreach(shown.lines.to(list[AmountLine]), _line),
                rx.el.div(
                    rx.el.dt(rx.cond(shown.charge == "0.00", _("You get back"), _("You pay"))),
                    rx.el.dd(
                        money(rx.cond(shown.charge == "0.00", shown.refund, shown.charge).to(str)),
                        class_name="whitespace-nowrap tabular-nums",
                    ),
                    class_name="flex justify-between gap-6 border-t-2 border-ink pt-3 font-semibold",
                ),
                class_name="mt-4 space-y-3",
            ),
            rx.el.p(
                rx.cond(
                    shown.refund != "0.00",
                    _("We refund within 14 days after your return has been processed."),
                    rx.cond(
                        shown.charge == "0.00",
                        _("What you have not paid yet is set off first."),
                        _("You do not have to pay yet. We contact you about it."),
                    ),
                ),
                class_name="mt-4 text-ink-600",
            ),
            class_name="card mt-8 max-w-form",
            custom_attrs={"data-amounts": ""},
        ),
    )


def _line(line: rx.vars.ObjectVar[AmountLine]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(
            choice(line.kind, _NAMES),
            rx.cond(
                line.item != "",
                rx.el.span(
                    rx.cond(line.quantity.to(int) > 1, rx.el.span(line.quantity.to_string(), " × "), ""),
                    line.item,
                    class_name="block text-sm text-ink-600",
                ),
            ),
        ),
        rx.el.dd(money(line.amount), class_name="whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )
