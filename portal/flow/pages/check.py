"""The check page: every answer with a link to change it, and the button that sends the request."""

from __future__ import annotations

import reflex as rx

from portal.flow.model import NOT_SUBMITTED
from portal.flow.pages.rows import rows_of
from portal.flow.pages.spec import WARNINGS, FlowPages, counter, number_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import dropped_answers, form_of, framed, shown_when_loaded
from portal.flow.pages.summary import summary
from portal.frontend.messages import refusal
from portal.i18n import Text, _, choice
from portal.kernel.texts import N_
from portal.ui import fact_list, notice, notice_on_failure
from portal.ui.flow import step_bar, step_heading


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
