"""The list of requests, the page of one request, and the status pages (part-1 §2)."""

from __future__ import annotations

import reflex as rx

from portal.bikes.api import BikeSummary
from portal.bikes.pages.bikes import bike_row
from portal.frontend.accounts import chosen_way
from portal.frontend.layout import title
from portal.frontend.live import live_line, request_loading
from portal.frontend.load import READY
from portal.frontend.load_views import (
    CARD,
    COVERING,
    ROW_PICTURE,
    card_body,
    card_fact,
    card_facts,
    detail_title,
    earlier_row,
    going_on_page,
    help_card,
    loaded,
    unless_missing,
    view_status,
)
from portal.frontend.messages import field_message
from portal.frontend.registry import PageRoute
from portal.i18n import _, day, localized, ngettext
from portal.pictures.pages.views import picture
from portal.ui import (
    back_link,
    badge,
    card,
    choice_cards,
    empty_state,
    error_summary,
    event_form,
    illustrations,
    link_button,
    page_frame,
    pagination,
    section,
    skeleton_cards,
    submit_button,
    text_link,
)
from portal.ui.flow import step_heading
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.pages.state import BIKE, CHOOSE, Maintenance, RequestPage, StatusBikes, StatusOfBike
from portal.work_orders.pages.views import RequestListItem
from portal.work_orders.pages.work_order_components import request_body


def maintenance() -> rx.Component:
    """Show the list of repairs, services and claims."""
    return going_on_page(
        Maintenance,
        "/maintenance",
        title=_("Service requests"),
        failure=_("Your service requests couldn’t be loaded."),
        going_on=_going_on,
        earlier=_earlier,
        below=rx.el.p(link_button(_(REPAIR.title), REPAIR.path, "secondary"), class_name="mt-10"),
        empty=_empty(),
    )


def _going_on(request: rx.vars.ObjectVar[RequestListItem]) -> rx.Component:
    """Show an open request as a card, with the meaning of its status and the chosen handover."""
    way = chosen_way(request.account.handover)
    return rx.el.li(
        card_body(
            picture(request.picture, "(min-width: 48rem) 10rem, 5rem", "w-full"),
            _heading(request),
            badge(localized(request.account.status), request.tone),
            rx.el.p(localized(request.account.meaning), class_name="text-lg"),
            card_facts(
                card_fact(_("Reported on"), day(request.created)),
                rx.cond(way != "", card_fact(_("How your bike gets there"), way)),
                rx.cond(
                    localized(request.account.handover.when) != "",
                    card_fact(_("When"), localized(request.account.handover.when)),
                ),
                rx.cond(request.partner != "", card_fact(_("Service location"), request.partner)),
                card_fact(_("Reference number"), request.reference),
            ),
            view_status(),
        ),
        class_name=CARD,
    )


def _earlier(request: rx.vars.ObjectVar[RequestListItem]) -> rx.Component:
    return earlier_row(
        _heading(request),
        _("Reported on {day}", day=day(request.created)),
        badge(localized(request.account.status), request.tone),
        picture(request.picture, "6rem", ROW_PICTURE),
    )


def _heading(request: rx.vars.ObjectVar[RequestListItem]) -> rx.Component:
    """Show name and title of a request. The link covers the whole card."""
    return rx.el.div(
        rx.el.h3(
            rx.el.a(
                localized(request.account.title),
                rx.el.span(", ", request.title, ", ", request.bike_mark, class_name="sr-only"),
                to=request.href,
                class_name=COVERING,
            ),
            class_name="text-balance",
        ),
        rx.el.p(request.title, class_name="mt-1 text-ink-600", aria_hidden="true"),
        rx.cond(
            request.bike_mark != "",
            rx.el.p(request.bike_mark, class_name="text-ink-600 tabular-nums", aria_hidden="true"),
        ),
        class_name="min-w-0",
    )


def _empty() -> rx.Component:
    return empty_state(
        _("You have no service requests yet"),
        _("Follow any repair, service or claim you request here."),
        link_button(_(REPAIR.title), REPAIR.path),
        illustrations.workshop(),
    )


def request() -> rx.Component:
    """Show one repair, service or claim."""
    known = RequestPage.view_state == READY
    return unless_missing(
        RequestPage,
        page_frame(
            loaded(
                RequestPage,
                request_body(RequestPage),
                failure=_("Your service request couldn’t be loaded."),
                loading=request_loading(),
            ),
            title=rx.cond(known, localized(RequestPage.request.account.title), _("Service request")).to(str),
            back=back_link(_("Service requests"), "/maintenance"),
        ),
    )


_TITLE = _("Which bike is it about?")
_STEPS = 2


