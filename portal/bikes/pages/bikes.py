"""The list of the customer's bikes, and its empty state (part-1 §2 Account area)."""

from __future__ import annotations

import reflex as rx

from portal.bikes.pages.identity import bike_mark
from portal.bikes.pages.state import BikeCard, Bikes
from portal.frontend.layout import title
from portal.frontend.load_views import loaded
from portal.frontend.registry import PageRoute
from portal.frontend.texts import departure_stated
from portal.i18n import _, day, ngettext
from portal.pictures.pages.views import picture
from portal.settings import settings
from portal.ui import (
    anchor,
    badge,
    button_class,
    empty_state,
    illustrations,
    link_button,
    page_frame,
    pagination,
    skeleton_cards,
)


def no_bikes(meaning: rx.Var[str], also: rx.Component) -> rx.Component:
    """Say that there is no bike yet, and link to the orders."""
    return empty_state(
        _("You have no bikes yet"),
        meaning,
        rx.el.div(link_button(_("Your orders"), "/orders"), also, class_name="flex flex-wrap justify-center gap-3"),
        illustrations.city_bike(),
    )


def bikes() -> rx.Component:
    """The bikes, newest order first, in pages."""
    grid = "md:grid-cols-2 md:gap-6"
    return page_frame(
        loaded(
            Bikes,
            rx.cond(
                Bikes.cards.length() > 0,
                rx.fragment(
                    rx.cond(
                        Bikes.pages > 1,
                        rx.el.p(
                            ngettext("{n} bike, newest order first", "{n} bikes, newest order first", Bikes.total),
                            class_name="mt-3 text-ink-600",
                        ),
                    ),
                    rx.el.ul(rx.foreach(Bikes.cards, _card), class_name=f"mt-8 grid gap-4 {grid}"),
                    pagination(Bikes.page, Bikes.pages, to=lambda page: "/bikes?page=" + page.to_string()),
                    rx.el.p(link_button(_("Your contracts"), "/contracts", "secondary"), class_name="mt-8"),
                ),
                _empty(),
            ),
            failure=_("Your bikes couldn’t be loaded."),
            loading=skeleton_cards(2, "h-96", grid),
        ),
        title=_("Bikes"),
    )


def _card(bike: rx.vars.ObjectVar[BikeCard]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            picture(bike.picture, "(min-width: 48rem) 24rem, 90vw", "w-full rounded-none"),
            class_name="overflow-hidden rounded-t-card bg-white",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h2(
                    rx.el.a(
                        bike.name,
                        bike_mark(bike),
                        to=f"/bikes/{bike.bike_id}",
                        class_name="text-ink no-underline after:absolute after:inset-0 after:rounded-card",
                    ),
                    class_name="text-h3",
                ),
                rx.el.p(
                    rx.cond(bike.color != "", rx.el.span(bike.color, class_name="mr-3")),
                    rx.el.span(_("Ordered on {day}", day=day(bike.order_day)), class_name="inline-block tabular-nums"),
                    class_name="text-ink-600",
                ),
            ),
            rx.el.p(
                rx.cond(bike.request != "", badge(_("Request under way"), "info")),
                rx.cond(
                    bike.departure != "",
                    badge(departure_stated(bike.departure), "warn"),
                    rx.cond(
                        bike.warranty_expired,
                        badge(_("Warranty expired"), "warn"),
                        badge(_("Warranty until {day}", day=day(bike.warranty_until)), "ok"),
                    ),
                ),
                class_name="mt-3 flex flex-wrap gap-2",
            ),
            rx.el.dl(
                _fact(_("Frame number"), rx.cond(bike.frame_number == "", _("Unknown"), bike.frame_number)),
                _fact(_("Order number"), bike.order_number),
                class_name="mt-5 flex flex-wrap gap-x-8 gap-y-3 max-sm:flex-col",
            ),
            class_name="p-6",
        ),
        class_name="relative rounded-card border border-line bg-white hover:shadow-card",
    )


def _fact(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        rx.el.dd(value, class_name="font-semibold tabular-nums break-words"),
        class_name="flex items-baseline justify-between gap-4 sm:block",
    )


def _empty() -> rx.Component:
    return no_bikes(
        _("A bike you’ve ordered appears here once it has been shipped, with everything that belongs to it."),
        anchor(_("Go to the shop"), href=settings().brand.shop_url, class_name=button_class("secondary")),
    )


PAGES = [PageRoute("bikes", bikes, title(_("Bikes")), on_load=[Bikes.load], first=Bikes)]
