"""How the bikes stand with their insurance: offered until a day or why not, asked for, insured (part-2 §2, §5)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import MESSAGES, Code
from portal.flows import insurance as insurance_flow
from portal.i18n import _, choice, day
from portal.pages.parts.bike_art import bike_art
from portal.pages.parts.insurance import insurance_status
from portal.pages.parts.texts import insurance
from portal.states.insurance_package import InsurancePackages
from portal.states.views.insurances import InsuredBike
from portal.ui import LINK, badge, section, text_link

REFUSALS = {code.value: MESSAGES[code] for code in insurance_flow.REFUSALS}
"""Why a bike cannot be insured."""
_CHOSEN: Any = InsurancePackages.chosen


def insured_bikes() -> rx.Component:
    """Each bike: insured, asked for, offered until a day, or why not."""
    return section(
        _("How your bikes stand"),
        rx.el.ul(
            rx.foreach(InsurancePackages.bikes, _bike),
            class_name="divide-y divide-line rounded-card border border-line bg-white",
        ),
    )


def _bike(bike: rx.vars.ObjectVar[InsuredBike]) -> rx.Component:
    frame = rx.cond(bike.frame_number == "", _("unknown"), bike.frame_number).to(str)
    return rx.el.li(
        rx.el.div(bike_art(bike.kind, bike.color_code, "h-auto w-18"), class_name="w-18 shrink-0", aria_hidden="true"),
        rx.el.div(
            rx.el.h3(bike.name, class_name="text-base font-semibold"),
            rx.el.p(_("Frame number {frame}", frame=frame), class_name="text-ink-600 tabular-nums"),
            rx.el.p(
                _("Order {number} of {day}", number=bike.order_number, day=day(bike.order_day)),
                class_name="text-sm text-ink-600 tabular-nums",
            ),
            class_name="min-w-0 md:w-80 md:shrink-0",
        ),
        rx.el.div(
            rx.cond(bike.insurance != "", _insured(bike), _not_insured(bike)),
            class_name="min-w-0 grow max-md:basis-full",
        ),
        class_name="flex flex-wrap items-start gap-x-6 gap-y-3 p-4 md:flex-nowrap md:p-6",
    )


def _insured(bike: rx.vars.ObjectVar[InsuredBike]) -> rx.Component:
    return rx.el.div(
        badge(_("Insured"), "ok"),
        rx.el.p(insurance(bike.insurance), class_name="mt-2 font-semibold"),
        rx.cond(
            bike.policy != "",
            rx.el.p(
                _("Policy number {number}, from {day}", number=bike.policy, day=day(bike.starts)),
                class_name="tabular-nums",
            ),
        ),
        text_link(_("See your bike"), f"/bikes/{bike.bike_id}", f"{LINK} inline-flex min-h-11 items-center"),
    )


def _not_insured(bike: rx.vars.ObjectVar[InsuredBike]) -> rx.Component:
    """What was asked for, and whether it can be asked for (again)."""
    return rx.fragment(
        rx.cond(
            (bike.request.reference != "") & ~bike.request.waiting,
            rx.el.div(insurance_status(bike.request), class_name="mb-3"),
        ),
        rx.cond(bike.request.waiting, badge(_("Waiting for your confirmation"), "warn")),
        rx.cond(
            bike.offered,
            rx.fragment(
                badge(_("Can be insured"), "info"),
                rx.el.p(_("Possible until {day}.", day=day(bike.until)), class_name="mt-2"),
                rx.cond(
                    bike.bike_id != _CHOSEN.bike_id,
                    rx.el.a(
                        _("See the premiums"),
                        rx.el.span(": ", bike.name, class_name="sr-only"),
                        to=bike.href,
                        class_name=f"{LINK} inline-flex min-h-11 items-center",
                    ),
                ),
            ),
            rx.cond(~bike.request.open, _refused(bike)),
        ),
    )


def _refused(bike: rx.vars.ObjectVar[InsuredBike]) -> rx.Component:
    over = bike.refusal == Code.INSURANCE_TERM_OVER.value
    return rx.fragment(
        badge(_("Cannot be insured")),
        rx.el.p(choice(bike.refusal, REFUSALS), class_name="mt-2"),
        rx.cond(over, rx.el.p(_("This was possible until {day}.", day=day(bike.until)))),
        rx.el.a(
            _("Contact us"),
            rx.el.span(": ", bike.name, class_name="sr-only"),
            to="/contact?topic=insurance",
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
    )
