"""The intro page of a flow, which lists its drafts, and the list of all drafts on the dashboard."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.flow.api import DraftSummary
from portal.flow.journey import FLOWS
from portal.flow.pages.fields import notes_card
from portal.flow.pages.spec import Draft, FlowPages, Intro, Offers
from portal.flow.pages.state import FlowRun
from portal.flow.pages.step import failed
from portal.frontend.load import FAILED, LOADING
from portal.frontend.session import SessionState
from portal.frontend.texts import refusal
from portal.i18n import Text, _, choice, day
from portal.pictures.pages import picture


def intro_page(pages: FlowPages) -> rx.Component:
    flow = pages.flow
    is_current = FlowRun.flow == flow.name
    is_loaded = SessionState.authenticated & is_current & (FlowRun.view_state != LOADING)
    return rx.cond(
        is_current & (FlowRun.view_state == FAILED),
        failed(),
        ui.page_frame(
            *_said(
                pages.intro(),
                rx.cond(is_loaded, rx.cond(FlowRun.closed == "", _start(pages), _closed(pages)), _loading_button()),
                is_loaded,
            ),
            ui.ahead(flow.url(flow.first_step)),
            title=_(flow.intro),
            above=ui.notice_on_failure(FlowRun.refusal != "", refusal(code=FlowRun.refusal), FlowRun.attempt),
            back=ui.back_link(_("Overview"), "/dashboard"),
        ),
    )


def _said(intro: Intro, start: rx.Component, is_loaded: rx.Var[bool]) -> list[rx.Component]:
    """What the page says, around the start button: beside it what to have at hand, below it what happens next.

    What stands below the button appears with it: how much room the drafts take is not known before.
    """
    minutes = [] if intro.minutes is None else [_duration(intro.minutes)]
    begin = ui.column(ui.lead(intro.lead), *minutes, *([intro.above()] if intro.above else []), ui.stack(start, top=6))
    more = [intro.beside()] if intro.beside else []
    beside = rx.el.div(
        *notes_card(intro), *more, class_name=[f"max-lg:mt-10 {ui.BESIDE}", _once(is_loaded, "max-lg:invisible")]
    )
    hidden = _once(is_loaded, "invisible")
    phases = [rx.el.div(intro.phases(), class_name=["mt-12", hidden])] if intro.phases else []
    below = [rx.el.div(intro.below(), class_name=[hidden])] if intro.below else []
    return [rx.el.div(begin, beside, class_name=f"mt-3 {ui.COLUMNS}"), *phases, *below]


def _once(is_loaded: rx.Var[bool], hidden: str) -> rx.Var[str]:
    return rx.cond(is_loaded, "", hidden).to(str)


def _duration(minutes: int) -> rx.Component:
    return ui.muted(
        _(
            "It takes about {minutes} minutes. You can stop and carry on later: every step is saved.",
            minutes=str(minutes),
        ),
        top=2,
    )


def _loading_button() -> rx.Component:
    return rx.el.div(class_name="skeleton h-12 w-full rounded-pill appear md:w-28", aria_hidden="true")


def _start(pages: FlowPages) -> rx.Component:
    return ui.when(
        FlowRun.drafts.length() > 0,
        rx.el.h2(_("Carry on where you left off")),
        ui.item_list(FlowRun.drafts, lambda entry: _draft_card(pages, entry), gap=4, top=4),
        _begin(_("Start a new request"), "secondary", class_name="mt-6"),
        otherwise=_first_question(pages),
    )


_OFFERED = 4
"""Entries of the intro: more would push the rest of the page away."""


def _first_question(pages: FlowPages) -> rx.Component:
    """The start button; or what the request can be about, each with a button that begins with it."""
    if pages.subject.offers is None:
        return _begin(_("Start"), "primary")
    offers = pages.subject.offers()
    entries = offers.entries[:_OFFERED]
    named = rx.foreach(
        offers.entries, lambda entry: rx.cond(entry.id == FlowRun.wanted, _offer(offers, entry, rx.fragment()))
    )
    listed = rx.foreach(
        entries, lambda entry: rx.cond(entry.refusal == "", _offer(offers, entry, _take(offers, entry)))
    )
    others = (
        rx.fragment()
        if offers.others is None
        else rx.foreach(
            offers.others[:_OFFERED], lambda entry: _offer(offers, entry, _take(offers, entry, flow=entry.flow))
        )
    )
    return rx.fragment(
        rx.cond(
            FlowRun.wanted != "",
            rx.el.ul(named, class_name="mb-6 empty:hidden"),
            rx.el.div(
                ui.subheading(offers.label),
                rx.el.ul(listed, others, class_name="offers mt-3 space-y-3"),
                _begin(offers.another, "text", class_name="mt-2"),
                class_name="peer not-has-[li]:hidden",
            ),
        ),
        _begin(_("Start"), "primary", class_name="peer-has-[li]:hidden"),
    )


def _offer(offers: Offers, entry: Any, button: rx.Component) -> rx.Component:
    more = [] if offers.details is None else [offers.details(entry)]
    return rx.el.li(
        picture(entry.picture, "6rem", "w-16 sm:w-24"),
        rx.el.div(
            ui.strong(entry.name),
            *more,
            class_name=f"min-w-0 grow wrap-anywhere {'basis-28' if offers.details is None else 'basis-44'}",
        ),
        button,
        class_name="flex flex-wrap items-center gap-3 rounded-card border border-line bg-white p-3 sm:gap-x-4 sm:p-4",
        key=entry.id,
    )


def _take(offers: Offers, entry: Any, flow: rx.Var[str] | str = "") -> rx.Component:
    mark = [] if offers.mark is None else [offers.mark(entry)]
    text = rx.fragment(_("Choose"), ui.hidden_text(": ", entry.name, *mark))
    return ui.event_form(
        ui.submit_button(text, _("Choose"), wide=False),
        # pyrefly: ignore[no-matching-overload]  # parameters with defaults are not in its type
        on_send=lambda _values: FlowRun.begin(entry.id, False, flow),
        answered=FlowRun.answered,
        # On a phone the name needs the room more than the button does.
        class_name="max-sm:[&_.btn]:px-4" if offers.details is None else "max-sm:w-full max-sm:[&_.btn]:w-full",
    )


def _begin(text: Text, style: ui.Style, class_name: str = "") -> rx.Component:
    return ui.event_form(
        ui.submit_button(text, text, style=style),
        # pyrefly: ignore[no-matching-overload]  # parameters with defaults are not in its type
        on_send=lambda _values: FlowRun.begin(FlowRun.wanted, False),
        answered=FlowRun.answered,
        class_name=class_name,
    )


def _draft_card(pages: FlowPages, entry: Draft) -> rx.Component:
    name = rx.cond(entry.name == "", pages.subject.unnamed(pages.flow, entry), entry.name)
    return rx.el.li(
        ui.card(
            rx.el.h3(name.to(str)),
            ui.muted(_("Saved on {day}", day=day(entry.updated_at)), top=1),
            ui.row(
                ui.link_button(_("Carry on with your request"), _address(entry)),
                ui.confirm_button(
                    _("Start over"),
                    _("Start over?"),
                    _("Everything you filled in for this request will be deleted."),
                    act=_("Start over"),
                    safe=_("Keep the request"),
                    # pyrefly: ignore[no-matching-overload]  # parameters with defaults are not in its type
                    on_confirm=FlowRun.begin(entry.subject, True),
                ),
                ui.confirm_button(
                    _("Delete"),
                    _("Delete this request?"),
                    _("Everything you filled in for this request will be deleted."),
                    act=_("Delete"),
                    safe=_("Keep the request"),
                    on_confirm=FlowRun.discard(entry.draft_id),
                    style="text",
                ),
                top=4,
            ),
        )
    )


def _closed(pages: FlowPages) -> rx.Component:
    reason = ui.notice(
        ui.text(refusal(code=FlowRun.closed)),
        ui.stack(ui.link_button(_("Contact us"), "/contact", "secondary"), top=4),
        title=_("Not available"),
        tone="warn",
    )
    return pages.subject.closed_page(reason)


def _address(draft: Draft) -> str:
    return f"/{draft.flow}?draft={draft.draft_id}"


def draft_list(drafts: rx.vars.ArrayVar[Sequence[DraftSummary]], on_discard: Any) -> rx.Component:
    return rx.cond(
        drafts.length() > 0,
        rx.el.section(
            ui.subheading(_("Carry on where you left off")),
            rx.el.ul(
                _row(drafts[0], on_discard, newest=True),
                rx.foreach(drafts[1:], lambda entry: _row(entry, on_discard, newest=False)),
                class_name="mt-3 divide-y divide-line overflow-hidden rounded-card border-2 border-ink bg-white",
            ),
            class_name="mt-8",
        ),
    )


def _row(entry: rx.vars.ObjectVar[DraftSummary], on_discard: Any, *, newest: bool) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(
                choice(entry.flow, {name: flow.title for name, flow in FLOWS.items()}),
                class_name="text-h3" if newest else "text-base font-semibold",
            ),
            ui.muted(
                rx.cond(entry.name == "", "", entry.name.to(str) + " · "),
                _("Saved on {day}", day=day(entry.updated_at)),
            ),
            class_name="min-w-0 grow",
        ),
        ui.link_button(_("Continue"), _address(entry), "primary" if newest else "secondary"),
        ui.confirm_button(
            _("Delete"),
            _("Delete this request?"),
            _("Everything you filled in for this request will be deleted."),
            act=_("Delete"),
            safe=_("Keep the request"),
            on_confirm=on_discard(entry.draft_id),
            style="text",
        ),
        class_name="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 md:px-6 " + ("py-6" if newest else "py-4"),
    )
