"""Answers to a claim as the check page tells them."""

from __future__ import annotations

import reflex as rx

from portal.domain.flow import CHECK
from portal.flows.claim import ACCOUNT, HANDLINGS, METHODS, NOW, WAIT
from portal.i18n import _, choice
from portal.pages.flow.check import row_of
from portal.pages.flow.fields import answer
from portal.pages.flow.screens import StepFields
from portal.pages.parts.claim_questions import payments
from portal.states.claim import ClaimDisplay
from portal.states.flow import FlowRun
from portal.ui import Fact


def policy_rows(fields: StepFields) -> list[Fact]:
    """The insurer, unless it is insured through us, and the policy."""
    return [row_of(fields["insurer"]), row_of(fields["policy_number"])]


def handling_rows(fields: StepFields) -> list[Fact]:
    """The way of handling."""
    handling = fields["handling"]
    return [Fact(_(handling.label), choice(answer(handling.name), dict(HANDLINGS)))]


def repayment_rows(fields: StepFields) -> list[Fact]:
    """How the insurer pays back."""
    method, holder, account = fields["method"], fields["account_holder"], fields["iban"]
    to_account = answer("method") == ACCOUNT
    return [
        Fact(_(method.label), choice(answer("method"), dict(METHODS))),
        Fact(_(holder.label), answer("account_holder"), shown=to_account),
        Fact(_(account.label), ClaimDisplay.iban, shown=to_account),
        row_of(fields["copies"]),
    ]


def costs() -> rx.Component:
    """Who pays what, and when: said once more before it is sent."""
    return rx.cond(
        FlowRun.open.contains(CHECK),
        rx.el.section(
            rx.el.h2(_("Who pays what"), class_name="text-h3"),
            rx.el.div(rx.match(answer("handling"), (NOW, payments(NOW)), payments(WAIT)), class_name="mt-3"),
            rx.el.p(_("The quote tells what the repair costs."), class_name="mt-3 text-ink-600"),
            class_name="mt-8 rounded-card border border-line bg-white p-6",
        ),
    )
