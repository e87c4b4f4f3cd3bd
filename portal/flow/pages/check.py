"""The check page: every answer with a link to change it, and the button that sends the request."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from portal.flow.model import NOT_SUBMITTED, Flow
from portal.flow.pages.fields import rows_of
from portal.flow.pages.showing import shows_where
from portal.flow.pages.spec import WARNINGS, FlowPages, counter, number_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import dropped_answers, form_of, framed, shown_when_loaded
from portal.flow.pages.summary import summary
from portal.flow.rules import AnswerContext
from portal.frontend.accounts import amount_row
from portal.frontend.messages import refusal
from portal.i18n import Text, _, choice, money
from portal.kernel.texts import COST_NAMES, N_, CostKind, total
from portal.ui import card, fact_list, notice, notice_on_failure
from portal.ui.flow import step_bar, step_heading


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


def check_page(pages: FlowPages) -> rx.Component:
    flow = pages.flow
    before_sending = [pages.before_sending()] if pages.before_sending else []
    return shown_when_loaded(
        pages,
        flow.check_step,
        framed(
            flow,
            flow.check_step,
            step_heading(
                _(flow.check_step.title), counter(flow, flow.check_step), number_of(flow.check_step), FlowRun.total
            ),
            rx.el.p(_("We only receive your request when you press the button."), class_name="mt-6"),
            _warnings(),
            rx.el.div(
                fact_list([row for step in flow.steps for row in rows_of(pages, step)], label=_("Your answers")),
                class_name="mt-6",
            ),
            *before_sending,
            form_of(
                pages,
                flow.check_step,
                step_bar(binding(_(flow.send) if pages.send is None else pages.send, FlowRun.binds)),
                on_send=FlowRun.send,
            ),
            above=rx.fragment(_refused(pages), dropped_answers()),
            aside=summary(pages, flow.check_step),
        ),
    )


def binding(action: Text, binds: rx.Var[bool] | bool = True) -> rx.Var[str]:
    """The text of a button: where a price is due, it says so (Directive 2011/83, article 8)."""
    return rx.cond(binds, _("{action} with obligation to pay", action=action), action).to(str)


def _warnings() -> rx.Component:
    rows = rx.foreach(FlowRun.warnings, lambda entry: rx.el.li(choice(entry[1], WARNINGS)))
    return rx.cond(
        FlowRun.warnings.length() > 0,
        rx.el.div(notice(rx.el.ul(rows), title=_("Please check this again"), tone="warn"), class_name="mt-6"),
    )


def _refused(pages: FlowPages) -> rx.Component:
    failure = pages.failure
    own = _(pages.flow.failure) if failure is None and pages.flow.failure != NOT_SUBMITTED else failure
    return notice_on_failure(
        FlowRun.refusal != "",
        _(NOT_SUBMITTED),
        FlowRun.attempt,
        *([rx.el.p(own, class_name="mt-2 font-semibold")] if own is not None else []),
        rx.el.p(refusal(code=FlowRun.refusal), class_name="mt-2"),
        *([rx.el.p(_(pages.flow.advice or N_("Please try again")), class_name="mt-2")] if failure is None else []),
        rx.el.p(_("Your answers are safe."), class_name="mt-2"),
    )