def choose() -> rx.Component:
    """Show step 0: choose a bike with an open request."""
    error = _error()
    return page_frame(
        step_heading(_TITLE, _counter(1), rx.Var.create(1), rx.Var.create(_STEPS)),
        loaded(
            StatusBikes,
            rx.fragment(
                rx.cond(
                    StatusBikes.open.length() > 0,
                    rx.fragment(_form(error), _others()),
                    _nothing(),
                ),
                live_line(StatusBikes, seen=False),
            ),
            failure=_("Your bikes couldn’t be loaded."),
            loading=skeleton_cards(2, "h-28"),
        ),
        above=error_summary({BIKE: error}, StatusBikes.attempt),
        back=back_link(_("Overview"), "/dashboard"),
        narrow=True,
        beside=help_card(rx.Var.create("")),
    )


def see() -> rx.Component:
    """Show step 1: the status of the chosen bike."""
    return page_frame(
        step_heading(
            _see_title(),
            _counter(2),
            rx.Var.create(2),
            rx.Var.create(_STEPS),
        ),
        loaded(
            StatusOfBike,
            rx.fragment(
                request_body(StatusOfBike),
                rx.el.p(text_link(_("All your service requests"), "/maintenance"), class_name="mt-12"),
            ),
            failure=_("Your service request couldn’t be loaded."),
            loading=request_loading(),
        ),
        back=back_link(_("Previous step"), f"{CHOOSE}?{BIKE}={StatusOfBike.request.bike_id}"),
    )


def _see_title() -> rx.Var[str]:
    known = StatusOfBike.view_state == READY
    return rx.cond(known, localized(StatusOfBike.request.account.title), _("Status of your bike")).to(str)


def _counter(number: int) -> rx.Var[str]:
    return _("Step {x} of {y} · {name}", x=rx.Var.create(number), y=rx.Var.create(_STEPS), name=_("View the status"))


def _error() -> rx.Var[str]:
    return field_message(StatusBikes.missing, _("Bike"), required=_("Choose a bike."))


def _form(error: rx.Var[str]) -> rx.Component:
    cards = rx.foreach(StatusBikes.open, _option)
    return event_form(
        choice_cards(BIKE, _("Bikes with a request under way"), cards, error=error, columns=""),
        pagination(StatusBikes.page, StatusBikes.pages, to=lambda page: f"{CHOOSE}?page=" + page.to_string()),
        submit_button(_("View the status"), _("Loading…")),
        on_send=StatusBikes.choose,
        answered=StatusBikes.answered,
    )


def _option(bike: rx.vars.ObjectVar[BikeSummary]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=BIKE,
            value=bike.bike_id,
            default_checked=StatusBikes.chosen == bike.bike_id,
            class_name="size-6 shrink-0 accent-ink",
        ),
        bike_row(bike),
        class_name="choice",
    )


def _others() -> rx.Component:
    """Show the bikes without an open request, so that the customer does not miss them."""
    return rx.cond(
        StatusBikes.others.length() > 0,
        section(
            _("No request under way for"),
            rx.el.ul(
                rx.foreach(
                    StatusBikes.others,
                    lambda bike: rx.el.li(
                        bike_row(bike),
                        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
                    ),
                ),
                class_name="space-y-3",
            ),
            rx.cond(
                StatusBikes.further > 0,
                rx.el.p(
                    ngettext("And {n} more bike.", "And {n} more bikes.", StatusBikes.further),
                    " ",
                    text_link(_("Your bikes"), "/bikes"),
                    class_name="mt-4",
                ),
            ),
            rx.el.p(text_link(_("View earlier service requests"), "/maintenance"), class_name="mt-4"),
        ),
    )


def _nothing() -> rx.Component:
    return rx.fragment(
        empty_state(
            _("No bikes to repair"),
            _("None of your bikes has a repair, service or claim under way."),
            link_button(_(REPAIR.title), REPAIR.path),
            illustrations.workshop(),
        ),
        card(
            rx.el.p(_("Looking for a request that’s finished?")),
            rx.el.p(text_link(_("View earlier service requests"), "/maintenance"), class_name="mt-1"),
            class_name="mt-4",
        ),
    )


def _step(number: int) -> rx.Var[str]:
    return _("Step {x} of {y}", x=rx.Var.create(number), y=rx.Var.create(_STEPS))


PAGES = [
    PageRoute(
        "maintenance",
        maintenance,
        title(_("Service requests")),
        on_load=[Maintenance.load, Maintenance.watch],
        first=Maintenance,
    ),
    PageRoute(
        "maintenance/[reference]",
        request,
        detail_title(
            RequestPage,
            rx.cond(
                RequestPage.view_state == READY, localized(RequestPage.request.account.title), _("Service request")
            ).to(str),
        ),
        on_load=[RequestPage.load, RequestPage.watch],
        first=RequestPage,
    ),
    PageRoute(
        "status",
        choose,
        title(_TITLE, _step(1), _("View the status"), failed=StatusBikes.missing != ""),
        on_load=[StatusBikes.load, StatusBikes.watch],
    ),
    PageRoute(
        "status/step-1",
        see,
        title(_see_title(), _step(2), _("View the status")),
        on_load=[StatusOfBike.load, StatusOfBike.watch],
    ),
]
