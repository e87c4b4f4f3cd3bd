"""The insurance of a bike: what it has, what was asked for, or what it could have."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice, day, money
from portal.pages.parts.texts import insurance as cover_name
from portal.states.bike import BikeDetail
from portal.ui import LINK, badge, copy_button, text_link
from portal.vocabulary.insurance import (
    INSURANCE_LABELS,
    INSURANCE_MEANINGS,
    INSURANCE_TYPES,
    INSURER_ASKS,
    INSURER_ASKS_MEANING,
    INSURER_NAMES,
)
from portal.vocabulary.status import STATUS_UNKNOWN

_BIKE: Any = BikeDetail.bike
_ASKED: Any = BikeDetail.insurance


def top(name: Text, *badges: Any) -> rx.Component:
    """The heading of a card, with how it stands."""
    return rx.el.div(rx.el.h3(name), *badges, class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2")


def facts(*rows: rx.Component, class_name: str = "") -> rx.Component:
    """Facts, each below its name."""
    return rx.el.dl(*rows, class_name=f"mt-5 space-y-3 {class_name}".rstrip())


def fact(name: Text, *values: Any) -> rx.Component:
    """One of them."""
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        *[rx.el.dd(value, class_name="tabular-nums") for value in values],
    )


def bike_insurance() -> rx.Component:
    """What the card says; amber while the customer has to do something (flow-standard F32)."""
    open_request = (_ASKED.status == "created") | (_ASKED.status == "waiting_for_input")
    return rx.cond(
        _BIKE.insurance != "",
        rx.fragment(
            top(_("Insurance"), badge(_("Insured"), "ok")),
            facts(
                fact(_("Against"), cover_name(_BIKE.insurance)),
                fact(
                    _("Policy number"),
                    rx.el.span(
                        rx.cond(_BIKE.policy_number == "", _("Unknown"), _BIKE.policy_number),
                        rx.cond(_BIKE.policy_number != "", copy_button(_BIKE.policy_number, _("Copy policy number"))),
                        class_name="flex flex-wrap items-center justify-between gap-x-4",
                    ),
                ),
                rx.cond(_BIKE.insurance_start != "", fact(_("Insured from"), day(_BIKE.insurance_start))),
            ),
        ),
        rx.cond(open_request, _requested(), _not_insured()),
    )


def _requested() -> rx.Component:
    """An insurance that is on its way: it waits for the link, for an answer to the insurer, or for the insurer."""
    waits = (_ASKED.status == "waiting_for_input") & ~_ASKED.asks
    usual, meaning = choice(_ASKED.status, INSURANCE_LABELS, STATUS_UNKNOWN), choice(_ASKED.status, INSURANCE_MEANINGS)
    name = rx.cond(_ASKED.asks, _(INSURER_ASKS), usual).to(str)
    return rx.fragment(
        top(_("Insurance"), rx.cond(_ASKED.status == "created", badge(name, "info"), badge(name, "warn"))),
        rx.el.p(rx.cond(_ASKED.asks, _(INSURER_ASKS_MEANING), meaning), class_name="mt-3"),
        _note(),
        facts(
            fact(_("Requested on"), day(_ASKED.asked)),
            fact(_("Against"), choice(_ASKED.type, INSURANCE_TYPES)),
            rx.cond(_ASKED.insurer != "", fact(_("Insurer"), choice(_ASKED.insurer, INSURER_NAMES))),
            rx.cond(_ASKED.premium != "", fact(_("Premium"), _("{amount} a month", amount=money(_ASKED.premium)))),
        ),
        rx.el.p(
            text_link(
                rx.cond(waits, _("Send the email again or cancel"), _("See your request")).to(str),
                "/insurance-package",
                f"{LINK} inline-flex min-h-11 items-center",
            ),
            class_name="mt-3",
        ),
    )


def _note() -> rx.Component:
    """What the insurer wrote."""
    return rx.cond(_ASKED.note != "", rx.el.p(_ASKED.note, class_name="mt-2 whitespace-pre-line"))


def _not_insured() -> rx.Component:
    return rx.fragment(
        top(_("Insurance"), badge(_("Not insured with us"), "neutral")),
        rx.cond(
            _ASKED.status == "cancelled",
            rx.fragment(
                rx.el.p(choice(_ASKED.status, INSURANCE_MEANINGS), class_name="mt-3"),
                _note(),
            ),
        ),
        rx.cond(
            _ASKED.start != "",
            rx.fragment(
                rx.cond(
                    _ASKED.until != "",
                    rx.el.p(_("You can insure this bike until {day}.", day=day(_ASKED.until)), class_name="mt-3"),
                ),
                rx.el.p(
                    text_link(_("Compare the insurances"), f"/insurance-package?bike={_BIKE.bike_id}"),
                    class_name="mt-2",
                ),
            ),
            rx.el.p(
                _("You can insure a bike up to {insurance_days} days after purchase."), class_name="mt-3 text-ink-600"
            ),
        ),
    )
