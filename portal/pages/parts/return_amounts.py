"""What a return is worth: the figures of the server, nothing is added up here (part-2 §5, §9)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.returns.settlement import SETTLEMENT_NAMES, SettlementKind
from portal.i18n import _, choice, day, money
from portal.states.views.amounts import AmountLine
from portal.ui import card
from portal.vocabulary.returns import ReturnKind


def amount_lines(amounts: Any) -> rx.Component:
    """Line by line, then what comes of it."""
    return rx.el.dl(
        rx.foreach(amounts.lines, _line),
        _sum(_("You get back"), amounts.refund),
        _sum(_("You pay"), amounts.charge),
        _open(amounts.open),
        class_name="space-y-3",
    )


def _line(line: rx.vars.ObjectVar[AmountLine]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(
            choice(line.kind, SETTLEMENT_NAMES),
            rx.cond(line.about != "", rx.el.span(_about(line), class_name="block text-sm text-ink-600")),
        ),
        rx.el.dd(money(line.amount), class_name="shrink-0 whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )


def _about(line: rx.vars.ObjectVar[AmountLine]) -> rx.Var[str]:
    """The item; of what is not paid its order."""
    unpaid = line.kind == SettlementKind.NOT_PAID.value
    return rx.cond(unpaid, _("Order {number}", number=line.about), line.about).to(str)


def _open(amount: rx.Var[str]) -> rx.Component:
    """What is to be paid beside it: no part of the sum above."""
    return rx.cond(
        amount != "",
        rx.el.div(
            rx.el.dt(
                _("Still to pay for your order"),
                rx.el.span(_("You pay this as agreed when you ordered."), class_name="block text-sm text-ink-600"),
            ),
            rx.el.dd(money(amount), class_name="shrink-0 whitespace-nowrap tabular-nums"),
            class_name="flex justify-between gap-6",
        ),
    )


def _sum(name: rx.Var[str], amount: rx.Var[str]) -> rx.Component:
    return rx.cond(
        amount != "",
        rx.el.div(
            rx.el.dt(name, class_name="text-lg font-semibold"),
            rx.el.dd(money(amount), class_name="shrink-0 text-lg font-semibold tabular-nums"),
            class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
        ),
    )


def pays_back(amounts: Any) -> rx.Var[bool]:
    """Whether something is paid out."""
    return (amounts.refund != "") & (amounts.refund != "0.00")


def refund(found: Any) -> rx.Component:
    """The money of a return: what it is worth, what was paid and when, or until when it will be."""
    return card(
        rx.cond(found.amounts.lines.length() > 0, amount_lines(found.amounts)),
        rx.cond(
            found.refund_amount != "",
            rx.el.p(
                rx.cond(
                    found.refunded != "",
                    _(
                        "We refunded {amount} on {day}.",
                        amount=money(found.refund_amount),
                        day=day(found.refunded),
                    ),
                    _("We refund {amount}.", amount=money(found.refund_amount)),
                ),
                class_name="mt-5 font-semibold",
            ),
        ),
        rx.cond(
            found.refund_by != "",
            rx.el.p(_("You have it by {day} at the latest.", day=day(found.refund_by)), class_name="mt-2"),
            rx.cond(
                ~found.closed & pays_back(found.amounts),
                rx.el.p(
                    rx.cond(
                        found.kind == ReturnKind.WITHDRAWAL.value,
                        _(
                            "We refund you within {refund_days} days, as soon as it is with us or you show "
                            "that you sent it."
                        ),
                        rx.cond(
                            found.kind == ReturnKind.EXCHANGE.value,
                            _("We refund you within {refund_days} days after the exchange has been processed."),
                            _("We refund you within {refund_days} days after the return has been processed."),
                        ),
                    ),
                    class_name="mt-5 text-ink-600",
                ),
            ),
        ),
    )
