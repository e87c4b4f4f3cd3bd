"""Request an insurance (part-2 §2 Insurance request)."""

from __future__ import annotations

import reflex as rx

from portal.domain.insurances import BIKE_NOT_INSURED
from portal.flows.insurance import ACCOUNT, BIKE_STEP, INSURANCE, INSURANCE_STEP
from portal.i18n import _
from portal.pages.flow import SentPage, StepPage, flow_pages
from portal.pages.flow.bike import BIKE_SUBJECT, bike_aside, bike_body, bike_line, bike_rows
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
PAGES = flow_pages(
    INSURANCE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    steps=(
        StepPage(BIKE_STEP, body=lambda fields: bike_body(fields, topic="insurance"), rows=bike_rows),
        StepPage(INSURANCE_STEP, body=choice_body, before=bike_line, wide=True),
        StepPage(ACCOUNT, body=account_body, rows=account_rows),
    ),
    aside=lambda: rx.fragment(bike_aside(), premium_aside()),
    before_sending=premium_to_check,
    send=rx.cond(insures(), _(INSURANCE.send), _("Pass on my answer")).to(str),
    failure=rx.cond(_NAME == "", _(INSURANCE.failure), _(BIKE_NOT_INSURED, bike=_NAME)).to(str),
    sent=SentPage(
        title=SENT_TITLE,
        follow="/insurance-package",
        page=insurance_sent,
        # It shows what becomes of the request, such as when the link in the mail was used.
        on_load=(InsuranceSent.load, InsuranceSent.watch),
    ),
)
