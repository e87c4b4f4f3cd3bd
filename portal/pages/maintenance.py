"""Service requests: what is going on, and what was before (part-1 §2 Account area)."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from portal.i18n import Text, _, day
from portal.pages.layout import title
from portal.pages.parts.faces import faced
from portal.pages.parts.texts import request_kind, request_meaning, request_status
from portal.pages.registry import Page
from portal.states.maintenance import Maintenance
from portal.states.views.requests import RequestRow
from portal.ui import (
    anchor,
    badge,
    card,
    empty_state,
    illustrations,
    link_button,
    page_frame,
    pagination,
    skeleton_cards,
    text_link,
)


def maintenance() -> rx.Component:
    """Repairs, services and claims."""
    return page_frame(
        faced(
            Maintenance,
            rx.cond(Maintenance.total > 0, _list(), _empty()),
            failure=_("Your service requests could not be loaded."),
            waiting=skeleton_cards(2, "h-56"),
        ),
        title=_("Service requests"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        rx.cond(Maintenance.going_on.length() > 0, _part(_("Going on"), Maintenance.going_on)),
        rx.cond(Maintenance.earlier.length() > 0, _part(_("Earlier"), Maintenance.earlier)),
        pagination(Maintenance.page, Maintenance.pages, to=lambda page: "/maintenance?page=" + page.to_string()),
    )


def _part(heading: Text, requests: rx.vars.ArrayVar[Sequence[RequestRow]]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading),
        rx.el.ul(rx.foreach(requests, _request), class_name="mt-4 space-y-4"),
        class_name="mt-10",
    )


def _request(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    return rx.el.li(
        card(
            rx.el.div(
                rx.el.div(
                    rx.el.h3(request.title),
                    rx.el.p(
                        rx.el.span(request_kind(request.kind)),
                        rx.el.span("·", class_name="mx-2", aria_hidden="true"),
                        text_link(request.bike_name, f"/bikes/{request.bike_id}"),
                        class_name="mt-1 text-ink-600",
                    ),
                    class_name="min-w-0",
                ),
                badge(request_status(request.status), request.tone),
                class_name="flex flex-wrap items-start justify-between gap-x-6 gap-y-3",
            ),
            rx.el.p(request_meaning(request.status, request.kind), class_name="mt-4 font-semibold"),
            rx.cond(
                request.description != "",
                rx.el.p(request.description, class_name="mt-2 max-w-form whitespace-pre-line"),
            ),
            rx.el.dl(
                _fact(_("Reported on"), day(request.created)),
                rx.cond(request.planned != "", _fact(_("Planned for"), day(request.planned))),
                _fact(_("Reference"), request.reference),
                rx.cond(request.partner != "", _partner(request)),
                class_name="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4",
            ),
            rx.cond(~request.closed, _no_news(request)),
            class_name="md:p-8",
        )
    )


def _fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"), rx.el.dd(value, class_name="font-semibold tabular-nums")
    )


def _partner(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    return _fact(
        _("Service partner"),
        rx.fragment(
            request.partner,
            rx.cond(
                request.phone != "",
                anchor(
                    request.phone,
                    href=f"tel:{request.phone_number}",
                    class_name="block w-fit text-link underline font-normal",
                ),
            ),
        ),
    )


def _no_news(request: rx.vars.ObjectVar[RequestRow]) -> rx.Component:
    """Whom to ask when it takes long (part-1 §4)."""
    return rx.el.p(
        rx.cond(
            request.partner != "",
            _("No news after 3 weeks? Contact {partner}.", partner=request.partner),
            _("No news after 3 weeks? Contact us."),
        ),
        " ",
        text_link(_("Customer service"), "/contact?topic=status"),
        class_name="mt-5 text-sm text-ink-600",
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no service requests yet"),
        _("A repair, service or claim that you report can be followed here."),
        link_button(_("Request a service"), "/contact?topic=service"),
        illustrations.workshop(),
    )


PAGES = [Page("maintenance", maintenance, title(_("Service requests")), on_load=[Maintenance.load], first=Maintenance)]
