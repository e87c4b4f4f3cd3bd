"""The pages of a flow, built from its declaration: intro, steps, check page and confirmation page.

A subject calls `flow_pages` with what its pages have beyond the declaration (`spec`).

* `spec`: the classes that describe these additions, and the texts of a step.
* `state`, `display`: the state of the current flow; `form` reads addresses and saves forms; `views` maps a draft to
  the variables of the state.
* `intro`, `step` (with the check page and its costs), `ends`: the pages.
* `fields` (with the rows of answers and the summary): parts of the pages.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import reflex as rx

from portal.flow.model import CONFIRMATION, INTRO, Flow, Step
from portal.flow.pages.ends import confirmation_page, sent_title
from portal.flow.pages.intro import intro_page
from portal.flow.pages.phone_code import PhoneCode
from portal.flow.pages.spec import FlowPages, Intro, Offers, Part, SentPage, StepPage, SubjectPages, step_title
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import check_page, step_page
from portal.flow.rules import Files
from portal.frontend.layout import title
from portal.frontend.load import READY
from portal.frontend.registry import PageRoute
from portal.i18n import _

__all__ = ["Intro", "Offers", "SentPage", "StepPage", "SubjectPages", "flow_pages"]


def flow_pages(
    flow: Flow,
    *,
    intro: Callable[[], Intro],
    steps: Sequence[StepPage] = (),
    sent: SentPage | None = None,
    subject: SubjectPages | None = None,
    phases: Part | None = None,
    aside: Part | None = None,
    before_sending: Part | None = None,
    send: rx.Var[str] | None = None,
    failure: rx.Var[str] | None = None,
) -> list[PageRoute]:
    """All pages of a flow, for `PAGES` of its module. `FlowPages` explains the parameters."""
    pages = FlowPages(
        flow, intro, steps, sent or SentPage(), subject or SubjectPages(), phases, aside, before_sending, send, failure
    )

    def page(
        address: str, body: Callable[[], rx.Component], name: Callable[[], rx.Var[str]], on_load: Sequence[Any] = ()
    ) -> PageRoute:
        def step_view() -> rx.Component:
            return body()

        # The compiler makes one script file per module. With a module per page, the browser loads the texts of one
        # page only, and the page before prefetches them (decision 0016).
        file_name = f"{flow.name}_{address or INTRO}".replace("-", "_")
        step_view.__module__ = f"portal.pages.{file_name}"
        step_view.__name__ = step_view.__qualname__ = file_name
        return PageRoute(f"{flow.name}/{address}".strip("/"), step_view, name, on_load=[FlowRun.enter, *on_load])

    def title_of(step: Step) -> Callable[[], rx.Var[str]]:
        return partial(step_title, pages, step)

    check = flow.check_step
    return [
        page("", partial(intro_page, pages), lambda: title(_(flow.intro))),
        *(
            page(flow.address(step), partial(step_page, pages, step), title_of(step), _on_load(step))
            for step in flow.steps
        ),
        page(flow.address(check), partial(check_page, pages), title_of(check)),
        page(CONFIRMATION, partial(confirmation_page, pages), partial(_confirmation_title, pages), pages.sent.on_load),
    ]


def _on_load(step: Step) -> list[Any]:
    return [PhoneCode.watch] if any(isinstance(entry.rule, Files) for entry in step.fields) else []


def _confirmation_title(pages: FlowPages) -> rx.Var[str]:
    flow = pages.flow
    is_current = FlowRun.flow == flow.name
    is_unsent = is_current & (FlowRun.view_state == READY)
    unsent = rx.cond(is_unsent, title(_("No request has been sent")), title(_(flow.title)))
    return rx.cond(is_current & FlowRun.receipt.bool(), title(sent_title(pages)), unsent).to(str)
