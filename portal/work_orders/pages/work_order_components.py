"""Components for one request: status, phases, service location and history."""

from __future__ import annotations

import reflex as rx

from portal.contract.account import AccountFact
from portal.conversations.pages.components import answer_asked, conversation
from portal.frontend.accounts import amounts_box, handover_card, next_steps, phases
from portal.frontend.file_views import file_list
from portal.frontend.live import live_line
from portal.frontend.load_views import account_fact, help_card, reference_number, status_panel, text_fact
from portal.i18n import _, choice, day, localized
from portal.pictures.pages.views import picture
from portal.ui import LINK, anchor, badge, card, contact_buttons, notice, section, text_link
from portal.ui.lists import event_line, note, timeline
from portal.vocabulary.locations import TYPE_NAMES
from portal.work_orders.pages.state import OneRequest
from portal.work_orders.pages.views import EventView, PartnerView, RequestView


def history(events: rx.vars.ArrayVar[list[EventView]]) -> rx.Component:
    """Show the history of a request; `events` are newest first."""
    return timeline(events, lambda event, newest: _event(event, newest=newest))


def _event(event: rx.vars.ObjectVar[EventView], *, newest: rx.Var[bool]) -> rx.Component:
    return event_line(
        rx.cond(event.moved, localized(event.label), _("Message from the workshop")).to(str),
        event.at,
        rx.cond(event.moved, rx.el.p(localized(event.meaning), class_name="mt-1 max-w-form")),
        rx.cond(
            event.planned != "",
            rx.el.p(_("Planned for {day}", day=day(event.planned)), class_name="mt-1 font-semibold"),
        ),
        note(event.note),
        newest=newest,
    )


def request_body(page: type[OneRequest]) -> rx.Component:
    request = page.request
    account = request.account
    return rx.fragment(
        _status_block(request),
        live_line(page, localized(account.status)),
        answer_asked(page),
        _progress(request),
        rx.el.div(
            rx.el.div(
                rx.cond(
                    account.next_steps.length() > 0,
                    section(_("What happens next"), next_steps(account)),
                ),
                conversation(page),
                _quiet(request),
                section(_("What happened"), history(request.events.to(list[EventView]))),
                section(_("Your request"), _facts(request)),
                class_name="min-w-0",
            ),
            rx.el.div(
                rx.cond(
                    account.handover,
                    section(_("How your bike gets there"), handover_card(account.handover)),
                ),
                amounts_box(account),
                section(_("Service location"), _partner(request)),
                rx.el.div(help_card(request.reference_in_groups), class_name="mt-10"),
                class_name="min-w-0",
            ),
            class_name="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:items-start lg:gap-12",
        ),
    )


def _status_block(request: rx.vars.ObjectVar[RequestView]) -> rx.Component:
    """Show status, planned day and bike on a dark background, at the top of the page."""
    return status_panel(
        badge(localized(request.account.status), request.tone),
        rx.el.p(localized(request.account.meaning), class_name="mt-4 text-h3 md:text-h2"),
        rx.cond(
            request.account.handover.day.bool() & ~request.closed,
            rx.el.p(
                _("Planned for {day}", day=localized(request.account.handover.when)),
                class_name="mt-3 text-lg font-semibold",
            ),
        ),
        rx.el.p(_("Reported on {day}", day=day(request.created)), class_name="mt-3"),
        picture=picture(request.picture, "(min-width: 64rem) 24rem, 18rem", "w-full"),
    )


def _progress(request: rx.vars.ObjectVar[RequestView]) -> rx.Component:
    """Show the phases; nothing if there is no current phase."""
    return rx.el.div(phases(request.account, _("Progress of your request")), class_name="mt-6")


def _quiet(request: rx.vars.ObjectVar[RequestView]) -> rx.Component:
    """Show the way to customer service; after three weeks without news a warning (part-1 §4)."""
    partner = request.partner.to(PartnerView).name
    ask = rx.cond(
        partner != "",
        _("Is it taking longer than {silence_weeks} weeks? Call {partner}.", partner=partner),
        _("Is it taking longer than {silence_weeks} weeks? Call us, and we’ll find out why."),
    ).to(str)
    service = rx.el.p(text_link(_("Go to customer service"), "/contact?topic=status"), class_name="mt-1")
    return rx.cond(
        ~request.closed,
        rx.cond(
            request.quiet,
            rx.el.div(
                notice(
                    ask,
                    service,
                    title=_("You’ve heard nothing since {day}", day=day(request.news)),
                    tone="warn",
                ),
                class_name="mt-8",
            ),
            rx.el.div(service, class_name="mt-4"),
        ),
    )


def _partner(request: rx.vars.ObjectVar[RequestView]) -> rx.Component:
    partner = request.partner.to(PartnerView)
    return rx.cond(
        partner.name != "",
        card(
            rx.el.h3(partner.name),
            rx.el.p(choice(partner.kind, TYPE_NAMES), class_name="text-ink-600"),
            # The card above says where the bike goes; the same address is not said twice.
            rx.cond(
                request.account.handover.bool() & request.account.handover.place.contains(partner.street),
                rx.fragment(),
                rx.el.address(
                    rx.el.span(partner.street, class_name="block"),
                    rx.el.span(partner.place, class_name="block"),
                    class_name="mt-3 not-italic",
                ),
            ),
            contact_buttons(partner.phone, partner.phone_number, partner.route),
            rx.cond(
                partner.email != "",
                rx.el.p(
                    anchor(partner.email, href=f"mailto:{partner.email}", class_name=f"{LINK} break-words text-sm"),
                    class_name="mt-4",
                ),
            ),
        ),
        card(
            rx.el.p(
                rx.cond(
                    request.closed,
                    _("No service location was assigned."),
                    _("Not assigned yet. You’ll see the location here as soon as we know it."),
                ),
                class_name="text-ink-600",
            )
        ),
    )


def _facts(request: rx.vars.ObjectVar[RequestView]) -> rx.Component:
    reference = reference_number(request.reference, request.reference_in_groups)
    return card(
        rx.el.dl(
            text_fact(_("Reference number"), reference),
            text_fact(_("Reported on"), day(request.created)),
            text_fact(
                _("Frame number"), rx.cond(request.frame_number == "", _("Unknown"), request.frame_number).to(str)
            ),
            class_name="space-y-4",
        ),
        rx.el.dl(rx.foreach(request.account.facts.to(list[AccountFact]), account_fact), class_name="mt-4 space-y-4"),
        rx.cond(
            request.files.length() > 0,
            rx.el.div(
                rx.el.h3(_("Photos and other files"), class_name="text-sm font-normal text-ink-600"),
                rx.el.div(file_list(request.files), class_name="mt-2"),
                class_name="mt-4",
            ),
        ),
        rx.el.p(text_link(_("View your bike"), f"/bikes/{request.bike_id}"), class_name="mt-4"),
    )
