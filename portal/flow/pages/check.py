"""The check page: everything that was answered, each with its way to change it, and the button that sends."""

from __future__ import annotations

from dataclasses import replace

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.flow import Control, Field, Files, OneOf, SomeOf, Step
from portal.i18n import N_, _, choice, number
from portal.pages.flow.fields import answer, answers
from portal.pages.flow.files import files_shown
from portal.pages.flow.frame import faced, framed
from portal.pages.flow.screens import FlowPages, StepFields
from portal.pages.flow.step import form_of
from portal.pages.flow.words import counter, number_of
from portal.pages.messages import refusal
from portal.states.flow import FlowRun
from portal.states.flow_place import CHANGE
from portal.ui import Fact, fact_list, notice, notice_on_failure
from portal.ui.flow import step_bar, step_heading


def check_page(pages: FlowPages) -> rx.Component:
    """What will be sent, before it is sent."""
    flow = pages.flow
    more = [pages.before_sending()] if pages.before_sending else []
    return faced(
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
