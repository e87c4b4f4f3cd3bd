"""What a request costs, before and after it is sent: the figures of the server, nothing is added up here."""

from __future__ import annotations

import reflex as rx

from portal.domain.costs import COST_NAMES, CostKind
from portal.i18n import Text, _, choice, money
from portal.pages.flow.told import told
from portal.states.flow_costs import FlowCosts
from portal.ui import card

_NAMES = {kind.value: name for kind, name in COST_NAMES.items()}
_BY_MAIL = _("You pay the call-out fee through a payment request that you get by email.")


def costs_aside() -> rx.Component:
    """The costs so far, beside the steps."""
    return rx.cond(
        FlowCosts.total != "",
        card(
            rx.el.p(_("Costs so far"), class_name="font-semibold"),
            rx.el.p(money(FlowCosts.total), class_name="mt-1 text-h3 font-semibold tabular-nums"),
            class_name="mt-4",
        ),
    )


def costs_to_check(note: Text | None = None) -> rx.Component:
    """The costs on the check page.

    Args:
        note: what is not among them.
    """
    rows = rx.foreach(FlowCosts.lines, lambda line: _row(choice(line.kind, _NAMES), line.amount))
    return rx.cond(FlowCosts.total != "", _box(rows, FlowCosts.total, FlowCosts.by_mail, note))


def costs_sent(note: Text | None = None) -> rx.Component:
    """The costs of a request that was sent, on its confirmation.

    Args:
        note: what is not among them.
    """
    lines = [(kind, told(f"cost_{kind.value}")) for kind in CostKind]
    rows = [rx.cond(amount != "", _row(_(COST_NAMES[kind]), amount)) for kind, amount in lines]
    by_mail = told(f"cost_{CostKind.CALL_OUT.value}") != ""
    return rx.cond(told("total") != "", _box(rx.fragment(*rows), told("total"), by_mail, note))


def _box(rows: rx.Component, total: rx.Var[str], by_mail: rx.Var[bool], note: Text | None) -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("Costs"), class_name="text-h3"),
        rx.el.dl(
            rows,
            rx.el.div(
                rx.el.dt(_("Total"), class_name="font-semibold"),
                rx.el.dd(money(total), class_name="font-semibold tabular-nums"),
                class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
            ),
            class_name="mt-4 space-y-3",
        ),
        rx.cond(by_mail, rx.el.p(_BY_MAIL, class_name="mt-4 text-ink-600")),
        *([rx.el.p(note, class_name="mt-4 text-ink-600")] if note is not None else []),
        class_name="card mt-8 max-w-form",
    )


def _row(name: Text, amount: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(money(amount), class_name="whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )
