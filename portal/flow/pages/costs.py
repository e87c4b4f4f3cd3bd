"""The costs of a request: their state, and how the pages of the flow show them."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.flow.model import Flow
from portal.flow.pages.showing import shows_where
from portal.flow.rules import AnswerContext
from portal.frontend.accounts import amount_row
from portal.i18n import Text, _, choice, money
from portal.kernel.money import COST_NAMES, CostKind, total
from portal.ui import card


@dataclass(frozen=True, slots=True)
class CostLine:
    """One cost. `kind` is a value of `CostKind`, `amount` is in euro; a discount is negative."""

    kind: str
    amount: str


class FlowCosts(rx.State):
    """The costs of the request, as far as they are known.

    Attributes:
        total: their sum in euro; empty if there are none.
    """

    lines: rx.Field[list[CostLine]] = rx.field(default_factory=list)
    total: rx.Field[str] = rx.field("")
    by_mail: rx.Field[bool] = rx.field(False)


@shows_where(FlowCosts, lambda flow: flow.costs is not None)
def _costs(flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    costs = flow.costs(answers) if flow.costs else ()
    return {
        "lines": [CostLine(cost.kind.value, f"{cost.amount:.2f}") for cost in costs],
        "total": f"{total(costs):.2f}" if costs else "",
        "by_mail": any(cost.kind is CostKind.CALL_OUT for cost in costs),
    }


_NAMES_BY_KIND = {kind.value: name for kind, name in COST_NAMES.items()}
_PAID_BY_MAIL = _("You pay the call-out fee through a payment request we’ll email you.")


def costs_aside() -> rx.Component:
    """The costs so far, for the column beside the steps."""
    return rx.cond(
        FlowCosts.total != "",
        card(
            rx.el.p(_("Costs so far"), class_name="font-semibold"),
            rx.el.p(money(FlowCosts.total), class_name="mt-1 text-h3 font-semibold tabular-nums"),
        ),
    )


def costs_to_check(note: Text | None = None) -> rx.Component:
    rows = rx.foreach(FlowCosts.lines, lambda line: amount_row(choice(line.kind, _NAMES_BY_KIND), line.amount))
    return rx.cond(FlowCosts.total != "", _box(rows, FlowCosts.total, FlowCosts.by_mail, note))


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
        rx.cond(by_mail, rx.el.p(_PAID_BY_MAIL, class_name="mt-4 text-ink-600")),
        *([rx.el.p(note, class_name="mt-4 text-ink-600")] if note is not None else []),
        class_name="card mt-8 max-w-form",
    )
