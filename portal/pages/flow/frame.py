"""What surrounds a step: waiting, what went wrong, the way back, the column beside."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.domain.flow import Flow, Step
from portal.i18n import _
from portal.pages.flow.ends import already_sent, status_of
from portal.pages.flow.screens import FlowPages
from portal.pages.flow.words import is_shown
from portal.states.flow import FlowRun
from portal.states.flow_display import SENT
from portal.states.page import FAILED
from portal.states.session import Session
from portal.ui import WIDE, error_block, page_frame, skeleton, skeleton_cards
from portal.ui.flow import ahead, step_back


def faced(pages: FlowPages, step: Step, content: rx.Component) -> rx.Component:
    """Show a step when it may be shown; else that it was sent, that it could not be loaded, or that it is awaited."""
    here = FlowRun.flow == pages.flow.name
    return rx.cond(
        Session.authenticated & is_shown(pages.flow, step),
        content,
        rx.cond(
            here & (FlowRun.face == SENT),
            already_sent(status=status_of(pages), flow=pages.flow.path),
            rx.cond(here & (FlowRun.face == FAILED), failed(), waiting()),
        ),
    )


def framed(
    flow: Flow, step: Step, *content: Any, above: rx.Component, aside: rx.Component | None, wide: bool = False
) -> rx.Component:
    """The page of a step: one column for the form, beside it what is good to know.

    Args:
        flow: the flow.
        step: the step.
        *content: heading and form.
        above: what stands above the heading.
        aside: what stands beside the form; on a small screen below the heading's bar.
        wide: whether the form takes the whole width.
    """
    if wide:
        return _page(flow, step, rx.el.div(above, *content))
    column = rx.el.div(above, *content, class_name="min-w-0 max-w-form")
    beside = [] if aside is None else [rx.el.aside(aside, class_name="max-lg:hidden", aria_label=_("Your choice"))]
    columns = "lg:grid lg:grid-cols-[40rem_20rem] lg:items-start lg:gap-12"
    return _page(flow, step, rx.el.div(column, *beside, class_name=columns))


def _page(flow: Flow, step: Step, content: rx.Component) -> rx.Component:
    return page_frame(
        content,
        ahead(FlowRun.ahead[step.name].to(str)),
        back=step_back(FlowRun.back[step.name].to(str), flow.url(flow.check_step), WIDE),
    )


def waiting() -> rx.Component:
    """A step of which it is not known yet whether it may be shown: no heading, no counter."""
    return page_frame(skeleton("h-11 w-96 max-w-full appear"), skeleton_cards(3, "h-20"), narrow=True)


@rx.memo
def failed() -> rx.Component:
    """The answers could not be looked up."""
    return page_frame(
        error_block(
            rx.cond(
                FlowRun.problem == Code.INSURANCE_OPTIONS_FAILED.value,
                _(MESSAGES[Code.INSURANCE_OPTIONS_FAILED]),
                _("Your request could not be loaded. What you saved has been kept."),
            ).to(str),
            on_retry=FlowRun.load,
        ),
        title=_("Something went wrong"),
        narrow=True,
    )
