"""The first page of a flow: what to expect, what was begun before, and the start."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flow.pages.spec import Draft, FlowPages
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import failed
from portal.flow.pages.views import DraftCard
from portal.flow.registry import FLOWS
from portal.frontend.problems import refusal
from portal.frontend.session import SessionState
from portal.frontend.state import FAILED, LOADING
from portal.i18n import _, choice, day
from portal.ui import (
    action_button,
    back_link,
    button_class,
    card,
    confirm_button,
    link_button,
    notice,
    notice_on_failure,
    page_frame,
)
from portal.ui.flow import ahead


def intro_page(pages: FlowPages) -> rx.Component:
    """Step 0. Its text stands there at once; the buttons wait for what was begun before."""
    flow = pages.flow
    here = FlowRun.flow == flow.name
    return rx.cond(
        here & (FlowRun.view_state == FAILED),
        failed(),
        page_frame(
            pages.intro(),
            rx.el.div(
                rx.cond(
                    SessionState.authenticated & here & (FlowRun.view_state != LOADING),
                    rx.cond(FlowRun.closed == "", _entries(pages), _closed(pages)),
                    _starting(),
                ),
                class_name="mt-10 max-w-form",
            ),
            *([pages.below()] if pages.below else []),
            ahead(flow.url(flow.steps[0])),
            title=_(flow.intro),
            above=notice_on_failure(FlowRun.refusal != "", refusal(code=FlowRun.refusal), FlowRun.attempt),
            back=back_link(_("Overview"), "/dashboard"),
        ),
    )


def _starting() -> rx.Component:
    """In the place of the buttons until it is known which."""
    return rx.el.div(class_name="skeleton h-12 w-full rounded-pill appear md:w-28", aria_hidden="true")


def _entries(pages: FlowPages) -> rx.Component:
    return rx.cond(
        FlowRun.drafts.length() > 0,
        rx.fragment(
            rx.el.h2(_("Go on where you left off")),
            rx.el.ul(rx.foreach(FlowRun.drafts, lambda entry: _begun(pages, entry)), class_name="mt-4 space-y-4"),
            rx.el.div(action_button(_("Start a new request"), FlowRun.begin(FlowRun.wanted, False)), class_name="mt-6"),
        ),
        rx.el.button(
            _("Start"),
            type="button",
            on_click=FlowRun.begin(FlowRun.wanted, False),
            class_name=button_class("primary", wide=True),
        ),
    )


def _named(pages: FlowPages, entry: Draft) -> rx.Var[str]:
    """What a request is about, or that it is not known yet."""
    return rx.cond(entry.name == "", pages.subject.unnamed(pages.flow, entry), entry.name).to(str)


def _begun(pages: FlowPages, entry: Draft) -> rx.Component:
    name = _named(pages, entry)
    return rx.el.li(
        card(
            rx.el.h3(name),
            rx.el.p(_("Saved on {day}", day=day(entry.saved_at)), class_name="mt-1 text-ink-600"),
            rx.el.div(
                link_button(_("Go on with your request"), entry.href),
                confirm_button(
                    _("Start over"),
                    _("Start over?"),
                    _("What you filled in for this request is thrown away."),
                    act=_("Start over"),
                    safe=_("Keep it"),
                    on_confirm=FlowRun.begin(entry.subject, True),
                ),
                confirm_button(
                    _("Delete"),
                    _("Delete this request?"),
                    _("What you filled in for this request is thrown away."),
                    act=_("Delete"),
                    safe=_("Keep it"),
                    on_confirm=FlowRun.discard(entry.draft_id),
                    style="text",
                ),
                class_name="mt-4 flex flex-wrap gap-3",
            ),
        )
    )


def _closed(pages: FlowPages) -> rx.Component:
    refused = notice(
        rx.el.p(refusal(code=FlowRun.closed)),
        rx.el.div(link_button(_("Contact us"), "/contact", "secondary"), class_name="mt-4"),
        title=_("Not available"),
        tone="warn",
    )
    return pages.subject.closed_page(refused)


def draft_list(drafts: rx.vars.ArrayVar[Any], on_discard: Any) -> rx.Component:
    """The requests, each with the way back into it; nothing when there are none.

    Args:
        drafts: the last one first.
        on_discard: event with the id of the request to throw away.
    """
    return rx.cond(
        drafts.length() > 0,
        rx.el.section(
            rx.el.h2(_("Go on where you left off")),
            rx.el.ul(
                rx.foreach(drafts, lambda entry: _row(entry, on_discard)),
                class_name="mt-5 divide-y divide-line overflow-hidden rounded-card border border-line bg-white",
            ),
            class_name="mt-12",
        ),
    )


def _row(entry: rx.vars.ObjectVar[DraftCard], on_discard: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(
                choice(entry.flow, {name: flow.title for name, flow in FLOWS.items()}),
                class_name="text-base font-semibold",
            ),
            rx.el.p(
                rx.cond(entry.name == "", "", entry.name.to(str) + " · "),
                _("Saved on {day}", day=day(entry.saved_at)),
                class_name="text-ink-600",
            ),
            class_name="min-w-0 grow",
        ),
        link_button(_("Go on"), entry.href, "secondary"),
        confirm_button(
            _("Delete"),
            _("Delete this request?"),
            _("What you filled in for this request is thrown away."),
            act=_("Delete"),
            safe=_("Keep it"),
            on_confirm=on_discard(entry.draft_id),
            style="text",
        ),
        class_name="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 md:px-6",
    )
