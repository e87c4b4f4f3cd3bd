"""Everything that is known of a bike, in groups; numbers that people pass on can be copied."""

from __future__ import annotations

import reflex as rx

from portal.i18n import Text, _, choice, day, number
from portal.pages.parts.texts import package_name
from portal.states.bike import BikeDetail
from portal.states.views.bikes import Fact as BikeFact
from portal.ui import Fact, copy_button, fact_list, text_link

_BIKE = BikeDetail.bike

_NAMES: dict[str, Text] = {
    "brand": _("Brand"),
    "size": _("Frame size"),
    "color": _("Colour"),
    "frame": _("Frame number"),
    "engine_brand": _("Motor brand"),
    "engine_system": _("Motor system"),
    "battery": _("Battery number"),
    "imei": _("IMEI number"),
    "key_1": _("Key number {n}", n=1),
    "key_2": _("Key number {n}", n=2),
    "key_3": _("Key number {n}", n=3),
}
_COPY: dict[str, Text] = {
    "frame": _("Copy frame number"),
    "battery": _("Copy battery number"),
    "imei": _("Copy IMEI number"),
    "key_1": _("Copy key number {n}", n=1),
    "key_2": _("Copy key number {n}", n=2),
    "key_3": _("Copy key number {n}", n=3),
}


def groups() -> rx.Component:
    """Four groups, open, side by side where there is room."""
    return rx.el.div(
        _group(_("Bike"), rx.foreach(_BIKE.basics, _row), _mileage()),
        rx.cond(_BIKE.drive.length() > 0, _group(_("Motor and battery"), rx.foreach(_BIKE.drive, _row))),
        _group(_("Keys and locks"), rx.foreach(_BIKE.keys, _row), _lock()),
        _service(),
        rx.el.p(
            _("Is something unknown or not right?"),
            " ",
            text_link(_("Tell us and we add it"), "/contact"),
            class_name="text-ink-600 lg:col-span-2",
        ),
        class_name="mt-10 grid items-start gap-5 lg:grid-cols-2",
    )


def _group(name: Text, *rows: rx.Component) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.h2(name, class_name="text-h3"),
            class_name="flex min-h-12 cursor-pointer items-center justify-between gap-4 md:pointer-events-none",
        ),
        rx.el.dl(*rows, class_name="facts"),
        open=True,
        class_name="card group",
    )


def _row(fact: rx.Var[BikeFact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(choice(fact.key, _NAMES), class_name="text-ink-600"),
        rx.el.dd(
            rx.el.span(
                rx.cond(fact.value == "", _("Unknown"), fact.value), class_name="min-w-0 break-words tabular-nums"
            ),
            rx.cond(fact.copy & (fact.value != ""), copy_button(fact.value, choice(fact.key, _COPY))),
            class_name="flex flex-wrap items-center justify-between gap-x-4",
        ),
    )


def _fact(name: Text, value: rx.Var[str]) -> rx.Component:
    return rx.el.div(rx.el.dt(name, class_name="text-ink-600"), rx.el.dd(value, class_name="tabular-nums"))


def _mileage() -> rx.Component:
    known = rx.cond(
        _BIKE.mileage_day == "",
        _("{n} km", n=number(_BIKE.mileage)),
        _("{n} km on {day}", n=number(_BIKE.mileage), day=day(_BIKE.mileage_day)),
    )
    return _fact(_("Mileage"), rx.cond(_BIKE.mileage == "", _("Unknown"), known).to(str))


def _lock() -> rx.Component:
    return rx.fragment(
        rx.cond(_BIKE.keys.length() == 0, _fact(_("Key numbers"), _("Unknown"))),
        _fact(_("Pin code"), rx.cond(_BIKE.has_pin_code, _("This bike has a pin code"), _("None")).to(str)),
    )


def _service() -> rx.Component:
    return rx.el.section(
        rx.el.h2(_("Insurance and service"), class_name="text-h3"),
        fact_list(
            [
                Fact(
                    _("Service package"),
                    rx.cond(_BIKE.service_package == "", _("None"), package_name(_BIKE.service_package)).to(str),
                ),
                Fact(_("Service card"), _BIKE.service_card),
                Fact(_("Insurance"), rx.cond(_BIKE.insurance == "", _("None"), _BIKE.insurance).to(str)),
                Fact(_("Policy number"), _BIKE.policy_number, shown=_BIKE.insurance != ""),
                Fact(_("Start date"), day(_BIKE.insurance_start), shown=_BIKE.insurance != ""),
            ]
        ),
        class_name="card",
    )
