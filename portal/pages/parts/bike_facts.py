"""Everything that is known of a bike, in groups; numbers that people pass on can be copied."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice
from portal.pages.parts.rows import chevron
from portal.pages.parts.texts import package_name
from portal.states.bike import BikeDetail
from portal.states.views.bikes import Fact as BikeFact
from portal.ui import Fact, copy_button, fact_list, text_link

_BIKE: Any = BikeDetail.bike

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


def groups() -> rx.Component:
    """Four groups, open, side by side where there is room."""
    return rx.el.div(
        _group(_("Frame and colour"), _rows(rx.foreach(_BIKE.basics, _row))),
        rx.cond(_BIKE.drive.length() > 0, _group(_("Motor and battery"), _rows(rx.foreach(_BIKE.drive, _row)))),
        _group(_("Keys and locks"), _rows(rx.foreach(_BIKE.key_facts, _row), _lock())),
        _service(),
        rx.el.p(
            _("Is something unknown or not right?"),
            " ",
            text_link(_("Tell us and we add it"), "/contact"),
            class_name="text-ink-600",
        ),
        class_name="mt-4 gap-5 lg:columns-2",
    )


def _group(name: Text, *rows: rx.Component) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.h3(name),
            chevron("rotate-90 group-open:-rotate-90 md:hidden"),
            class_name="mb-2 flex min-h-11 cursor-pointer list-none items-center justify-between gap-4 "
            "md:pointer-events-none",
        ),
        *rows,
        open=True,
        class_name="card group mb-5 break-inside-avoid",
    )


def _rows(*rows: rx.Component) -> rx.Component:
    return rx.el.dl(*rows, class_name="facts")


def _row(fact: rx.vars.ObjectVar[BikeFact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(choice(fact.key, _NAMES), class_name="text-ink-600"),
        rx.el.dd(
            rx.el.span(
                rx.cond(fact.value == "", _("Unknown"), fact.value), class_name="min-w-0 break-words tabular-nums"
            ),
            rx.cond(fact.copied & (fact.value != ""), copy_button(fact.value, _copy(fact.key))),
            class_name="flex flex-wrap items-center justify-between gap-x-4",
        ),
    )


def _copy(key: rx.Var[str]) -> rx.Component:
    """Say "copy", and for a screen reader what."""
    return rx.fragment(_("Copy"), rx.el.span(" ", choice(key, _NAMES), class_name="sr-only"))


def _fact(name: Text, value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-ink-600"), rx.el.dd(value, class_name="flex items-center tabular-nums")
    )


def _lock() -> rx.Component:
    return rx.fragment(
        rx.cond(_BIKE.key_facts.length() == 0, _fact(_("Key numbers"), _("Unknown"))),
        _fact(_("Pin code"), rx.cond(_BIKE.has_pin_code, _("This bike has a pin code"), _("None")).to(str)),
    )


def _service() -> rx.Component:
    return _group(
        _("Service package and card"),
        fact_list(
            [
                Fact(
                    _("Service package"),
                    rx.cond(_BIKE.service_package == "", _("None"), package_name(_BIKE.service_package)).to(str),
                ),
                Fact(_("Service card"), _BIKE.service_card),
            ]
        ),
    )
