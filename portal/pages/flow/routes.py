"""A route for every step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import reflex as rx

from portal.domain.flow import CONFIRMATION
from portal.i18n import _
from portal.pages.flow.check import check_page
from portal.pages.flow.ends import confirmation_page, sent_title
from portal.pages.flow.intro import intro_page
from portal.pages.flow.screens import Screens
from portal.pages.flow.step import step_page
from portal.pages.flow.words import step_title
from portal.pages.layout import title
from portal.pages.registry import Page
from portal.states.flow import FlowRun
from portal.states.page import READY


def flow_pages(screens: Screens) -> list[Page]:
    """All pages of a flow, for `PAGES` of its module."""
    flow = screens.flow

    def page(slug: str, body: Callable[[], rx.Component], name: rx.Var[str]) -> Page:
        def screen() -> rx.Component:
            return body()

        # The module decides the script file. Each page has its own, which the page before it asks for ahead of time:
        # whoever opens one page does not load the texts of all the others (design: performance).
        screen.__module__ = f"{screens.module}_{slug or 'intro'}".replace("-", "_")
        screen.__name__ = screen.__qualname__ = f"{flow.name}_{slug or 'intro'}".replace("-", "_")
        return Page(flow.url(slug).strip("/"), screen, name, on_load=[FlowRun.enter])

    return [
        page("", partial(intro_page, screens), title(_(flow.intro.title))),
        *(page(step.slug, partial(step_page, screens, step), step_title(flow, step)) for step in flow.questions),
        page(flow.check.slug, partial(check_page, screens), step_title(flow, flow.check)),
        page(CONFIRMATION, partial(confirmation_page, screens), _confirmation_title(screens)),
    ]


def _confirmation_title(screens: Screens) -> rx.Var[str]:
    """Title of the page after sending: what has happened only once that is certain."""
    flow = screens.flow
    here = FlowRun.flow == flow.name
    unsent = rx.cond(here & (FlowRun.face == READY), title(_("No request has been sent")), title(_(flow.title)))
    return rx.cond(here & (FlowRun.receipt.reference != ""), title(sent_title(screens)), unsent).to(str)
