"""The pages of the claim flow (part-1 §2 Claim request flow)."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.bikes.flow import PIN_STEP
from portal.bikes.pages.bike_step import BIKE_SUBJECT, BikeChoice, bike_aside, bike_page, pin_body, pin_rows
from portal.flow import CHECK, AnswerContext, Field, Flow, Iban
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.fields import answer, asked, group, option_of, row_of
from portal.flow.pages.spec import StepFields
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import shows
from portal.i18n import Text, _, choice
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.flow.claim import (
    ACCOUNT,
    BIKE_STEP,
    BY_INSURER,
    CLAIM,
    HANDLING,
    HANDLINGS,
    HOLDER,
    METHODS,
    NOW,
    PARTS_STEP,
    POLICY,
    REPAYMENT,
    WAIT,
)
from portal.work_orders.flow.repair import PARTS
from portal.work_orders.pages.repair import (
    if_listed,
    part_option,
    parts_question,
    sent_account,
    sent_handover,
    sent_phases,
)


class ClaimDisplay(rx.State):
    holder: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")


@shows(ClaimDisplay, "claim-request")
def _claim(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    return {"holder": str(answers.facts.get(HOLDER, "")), "iban": Iban.written(answers.text("iban"))}


_CHOSEN = BikeChoice.chosen

PAYMENTS: dict[str, Sequence[Text]] = {
    WAIT: (
        _("Your insurer pays the insured amount straight to us."),
        _("You pay us the excess only, once your bike is ready."),
        _("We start once your insurer has approved the quote."),
    ),
    NOW: (
        _("You pay us for the whole repair first."),
        _("Your insurer pays you back afterwards, minus the excess."),
        _("We start as soon as you agree to the quote."),
    ),
}
"""Who pays what, and when, for each way to handle a claim (part-1 §4)."""


def parts_body(fields: StepFields) -> rx.Component:
    """Ask for the damaged parts, on a drawing of the bike and in a list."""
    entry = fields["parts"]
    cards = rx.fragment(*[if_listed(part, part_option(entry, part)) for part in PARTS])
    return parts_question(entry, cards, "sm:grid-cols-2")


def policy_body(fields: StepFields) -> rx.Component:
    """Ask for the policy number, with the known number filled in.

    For a bike that is not insured through us, ask for the insurer too.
    """
    number = asked(
        fields["policy_number"],
        width="max-w-80",
        after=ui.popup(
            _("Where do I find my policy number?"),
            _("Your policy number"),
            ui.text(_("At the top of your policy, and in the email that started your insurance.")),
            ui.text(_("Insured through us? You’ll also find it on the page of your bike.")),
            rx.el.div(ui.illustrations.shield("w-28"), aria_hidden="true"),
        ),
    )
    return ui.when(
        FlowRun.asked.contains("insurer"),
        ui.notice(
            _("Insured elsewhere? Fill in your own insurer and policy number."),
            ui.text(
                _("Not insured?"), " ", ui.text_link(_("Request a repair"), f"/repair-request?bike={_CHOSEN.id}"), top=1
            ),
            title=_("This bike is not insured through us"),
            tone="info",
        ),
        asked(fields["insurer"], width="max-w-80"),
        number,
        otherwise=rx.fragment(
            ui.text(_("This bike is insured through us. This is its policy number; change it if it’s wrong.")), number
        ),
    )


def handling_body(fields: StepFields) -> rx.Component:
    """Show both ways to handle the claim, each with who pays what and when."""
    entry = fields["handling"]
    cards = rx.fragment(*[_method(entry, value) for value in HANDLINGS])
    return group(entry, cards, legend=None, columns="")


def _method(entry: Field, value: str) -> rx.Component:
    """Show one option as a card that can be clicked anywhere.

    The accessible name of the radio button is the title only. The payments are its description.
    """
    described = f"handling-{value}"
    return rx.el.div(
        rx.el.label(
            rx.el.input(
                type="radio",
                name=entry.name,
                value=value,
                default_checked=answer(entry.name) == value,
                class_name="relative z-10 size-6 shrink-0 accent-ink",
                custom_attrs={"aria-describedby": described},
            ),
            rx.el.span(_(HANDLINGS[value]), class_name="text-lg font-semibold"),
            class_name="flex items-center gap-3 cursor-pointer after:absolute after:inset-0 after:rounded-control",
        ),
        rx.el.div(payments(value), custom_attrs={"id": described}, class_name="mt-3 sm:pl-9"),
        class_name="option-panel",
    )


def payments(value: str) -> rx.Component:
    """Show who pays what, and when, for one way to handle the claim."""
    return rx.el.ul(*[rx.el.li(text, class_name="text-ink-700") for text in PAYMENTS[value]], class_name="space-y-2")


def repayment_body(fields: StepFields) -> rx.Component:
    """Ask how the insurer pays back, for the bank account if it is needed, and for receipts."""
    entry = fields["method"]
    account = _account(fields["account_holder"], fields["iban"])
    cards = rx.fragment(
        rx.el.div(option_of(entry, ACCOUNT, _(METHODS[ACCOUNT])), account, class_name="reveals"),
        option_of(entry, BY_INSURER, _(METHODS[BY_INSURER])),
    )
    return rx.fragment(
        ui.text(_("You pay for the repair first. We’ll send your insurer the claim with what you fill in here.")),
        group(entry, cards, legend=None, columns=""),
        asked(fields["copies"]),
    )


def _account(holder: Field, iban: Field) -> rx.Component:
    return rx.el.div(
        asked(holder, value=rx.cond(answer(holder.name) != "", answer(holder.name), ClaimDisplay.holder).to(str)),
        asked(iban, value=ClaimDisplay.iban, width="max-w-80"),
        class_name="reveal space-y-4",
    )


def handling_rows(fields: StepFields) -> list[ui.Fact]:
    handling = fields["handling"]
    return [ui.Fact(_(handling.label), choice(answer(handling.name), dict(HANDLINGS)))]


def repayment_rows(fields: StepFields) -> list[ui.Fact]:
    """List the reimbursement, the account and the copies on the check page."""
    method, holder, account = fields["method"], fields["account_holder"], fields["iban"]
    to_account = answer("method") == ACCOUNT
    return [
        ui.Fact(_(method.label), choice(answer("method"), dict(METHODS))),
        ui.Fact(_(holder.label), answer("account_holder"), shown=to_account),
        ui.Fact(_(account.label), ClaimDisplay.iban, shown=to_account),
        row_of(fields["copies"]),
    ]


def costs() -> rx.Component:
    """Show who pays what once more on the check page, before the claim is sent."""
    return rx.cond(
        FlowRun.open.contains(CHECK),
        rx.el.section(
            ui.subheading(_("Who pays what")),
            ui.stack(rx.match(answer("handling"), (NOW, payments(NOW)), payments(WAIT)), top=3),
            ui.muted(_("The quote says what the repair costs."), top=3),
            class_name="mt-8 rounded-card border border-line bg-white p-6",
        ),
    )


def _intro() -> Intro:
    return Intro(
        _("Is your insured bike damaged? We prepare a quote, your insurer reviews it, and we repair your bike."),
        _("Have to hand"),
        (
            _("Your policy number"),
            _("{claim_files_least} to {claim_files_most} photos of the damage"),
            _("How the damage happened: when, where, and who was there"),
            _("Your IBAN, if you want to pay for the repair yourself first"),
        ),
        (_("Insured elsewhere? You can claim here too."),),
        minutes=10,
        phases=lambda: ui.request_phases(RequestKind.CLAIM, _("How claims work")),
    )


PAGES = flow_pages(
    CLAIM,
    intro=_intro,
    subject=BIKE_SUBJECT,
    phases=sent_phases,
    steps=(
        bike_page(BIKE_STEP, topic="claim"),
        StepPage(PARTS_STEP, body=parts_body),
        StepPage(
            POLICY, body=policy_body, rows=lambda fields: [*map(row_of, (fields["insurer"], fields["policy_number"]))]
        ),
        StepPage(PIN_STEP, body=pin_body, rows=pin_rows),
        StepPage(HANDLING, body=handling_body, rows=handling_rows),
        StepPage(REPAYMENT, body=repayment_body, rows=repayment_rows),
    ),
    aside=bike_aside,
    before_sending=costs,
    sent=SentPage(more=sent_account, beside=sent_handover),
)
