"""The pages of a flow, made from its declaration: intro, steps, check page, and the page after sending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import reflex as rx

from portal.flow.model import CONFIRMATION, INTRO, Flow, Step
from portal.flow.pages.check import check_page
from portal.flow.pages.ends import confirmation_page, sent_title
from portal.flow.pages.intro import intro_page
from portal.flow.pages.spec import FlowPages, Part, SentPage, StepPage, SubjectPages, step_title
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import step_page
from portal.frontend.layout import title
from portal.frontend.registry import PageRoute
from portal.frontend.state import READY
from portal.i18n import _

__all__ = ["SentPage", "StepPage", "SubjectPages", "flow_pages"]


def flow_pages(
    flow: Flow,
    *,
    intro: Part,
    steps: Sequence[StepPage] = (),
    sent: SentPage | None = None,
    subject: SubjectPages | None = None,
    phases: Part | None = None,
    below: Part | None = None,
    aside: Part | None = None,
    before_sending: Part | None = None,
    send: rx.Var[str] | None = None,
    failure: rx.Var[str] | None = None,
) -> list[PageRoute]:
    """All pages of a flow, for `PAGES` of its module. What can be given is explained at `FlowPages`."""
    pages = FlowPages(
        flow,
        intro,
        steps,
        sent or SentPage(),
        subject or SubjectPages(),
        phases,
        below,
        aside,
        before_sending,
        send,
        failure,
    )

    def page(
        address: str, body: Callable[[], rx.Component], name: rx.Var[str], on_load: Sequence[Any] = ()
    ) -> PageRoute:
        def step_view() -> rx.Component:
            return body()

        # The module decides the script file. Each page has its own, which the page before it asks for ahead of time:
        # whoever opens one page does not load the texts of all the others (decision 0016).
        own = f"{flow.name}_{address or INTRO}".replace("-", "_")
        step_view.__module__, step_view.__name__, step_view.__qualname__ = f"portal.pages.{own}", own, own
        return PageRoute(f"{flow.name}/{address}".strip("/"), step_view, name, on_load=[FlowRun.enter, *on_load])

    def title_of(step: Step) -> rx.Var[str]:
        return step_title(flow, step)

    check = flow.check_step
    return [
        page("", partial(intro_page, pages), title(_(flow.intro))),
        *(page(flow.address(step), partial(step_page, pages, step), title_of(step)) for step in flow.steps),
        page(flow.address(check), partial(check_page, pages), title_of(check)),
        page(CONFIRMATION, partial(confirmation_page, pages), _confirmation_title(pages), pages.sent.on_load),
    ]


def _confirmation_title(pages: FlowPages) -> rx.Var[str]:
    """Title of the page after sending: what has happened only once that is certain."""
    flow = pages.flow
    here = FlowRun.flow == flow.name
    unsent = rx.cond(here & (FlowRun.view_state == READY), title(_("No request has been sent")), title(_(flow.title)))
    return rx.cond(here & (FlowRun.receipt.reference != ""), title(sent_title(pages)), unsent).to(str)
