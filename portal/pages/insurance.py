"""Request an insurance (part-2 §2 Insurance request)."""

from __future__ import annotations

from dataclasses import replace

import reflex as rx

from portal.domain.insurances import BIKE_NOT_INSURED
from portal.flows.bike import BIKE
from portal.flows.insurance import INSURANCE, REFUSALS
from portal.i18n import _
from portal.pages.flow import After, Screens, flow_pages
from portal.pages.flow.bike import bike_aside, bike_body, bike_line, bike_rows
from portal.pages.flow.insurance import (
    account_body,
    account_rows,
    choice_body,
    insures,
    premium_aside,
    premium_to_check,
)
from portal.pages.flow.insurance_sent import SENT_TITLE, insurance_sent
from portal.pages.parts.insurance import PHASES
from portal.pages.parts.tracker import tracker
from portal.states.bike_choice import BikeChoice
from portal.states.insurance_sent import InsuranceSent
from portal.ui import text_link

_STEPS = {step.slug: step for step in INSURANCE.steps}
_FIELDS = {entry.name: entry for entry in INSURANCE.fields}


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _("Insure your new bike against theft, or against theft and damage. With one of two insurers."),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.p(text_link(_("Compare the insurances"), "/insurance-package"), class_name="mt-3"),
        rx.el.div(
            tracker([_(phase) for phase in PHASES], rx.Var.create(0), _("How an insurance goes")), class_name="mt-8"
        ),
        rx.el.section(
            rx.el.h2(_("Have at hand")),
            rx.el.ul(
                rx.el.li(_("The key of your lock: we ask for the number on it")),
                rx.el.li(_("The IBAN from which the premium is paid")),
                rx.el.li(_("Your email: you confirm the insurance by a link that we send you")),
                class_name="mt-3 list-disc space-y-1 pl-5",
            ),
            rx.el.p(
                _("You can insure a bike up to {insurance_days} days after purchase. You pay the premium every month."),
                class_name="mt-4",
            ),
            class_name="mt-10 max-w-form",
        ),
    )


_NAME = BikeChoice.chosen.name
SCREENS = Screens(
    flow=INSURANCE,
    module=__name__,
    intro=_intro,
    bodies={
        "step-1": lambda: bike_body(_FIELDS[BIKE], topic="insurance", refusals=REFUSALS),
        "step-2": lambda: choice_body(_STEPS["step-2"]),
        "step-3": lambda: account_body(_STEPS["step-3"]),
    },
    before={"step-2": bike_line},
    rows={"step-1": bike_rows, "step-3": account_rows},
    aside=lambda: rx.fragment(bike_aside(), premium_aside()),
    before_sending=premium_to_check,
    wide=("step-2",),
    send=rx.cond(insures(), _(INSURANCE.send), _("Pass on my answer")).to(str),
    failure=rx.cond(_NAME == "", _(INSURANCE.failure), _(BIKE_NOT_INSURED, bike=_NAME)).to(str),
    after=After(title=SENT_TITLE, follow="/insurance-package", page=insurance_sent),
)


def _follows(route: str) -> bool:
    return route == INSURANCE.confirmation.strip("/")


# The page after sending shows what becomes of the request, such as when the link in the mail was used.
PAGES = [
    replace(page, on_load=[*page.on_load, InsuranceSent.load, InsuranceSent.watch]) if _follows(page.route) else page
    for page in flow_pages(SCREENS)
]
