"""Where an order is: phases, the planned day, parcels, and what went otherwise than planned."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _
from portal.pages.parts.planned import planned_day
from portal.pages.parts.shipments import on_its_way
from portal.pages.parts.texts import delivery_trouble, preferred_week
from portal.pages.parts.tracker import tracker
from portal.states.order import OrderDetail
from portal.states.views.dashboard import contact_about
from portal.states.views.order import ShipmentView
from portal.ui import LINK, anchor, button_class, card, notice, text_link
from portal.vocabulary.actions import Feature
from portal.vocabulary.deliveries import PHASES, DeliveryEnd

_ORDER: Any = OrderDetail.order


def delivery() -> rx.Component:
    """Where the order is."""
    trouble = delivery_trouble(_ORDER.status)
    return rx.el.section(
        rx.el.div(
            rx.el.h2(_("Delivery")),
            text_link(
                _("Follow your order"),
                f"/order-status/{_ORDER.number}",
                f"{LINK} inline-flex min-h-11 items-center",
            ),
            class_name="flex flex-wrap items-baseline justify-between gap-x-6",
        ),
        rx.cond(
            trouble != "",
            notice(
                trouble,
                rx.el.p(text_link(_("Contact us"), contact_about(Feature.ORDER_STATUS)), class_name="mt-1"),
                tone="warn",
            ),
        ),
        rx.cond(
            (_ORDER.phase >= 0) | (_ORDER.shipments.length() > 0) | (_ORDER.scheduled_day != ""),
            card(
                rx.cond(_ORDER.phase >= 0, _road()),
                _planned(),
                rx.foreach(_ORDER.shipments, _parcel),
                class_name="space-y-6",
            ),
        ),
        class_name="space-y-4",
    )


def _road() -> rx.Component:
    roads = {end: tracker([_(name) for name in PHASES[end]], _ORDER.phase, _("Delivery")) for end in DeliveryEnd}
    return rx.cond(_ORDER.ending == DeliveryEnd.PICKUP.value, roads[DeliveryEnd.PICKUP], roads[DeliveryEnd.DELIVERY])


def _planned() -> rx.Component:
    """The planned day; or that it is still open, with the week the customer prefers."""
    return rx.cond(
        _ORDER.scheduled_day != "",
        _well(
            planned_day(_ORDER.scheduled_day, _ORDER.scheduled_from, _ORDER.scheduled_until, _("Planned delivery")),
            rx.cond(
                _ORDER.movable,
                text_link(
                    _("Change delivery date"),
                    f"/delivery-date/{_ORDER.number}",
                    f"{LINK} inline-flex min-h-11 items-center",
                ),
            ),
        ),
        rx.cond(
            _ORDER.date_open,
            _well(
                rx.el.p(_("The delivery date is still open"), class_name="text-lg font-semibold"),
                rx.cond(
                    _ORDER.preferred_week != "",
                    rx.el.p(_("You prefer {week}.", week=preferred_week(_ORDER.preferred_week, _ORDER.preferred_from))),
                    rx.el.p(_("We let you know by email as soon as it is known.")),
                ),
                rx.el.p(
                    text_link(_("Arrange the delivery date with us"), contact_about(Feature.DELIVERY_DATE)),
                    class_name="mt-1",
                ),
            ),
        ),
    )


def _well(*children: rx.Component) -> rx.Component:
    return rx.el.div(*children, class_name="rounded-control bg-paper p-5")


def _parcel(parcel: rx.vars.ObjectVar[ShipmentView]) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h3(parcel.carrier, class_name="text-base font-semibold"),
            rx.el.p(
                on_its_way(parcel, _ORDER.ending == DeliveryEnd.PICKUP.value, _("Not sent yet")),
                class_name="text-ink-600",
            ),
            rx.cond(
                parcel.code != "",
                rx.el.p(_("Track and trace"), ": ", parcel.code, class_name="break-all text-ink-600 tabular-nums"),
            ),
            class_name="min-w-0",
        ),
        rx.cond(
            parcel.url != "",
            anchor(
                _("Follow at {carrier}", carrier=parcel.carrier),
                href=parcel.url,
                class_name=button_class("secondary"),
            ),
        ),
        class_name="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-5 "
        "first:border-t-0 first:pt-0",
    )
