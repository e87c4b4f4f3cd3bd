"""Questions of a claim that are more than labels and inputs: the policy, the handling, the way back of the money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal.domain.flow import Field
from portal.flows.claim import ACCOUNT, BY_INSURER, HANDLINGS, METHODS, NOW, WAIT
from portal.i18n import Text, _
from portal.pages.flow.fields import answer, asked, group, option_of
from portal.pages.flow.screens import StepFields
from portal.states.bike_choice import BikeChoice
from portal.states.claim import ClaimDisplay
from portal.states.flow import FlowRun
from portal.ui import illustrations, notice, popup, text_link

_CHOSEN: Any = BikeChoice.chosen
Payment = tuple[Text, Text]
"""Who, and what they do when."""

PAYMENTS: dict[str, Sequence[Payment]] = {
    WAIT: (
        (_("Your insurer"), _("Pays the insured amount straight to us.")),
        (_("You"), _("Pay us the excess only, once your bike is repaired.")),
        (_("Repair"), _("Begins when your insurer has approved the quote.")),
    ),
    NOW: (
        (_("You"), _("Pay the whole repair to us first.")),
        (_("Your insurer"), _("Pays you back afterwards, minus the excess.")),
        (_("Repair"), _("Begins as soon as you agree with the quote.")),
    ),
}
"""Who pays what, and when (part-1 §4)."""


def policy_body(fields: StepFields) -> rx.Component:
    """The policy: filled in for a bike that is insured through us, asked together with the insurer for any other."""
    number = asked(
        fields["policy_number"],
        value=_proposed("policy_number", ClaimDisplay.policy_number),
        width="max-w-80",
        after=_where(),
    )
    return rx.cond(
        FlowRun.asked.contains("insurer"),
        rx.fragment(
            notice(
                _("Is it insured elsewhere? Then fill in your own insurer and policy number."),
                rx.el.p(
                    _("Not insured?"),
                    " ",
                    text_link(_("Request a repair"), rx.Var.create("/repair-request?bike=") + _CHOSEN.bike_id),
                    class_name="mt-1",
                ),
                title=_("This bike is not insured through us"),
                tone="info",
            ),
            asked(fields["insurer"], width="max-w-80"),
            number,
        ),
        rx.fragment(
            rx.el.p(_("This bike is insured through us. This is its policy number; change it if it is not right.")),
            number,
        ),
    )


def _where() -> rx.Component:
    return popup(
        _("Where do I find my policy number?"),
        _("Your policy number"),
        rx.el.p(_("It stands at the top of your policy, and in the email with which your insurance began.")),
        rx.el.p(_("Insured through us? Then you also find it on the page of your bike.")),
        rx.el.div(illustrations.shield("w-28"), aria_hidden="true"),
    )


def _proposed(name: str, known: rx.Var[str]) -> rx.Var[str]:
    """What was answered, or else what is known."""
    return rx.cond(answer(name) != "", answer(name), known).to(str)


def handling_body(fields: StepFields) -> rx.Component:
    """Both ways, each with who pays what and when."""
    entry = fields["handling"]
    cards = rx.fragment(*[_way(entry, value) for value in HANDLINGS])
    return group(entry, cards, legend=None, columns="")


def _way(entry: Field, value: str) -> rx.Component:
    """A card of which everything can be pressed; only its title names the control, the rest describes it."""
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
    """Who pays what, and when, for one way of handling."""
    rows = [
        rx.el.div(
            rx.el.dt(who, class_name="font-semibold"),
            rx.el.dd(what, class_name="text-ink-700"),
            class_name="grid gap-x-4 sm:grid-cols-[8rem_1fr]",
        )
        for who, what in PAYMENTS[value]
    ]
    return rx.el.dl(*rows, class_name="space-y-2")


def repayment_body(fields: StepFields) -> rx.Component:
    """How the insurer pays back, with the account once it is wanted, and copies."""
    entry = fields["method"]
    account = _account(fields["account_holder"], fields["iban"])
    cards = rx.fragment(
        rx.el.div(option_of(entry, ACCOUNT, _(METHODS[ACCOUNT])), account, class_name="reveals"),
        option_of(entry, BY_INSURER, _(METHODS[BY_INSURER])),
    )
    return rx.fragment(
        rx.el.p(_("You pay the repair first. We send your insurer the claim with what you fill in here.")),
        group(entry, cards, legend=None, columns=""),
        asked(fields["copies"]),
    )


def _account(holder: Field, iban: Field) -> rx.Component:
    return rx.el.div(
        asked(holder, value=_proposed("account_holder", ClaimDisplay.holder)),
        asked(iban, value=ClaimDisplay.iban, width="max-w-80"),
        class_name="reveal space-y-4",
    )
