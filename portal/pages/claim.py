"""Claim damage on an insurance (part-1 §2 Claim request flow)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.flows.bike import PIN_STEP
from portal.flows.claim import BIKE_STEP, CLAIM, HANDLING, NEXT_STEPS, NOW, POLICY, REPAYMENT, WAIT
from portal.i18n import _
from portal.pages.flow import SentPage, StepPage, flow_pages
from portal.pages.flow.bike import BIKE_SUBJECT, bike_aside, bike_body, bike_rows, pin_body, pin_rows
from portal.pages.parts.claim_answers import costs, handling_rows, policy_rows, repayment_rows
from portal.pages.parts.claim_questions import handling_body, policy_body, repayment_body
from portal.pages.parts.tracker import request_phases
from portal.states.flow import FlowRun
from portal.ui import Fact, fact_list, section
from portal.vocabulary.work_orders import RequestKind

_SUMMARY: Any = FlowRun.receipt.summary


def _phases() -> rx.Component:
    return request_phases(RequestKind.CLAIM, _("How a claim goes"))


def _intro() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            _("Is your bike damaged and insured? We make a quote, your insurer reviews it, and we repair your bike."),
            class_name="mt-3 max-w-form text-lg",
        ),
        rx.el.div(_phases(), class_name="mt-8"),
        rx.el.section(
            rx.el.h2(_("Have at hand")),
            rx.el.ul(
                rx.el.li(_("Your policy number")),
                rx.el.li(_("{claim_files_least} to {claim_files_most} photos of the damage")),
                rx.el.li(_("How the damage arose: when, where, and who was there")),
                rx.el.li(_("Your IBAN, if you want to pay the repair yourself first")),
                class_name="mt-3 list-disc space-y-1 pl-5",
            ),
            rx.el.p(_("Insured elsewhere? You can claim here too."), class_name="mt-4"),
            rx.el.p(
                _("It takes about 10 minutes. You can stop and go on later: every step is saved."), class_name="mt-4"
            ),
            class_name="mt-10 max-w-form",
        ),
    )


def _sent() -> rx.Component:
    """What the claim is about; the account only as far as one knows it again."""
    bike, policy, account = (_SUMMARY[name].to(str) for name in ("bike", "policy_number", "account"))
    return section(
        _("Your claim"),
        rx.el.div(
            fact_list(
                [
                    Fact(_("Bike"), bike),
                    Fact(_("Policy number"), policy),
                    Fact(_("Bank account"), account, shown=account != ""),
                ]
            ),
            class_name="max-w-form",
        ),
    )


def _next_steps() -> tuple[rx.Var[str], ...]:
    now = _SUMMARY["handling"].to(str) == NOW
    ways = zip(NEXT_STEPS[NOW], NEXT_STEPS[WAIT], strict=True)
    return tuple(rx.cond(now, _(at_once), _(approved)).to(str) for at_once, approved in ways)


PAGES = flow_pages(
    CLAIM,
    intro=_intro,
    subject=BIKE_SUBJECT,
    phases=_phases,
    steps=(
        StepPage(BIKE_STEP, body=lambda fields: bike_body(fields, topic="claim"), rows=bike_rows),
        StepPage(POLICY, body=policy_body, rows=policy_rows),
        StepPage(PIN_STEP, body=pin_body, rows=pin_rows),
        StepPage(HANDLING, body=handling_body, rows=handling_rows),
        StepPage(REPAYMENT, body=repayment_body, rows=repayment_rows),
    ),
    aside=bike_aside,
    before_sending=costs,
    sent=SentPage(next_steps=_next_steps(), more=_sent),
)
