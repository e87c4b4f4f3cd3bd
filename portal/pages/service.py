"""Request a service (part-1 §2 Service request flow)."""

from __future__ import annotations

import reflex as rx

from portal.flows.bike import PIN_STEP
from portal.flows.service import ADDRESS_STEP, BIKE_STEP, JOB_STEP, LOCATION_STEP, SERVICE
from portal.i18n import _
from portal.pages.flow import SentPage, StepPage, flow_pages
from portal.pages.flow.address import address_body, address_rows
from portal.pages.flow.bike import BIKE_SUBJECT, bike_aside, bike_body, bike_rows, pin_body, pin_rows
from portal.pages.flow.costs import costs_aside, costs_to_check
from portal.pages.flow.handover import handover_rows
from portal.pages.flow.job import job_body, job_rows
from portal.pages.flow.location import location_body, location_rows, location_search
from portal.pages.flow.screens import StepFields
from portal.pages.flow.sent import location_sent
from portal.pages.flow.told import told
from portal.pages.parts.tracker import request_phases
from portal.ui import Fact
from portal.vocabulary.work_orders import RequestKind


def _phases() -> rx.Component:
    return request_phases(RequestKind.SERVICE, _("How a service goes"))


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _("Choose a service and a location near you. The location contacts you to make an appointment."),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.div(_phases(), class_name="mt-8"),
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


def _location_rows(fields: StepFields) -> list[Fact]:
    return [*location_rows(fields), *handover_rows(fields)]


PAGES = flow_pages(
    SERVICE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    phases=_phases,
    steps=(
        StepPage(BIKE_STEP, body=lambda fields: bike_body(fields, topic="service"), rows=bike_rows),
        StepPage(PIN_STEP, body=pin_body, rows=pin_rows),
        StepPage(JOB_STEP, body=job_body, rows=job_rows),
        StepPage(ADDRESS_STEP, body=address_body, rows=address_rows),
        StepPage(LOCATION_STEP, body=location_body, rows=_location_rows, before=location_search),
    ),
    aside=_aside,
    before_sending=costs_to_check,
    sent=SentPage(
        next_steps=[_(text, location=told("location")) for text in SERVICE.next_steps],
        more=location_sent,
    ),
)
