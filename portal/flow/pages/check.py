"""The check page: every answer with its way to change it, the costs, and the button that sends."""

from __future__ import annotations

from dataclasses import replace

import reflex as rx

from portal.flow.model import Control, Field, Step
from portal.flow.pages.costs_state import FlowCosts
from portal.flow.pages.ends import receipt_text
from portal.flow.pages.fields import answer, answers, files_shown
from portal.flow.pages.form import CHANGE
from portal.flow.pages.spec import FlowPages, StepFields, counter, number_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import form_of, framed, shown_when_loaded
from portal.flow.rules import Files, OneOf, SomeOf
from portal.frontend.problems import refusal
from portal.i18n import Text, _, choice, money, number
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.money import COST_NAMES, CostKind
from portal.kernel.texts import N_
from portal.ui import Fact, card, fact_list, notice, notice_on_failure
from portal.ui.flow import step_bar, step_heading


def check_page(pages: FlowPages) -> rx.Component:
    """What will be sent, before it is sent."""
    flow = pages.flow
    more = [pages.before_sending()] if pages.before_sending else []
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
            _warned(),
            rx.el.div(
                fact_list([row for step in flow.steps for row in rows_of(pages, step)], label=_("Your answers")),
                class_name="mt-6",
            ),
            *more,
            form_of(
                pages,
                flow.check_step,
                step_bar(_(flow.send) if pages.send is None else pages.send),
                on_send=FlowRun.send,
            ),
            above=_refused(pages),
            aside=None,
        ),
    )


def rows_of(pages: FlowPages, step: Step) -> list[Fact]:
    """The rows of a step, shown while it is on the way."""
    page, fields = pages.of(step), StepFields(step)
    rows = page.rows(fields) if page.rows else [row_of(entry) for entry in fields]
    pages.check_all_taken(fields, "row")
    on_the_way = FlowRun.path.contains(step.name)
    change = f"{pages.flow.url(step)}?{CHANGE}=1"
    return [
        replace(row, change=change, shown=on_the_way if row.shown is None else on_the_way & row.shown) for row in rows
    ]


def row_of(entry: Field) -> Fact:
    """One answer, shown while it is asked."""
    return Fact(_(entry.label), _value(entry), shown=FlowRun.asked.contains(entry.name))


def _value(entry: Field) -> rx.Component:
    given = answer(entry.name)
    if isinstance(entry.rule, Files):
        none = rx.cond(answers(entry.name).length() == 0, _("Not filled in"), "")
        return rx.fragment(none, files_shown(entry.name))
    if isinstance(entry.rule, SomeOf):
        texts = dict(entry.rule.options)
        return rx.el.ul(rx.foreach(answers(entry.name), lambda value: rx.el.li(choice(value, texts))))
    if isinstance(entry.rule, OneOf):
        shown: rx.Var[str] = choice(given, dict(entry.rule.options))
    elif entry.control is Control.DECIMAL:
        shown = number(given, 2)
    else:
        shown = given
    return rx.el.span(
        rx.cond(given == "", _("Not filled in"), shown) if entry.optional else shown,
        class_name="whitespace-pre-line",
    )


def _warned() -> rx.Component:
    texts = {Code.DATE_IN_FUTURE.value: MESSAGES[Code.DATE_IN_FUTURE]}
    rows = rx.foreach(FlowRun.warnings, lambda entry: rx.el.li(choice(entry[1], texts)))
    return rx.cond(
        FlowRun.warnings.length() > 0,
        rx.el.div(notice(rx.el.ul(rows), title=_("Please look at this again"), tone="warn"), class_name="mt-6"),
    )


def _refused(pages: FlowPages) -> rx.Component:
    own = pages.failure
    return notice_on_failure(
        FlowRun.refusal != "",
        _(pages.flow.failure) if own is None else own,
        FlowRun.attempt,
        rx.el.p(refusal(code=FlowRun.refusal), class_name="mt-2"),
        *([rx.el.p(_(pages.flow.advice or N_("Please try again")), class_name="mt-2")] if own is None else []),
        rx.el.p(_("Your answers have been kept."), class_name="mt-2"),
    )


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
    lines = [(kind, receipt_text(f"cost_{kind.value}")) for kind in CostKind]
    rows = [rx.cond(amount != "", _row(_(COST_NAMES[kind]), amount)) for kind, amount in lines]
    by_mail = receipt_text(f"cost_{CostKind.CALL_OUT.value}") != ""
    return rx.cond(receipt_text("total") != "", _box(rx.fragment(*rows), receipt_text("total"), by_mail, note))


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
