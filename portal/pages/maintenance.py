"""Service requests: what is going on, and what was before (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal.flows.repair import REPAIR
from portal.i18n import _, day
from portal.pages.layout import title
from portal.pages.parts.going_on import (
    CARD,
    COVERING,
    card_fact,
    card_facts,
    card_head,
    earlier_row,
    going_on_page,
    view_status,
)
from portal.pages.parts.request import request_name
from portal.pages.parts.texts import request_meaning, request_status
from portal.pages.registry import Page
from portal.states.maintenance import Maintenance
from portal.states.views.requests import RequestRow
from portal.ui import badge, empty_state, illustrations, link_button


def maintenance() -> rx.Component:
    """Repairs, services and claims."""
    return going_on_page(
        Maintenance,
        "/maintenance",
        title=_("Service requests"),
        failure=_("Your service requests could not be loaded."),
        going_on=_going_on,
        earlier=_earlier,
        below=rx.el.p(link_button(_(REPAIR.title), REPAIR.path, "secondary"), class_name="mt-10"),
        empty=_empty(),
    )


def _going_on(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """A request that is going on: what it means comes with it."""
    return rx.el.li(
        card_head(_heading(request), badge(request_status(request.status), request.tone)),
        rx.el.p(request_meaning(request.status, request.kind), class_name="mt-4 text-lg"),
        card_facts(
            card_fact(_("Reported on"), day(request.created)),
            rx.cond(request.planned != "", card_fact(_("Planned for"), day(request.planned))),
            rx.cond(request.partner != "", card_fact(_("Service location"), request.partner)),
            card_fact(_("Reference number"), request.reference),
        ),
        view_status(),
        class_name=CARD,
    )


def _earlier(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """A request that is over, in a row."""
    return earlier_row(
        _heading(request),
        _("Reported on {day}", day=day(request.created)),
        badge(request_status(request.status), request.tone),
    )


def _heading(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """What it is about, then the words it was sent with; the link to it covers the whole card."""
    return rx.el.div(
        rx.el.h3(
            rx.el.a(
                request_name(request),
                rx.el.span(", ", request.title, class_name="sr-only"),
                to=request.href,
                class_name=COVERING,
            ),
            class_name="text-balance",
        ),
        rx.el.p(request.title, class_name="mt-1 text-ink-600", aria_hidden="true"),
        class_name="min-w-0",
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no service requests yet"),
        _("A repair, service or claim that you report can be followed here."),
        link_button(_(REPAIR.title), REPAIR.path),
        illustrations.workshop(),
    )


PAGES = [
    Page(
        "maintenance",
        maintenance,
        title(_("Service requests")),
        on_load=[Maintenance.load, Maintenance.watch],
        first=Maintenance,
    )
]
