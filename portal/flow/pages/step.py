"""The page of a question."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import MESSAGES
from portal.domain.flow import Step
from portal.i18n import _, choice
from portal.pages.flow.fields import generated
from portal.pages.flow.frame import faced, framed
from portal.pages.flow.screens import FlowPages, StepFields
from portal.pages.flow.words import counter, error_of, next_title, number_of
from portal.pages.messages import refusal
from portal.states.flow import FlowRun
from portal.states.flow_place import DRAFT, VERSION
from portal.states.session import Session
from portal.ui import error_summary, hidden_field, notice, notice_on_failure
from portal.ui.flow import look_again, step_bar, step_form, step_heading


def step_page(pages: FlowPages, step: Step) -> rx.Component:
    """A question: heading, counter, fields, and the button that goes on."""
    flow = pages.flow
    page, fields = pages.of(step), StepFields(step)
    body = page.body(fields) if page.body else generated(fields)
    pages.check_all_taken(fields, "body")
    before = [rx.el.div(page.before(), class_name="max-md:mb-8")] if page.before else []
    return faced(
        pages,
        step,
        framed(
            flow,
            step,
            step_heading(_(step.title), counter(flow, step), number_of(step), FlowRun.total),
            *before,
            form_of(
                pages,
                step,
                body,
                step_bar(
                    _("Next"),
                    rx.el.span(": ", next_title(flow, step), class_name="sr-only"),
                    back_text=_("Save and back"),
                ),
                on_send=FlowRun.next,
                joined=page.before is not None,
            ),
            above=rx.fragment(
                error_summary({entry.name: error_of(entry) for entry in step.fields}, FlowRun.attempt),
                _refused(),
                _changed(),
                _look_again(step),
            ),
            aside=pages.aside() if pages.aside else None,
            wide=page.wide,
        ),
    )


def form_of(
    pages: FlowPages, step: Step, *children: rx.Component, on_send: object, joined: bool = False
) -> rx.Component:
    """The form of a step; with answers that came from elsewhere it starts anew."""
    return step_form(
        hidden_field(DRAFT, FlowRun.draft),
        hidden_field(VERSION, FlowRun.version.to_string()),
        *children,
        place=FlowRun.draft + f"/{step.name}/" + FlowRun.marks[step.name].to(str),
        flow=pages.flow.path,
        on_send=on_send,
        answered=FlowRun.answered,
        attempt=FlowRun.attempt,
        saved=FlowRun.alerted.length() > 0,
        lost=rx.Var.create(Session.signed_out),
        joined=joined,
    )


def _refused() -> rx.Component:
    return notice_on_failure(
        FlowRun.refusal != "",
        refusal(code=FlowRun.refusal),
        FlowRun.attempt,
        rx.el.p(_("What you filled in is still here."), class_name="mt-2"),
    )


def _changed() -> rx.Component:
    return rx.cond(
        FlowRun.changed,
        notice(
            _("What you see here is what was typed or saved last. Press Next to use it."),
            title=_("This request was changed in another tab"),
            tone="warn",
            announced=True,
        ),
    )


def _look_again(step: Step) -> rx.Component:
    """Warnings of this step. Pressing Next again goes on."""
    rows = [
        rx.cond(
            FlowRun.alerted.contains(entry.name),
            rx.el.li(choice(FlowRun.warnings[entry.name].to(str), {code.value: text for code, text in _WARNINGS})),
        )
        for entry in step.fields
    ]
    return rx.cond(
        FlowRun.alerted.length() > 0,
        look_again(
            _("Please look at this again"),
            rx.el.ul(*rows, class_name="mt-2 list-disc pl-5"),
            rx.el.p(_("Is it right? Then press Next again."), class_name="mt-2"),
            attempt=FlowRun.attempt,
        ),
    )


_WARNINGS = [(code, text) for code, text in MESSAGES.items() if code.name == "DATE_IN_FUTURE"]
