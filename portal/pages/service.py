"""Request a service (part-1 §2 Service request flow)."""

from __future__ import annotations

import reflex as rx

from portal.flows.bike import BIKE
from portal.flows.service import SERVICE
from portal.i18n import _
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.address import address_body, address_rows
from portal.pages.flow.bike import bike_aside, bike_body, bike_rows, pin_body, pin_rows
from portal.pages.flow.costs import costs_aside, costs_to_check
from portal.pages.flow.handover import handover_rows
from portal.pages.flow.job import job_body, job_rows
from portal.pages.flow.location import location_body, location_rows, location_search
from portal.pages.flow.sent import location_sent
from portal.pages.flow.told import told
from portal.pages.parts.tracker import road
from portal.vocabulary.work_orders import RequestKind

_STEPS = {step.slug: step for step in SERVICE.steps}
_FIELDS = {entry.name: entry for entry in SERVICE.fields}


def _road() -> rx.Component:
    return road(RequestKind.SERVICE, _("How a service goes"))


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _("Choose a service and a location near you. The location contacts you to make an appointment."),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.div(_road(), class_name="mt-8"),
        rx.el.section(
            rx.el.h2(_("Good to know")),
            rx.el.ul(
                rx.el.li(
                    _(
                        "The first service is due within {first_service_months} months or "
                        "{first_service_km} km, then every year"
                    )
                ),
                rx.el.li(_("We tell you which service your bike needs now, and what it costs")),
                rx.el.li(_("Our own shops can pick your bike up and bring it back")),
                class_name="mt-3 list-disc space-y-1 pl-5",
            ),
            rx.el.p(
                _("It takes about 5 minutes. You can stop and go on later: every step is saved."), class_name="mt-4"
            ),
            class_name="mt-10 max-w-form",
        ),
    )


def _aside() -> rx.Component:
    return rx.fragment(bike_aside(), costs_aside())


SCREENS = Screens(
    flow=SERVICE,
    module=__name__,
    intro=_intro,
    road=_road,
    bodies={
        "step-1": lambda: bike_body(_FIELDS[BIKE], topic="service"),
        "pincode-step": pin_body,
        "step-2": lambda: job_body(_STEPS["step-2"]),
        "step-3": lambda: address_body(_STEPS["step-3"]),
        "step-4": lambda: location_body(_STEPS["step-4"]),
    },
    before={"step-4": location_search},
    rows={
        "step-1": bike_rows,
        "pincode-step": pin_rows,
        "step-2": job_rows,
        "step-3": address_rows,
        "step-4": lambda: [*location_rows(), *handover_rows()],
    },
    aside=_aside,
    before_sending=costs_to_check,
    after=After(
        next_steps=[_(text, location=told("location")) for text in SERVICE.next_steps],
        more=location_sent,
    ),
)
PAGES = flow_pages(SCREENS)
