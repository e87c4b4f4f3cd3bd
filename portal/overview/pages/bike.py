"""The page of a bike: actions, service, timeline, details (part-1 §2, §3)."""

from __future__ import annotations

import reflex as rx

from portal.contracts.pages.components import contract_card
from portal.frontend.actions import action_list, action_name, reason_list
from portal.frontend.live import live_line
from portal.frontend.load_views import detail_title, is_here, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.texts import departure_stated
from portal.i18n import _, day
from portal.overview.pages.bike_components import bike_care, bike_due, groups, identity
from portal.overview.pages.bike_story import bike_story
from portal.overview.pages.state import BikeDetail
from portal.pictures.pages import picture
from portal.ui import LINK, back_link, badge, loading_block, notice, page_frame, skeleton, text_link
from portal.ui.lists import chevron

_BIKE = BikeDetail.bike
_HEADING = rx.cond(is_here(BikeDetail) & _BIKE.bool(), _BIKE.name, _("Bike")).to(str)
_SMALL_LINK = f"{LINK} inline-flex min-h-11 items-center"


def bike() -> rx.Component:
    return unless_missing(
        BikeDetail,
        page_frame(
            loaded(BikeDetail, _content(), failure=_("This bike couldn’t be loaded."), loading=_loading()),
            title=_HEADING,
            back=back_link(_("Bikes"), "/bikes"),
        ),
    )


def _content() -> rx.Component:
    return rx.fragment(
        _hero(),
        live_line(BikeDetail),
        _warnings(),
        bike_due(),
        _actions(),
        bike_care(),
        rx.cond(
            BikeDetail.contracts.length() > 0,
            rx.el.section(
                rx.el.div(
                    rx.el.h2(_("Contracts")),
                    text_link(_("Your contracts"), "/contracts", _SMALL_LINK),
                    class_name="flex flex-wrap items-baseline justify-between gap-x-6",
                ),
                rx.el.ul(rx.foreach(BikeDetail.contracts, contract_card), class_name="mt-4 grid gap-5 lg:grid-cols-2"),
                class_name="mt-12",
            ),
        ),
        bike_story(),
        rx.el.h2(_("About this bike"), class_name="mt-12"),
        groups(),
    )


def _hero() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                rx.cond(_BIKE.open_request, badge(_("Request under way"), "info")),
                rx.cond(
                    ~_BIKE.warranty_expired & ~_BIKE.departure.bool(),
                    badge(_("Warranty until {day}", day=day(_BIKE.warranty_until)), "ok"),
                ),
                class_name="flex flex-wrap gap-2",
            ),
            rx.el.p(
                text_link(_("Order {number}", number=_BIKE.order_number), f"/orders/{_BIKE.order_number}"),
                " ",
                rx.el.span(_("placed on {day}", day=day(_BIKE.order_date))),
                class_name="mt-4 text-ink-600",
            ),
            # The heading names the brand. On a phone these would push away what is due.
            rx.el.dl(
                *identity(),
                class_name="mt-4 grid gap-3 max-md:hidden",
            ),
            rx.cond(
                BikeDetail.returnable,
                rx.el.p(
                    text_link(_("Return this bike"), f"/return-request?bike={_BIKE.bike_id}", _SMALL_LINK),
                    text_link(_("Exchange this bike"), f"/exchange-request?bike={_BIKE.bike_id}", _SMALL_LINK),
                    class_name="mt-2 flex flex-wrap gap-x-6",
                ),
            ),
            class_name="order-2 p-6 md:order-1 md:p-10",
        ),
        rx.el.div(
            picture(
                _BIKE.picture,
                "(min-width: 48rem) 34rem, 90vw",
                "w-full rounded-none",
                eager=True,
            ),
            class_name="order-1 md:order-2",
        ),
        class_name="mt-6 grid items-center overflow-hidden rounded-panel border border-line bg-white "
        "md:grid-cols-[2fr_3fr]",
    )


def _warnings() -> rx.Component:
    return rx.el.div(
        rx.cond(
            _BIKE.departure,
            notice(
                rx.el.p(
                    text_link(_("Your returns"), "/returns", _SMALL_LINK),
                    text_link(
                        _("Order {number}", number=_BIKE.order_number), f"/orders/{_BIKE.order_number}", _SMALL_LINK
                    ),
                    class_name="flex flex-wrap gap-x-6",
                ),
                title=departure_stated(_BIKE.departure),
                tone="warn",
            ),
        ),
        rx.cond(
            _BIKE.warranty_expired & ~_BIKE.departure.bool(),
            notice(
                _("You now pay for a repair, unless your service package or insurance covers it."),
                title=_("The warranty expired on {day}", day=day(_BIKE.warranty_until)),
                tone="warn",
            ),
        ),
        rx.cond(
            (_BIKE.frame_number == "") & ~_BIKE.departure.bool(),
            notice(
                _("We need it to book a repair or service. You’ll find it under the bike, between the pedals."),
                rx.el.p(text_link(_("Tell us the frame number"), "/contact?topic=repair"), class_name="mt-1"),
                title=_("We don’t know the frame number of this bike"),
                tone="warn",
            ),
        ),
        class_name="mt-4 space-y-4 empty:hidden",
    )


def _actions() -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("What you can do for this bike")),
        rx.el.div(action_list(BikeDetail.actions, grid="four"), class_name="mt-4"),
        rx.cond(
            BikeDetail.closed.length() > 0,
            rx.el.details(
                rx.el.summary(
                    rx.el.div(
                        rx.el.h3(_("Not available"), class_name="text-base"),
                        rx.el.p(
                            rx.foreach(
                                BikeDetail.closed, lambda action: rx.el.span(action_name(action), class_name="named")
                            ),
                            class_name="text-ink-600",
                        ),
                        class_name="min-w-0",
                    ),
                    chevron("rotate-90 group-open:-rotate-90"),
                    class_name="flex min-h-11 cursor-pointer list-none items-center justify-between gap-4",
                ),
                rx.el.div(reason_list(BikeDetail.closed), class_name="mt-3"),
                class_name="group mt-4",
            ),
        ),
        class_name="mt-12",
    )


def _loading() -> rx.Component:
    return loading_block(
        skeleton("h-56 w-full rounded-panel"),
        rx.el.div(
            *[skeleton("h-16 md:h-24 rounded-card") for _i in range(4)],
            class_name="mt-10 grid gap-4 md:grid-cols-2 lg:grid-cols-4",
        ),
        rx.el.div(*[skeleton("h-64 rounded-card") for _i in range(2)], class_name="mt-10 grid gap-5 lg:grid-cols-2"),
        class_name="mt-6",
    )


PAGES = [
    PageRoute(
        "bikes/[bike_id]",
        bike,
        detail_title(BikeDetail, _HEADING, _("Bikes")),
        on_load=[BikeDetail.load, BikeDetail.watch],
        first=BikeDetail,
    )
]
