"""The check page: every answer with a link to change it, and the button that sends the request."""

from __future__ import annotations

from dataclasses import replace

import reflex as rx

from portal.flow.model import NOT_SUBMITTED, Field, Step
from portal.flow.pages.fields import answer, answers, files_shown
from portal.flow.pages.form import CHANGE
from portal.flow.pages.spec import WARNINGS, FlowPages, StepFields, counter, number_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import form_of, framed, shown_when_loaded
from portal.flow.rules import Files, Kilometres, OneOf, SomeOf
from portal.frontend.messages import refusal
from portal.i18n import Text, _, choice, distance
from portal.kernel.texts import N_
from portal.ui import Fact, fact_list, notice, notice_on_failure
from portal.ui.flow import step_bar, step_heading


def check_page(pages: FlowPages) -> rx.Component:
    """The check page of a flow."""
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
            above=_refused(pages),
            aside=None,
        ),
    )


def binding(action: Text, binds: rx.Var[bool] | bool = True) -> rx.Var[str]:
    """The text of a button: where a price is due, it says so (Directive 2011/83, article 8).

    Args:
        action: what the button does.
        binds: whether the customer then has to pay.
    """
    return rx.cond(binds, _("{action} with obligation to pay", action=action), action).to(str)


def rows_of(pages: FlowPages, step: Step) -> list[Fact]:
    """The rows of a step, shown if the step is on the path.

    Raises:
        FlowError: a field of the step has no row.
    """
    page, fields = pages.of(step), StepFields(step)
    rows = page.rows(fields) if page.rows else [row_of(entry) for entry in fields]
    pages.check_all_taken(fields, "row")
    on_path = FlowRun.path.contains(step.name)
    change = f"{pages.flow.url(step)}?{CHANGE}=1"
    return [replace(row, change=change, shown=on_path if row.shown is None else on_path & row.shown) for row in rows]


def row_of(entry: Field) -> Fact:
    """The row of one answer, shown if its field is asked."""
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
    elif isinstance(entry.rule, Kilometres):
        shown = distance(given)
    else:
        shown = given
    return rx.el.span(
        rx.cond(given == "", _("Not filled in"), shown) if entry.optional else shown,
        class_name="whitespace-pre-line",
    )


def _warnings() -> rx.Component:
    rows = rx.foreach(FlowRun.warnings, lambda entry: rx.el.li(choice(entry[1], WARNINGS)))
    return rx.cond(
        FlowRun.warnings.length() > 0,
        rx.el.div(notice(rx.el.ul(rows), title=_("Please look at this again"), tone="warn"), class_name="mt-6"),
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
        rx.el.p(_("Your answers have been kept."), class_name="mt-2"),
    )
