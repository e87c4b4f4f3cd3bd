"""Service requests: what is going on, and what was before (part-1 §2 Account area)."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.flows.repair import REPAIR
from portal.i18n import Text, _, day
from portal.pages.layout import title
from portal.pages.parts.faces import faced
from portal.pages.parts.request import live_line, request_name
from portal.pages.parts.rows import chevron
from portal.pages.parts.texts import request_meaning, request_status
from portal.pages.registry import Page
from portal.states.maintenance import Maintenance
from portal.states.views.requests import RequestRow
from portal.ui import (
    badge,
    empty_state,
    illustrations,
    link_button,
    page_frame,
    pagination,
    skeleton_cards,
)


def maintenance() -> rx.Component:
    """Repairs, services and claims."""
    return page_frame(
        faced(
            Maintenance,
            rx.fragment(live_line(Maintenance), rx.cond(Maintenance.total > 0, _list(), _empty())),
            failure=_("Your service requests could not be loaded."),
            waiting=skeleton_cards(2, "h-48"),
        ),
        title=_("Service requests"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        rx.cond(Maintenance.going_on.length() > 0, _part(_("In progress"), Maintenance.going_on, _going_on)),
        rx.cond(Maintenance.earlier.length() > 0, _part(_("Earlier"), Maintenance.earlier, _earlier)),
        pagination(Maintenance.page, Maintenance.pages, to=lambda page: "/maintenance?page=" + page.to_string()),
        rx.el.p(link_button(_(REPAIR.title), REPAIR.path, "secondary"), class_name="mt-10"),
    )


def _part(heading: Text, requests: rx.vars.ArrayVar[Sequence[RequestRow]], shown: object) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading),
        rx.el.ul(rx.foreach(requests, shown), class_name="mt-4 space-y-4"),  # pyright: ignore[reportArgumentType]
        class_name="mt-8",
    )


def _going_on(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """A request that is going on: what it means comes with it."""
    return rx.el.li(
        rx.el.div(
            _heading(request),
            badge(request_status(request.status), request.tone),
            class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-3",
        ),
        rx.el.p(request_meaning(request.status, request.kind), class_name="mt-4 text-lg"),
        rx.el.dl(
            _fact(_("Reported on"), day(request.created)),
            rx.cond(request.planned != "", _fact(_("Planned for"), day(request.planned))),
            rx.cond(request.partner != "", _fact(_("Service location"), request.partner)),
            _fact(_("Reference number"), request.reference),
            class_name="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4",
        ),
        rx.el.p(
            _("View the status"),
            chevron(),
            class_name="mt-5 flex items-center gap-1 font-semibold",
            aria_hidden="true",
        ),
        class_name="group card relative hover:shadow-card md:p-8",
    )


def _earlier(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """A request that is over, in a row."""
    return rx.el.li(
        rx.el.div(
            _heading(request),
            rx.el.p(_("Reported on {day}", day=day(request.created)), class_name="text-sm text-ink-600"),
            class_name="min-w-0 grow",
        ),
        badge(request_status(request.status), request.tone),
        chevron("max-sm:hidden"),
        class_name="group card relative flex flex-wrap items-center gap-x-6 gap-y-3 hover:shadow-card",
    )


def _heading(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """What it is about, then the words it was sent with; the link to it covers the whole card."""
    return rx.el.div(
        rx.el.h3(
            rx.el.a(
                request_name(request),
                rx.el.span(", ", request.title, class_name="sr-only"),
                to=request.href,
                class_name="text-ink no-underline after:absolute after:inset-0 after:rounded-card",
            ),
            class_name="text-balance",
        ),
        rx.el.p(request.title, class_name="mt-1 text-ink-600", aria_hidden="true"),
        class_name="min-w-0",
    )


def _fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"), rx.el.dd(value, class_name="font-semibold tabular-nums")
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
