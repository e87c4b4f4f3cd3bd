"""Pages of the insurance request flow (part-2 §2 Insurance request)."""

from __future__ import annotations

import reflex as rx

from portal.bikes.pages.bike_step import BIKE_SUBJECT, bike_aside, bike_line, bike_page
from portal.bikes.pages.state import BikeChoice
from portal.flow import Field, OneOf
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import StepFields
from portal.i18n import _, lowered, money
from portal.insurance.flow import ACCOUNT, AGREED, BIKE_STEP, IBAN, INSURANCE, INSURANCE_STEP, INSURER, KEY_NUMBER, TYPE
from portal.insurance.pages.insurances import insurer_name, product_information
from portal.insurance.pages.sent import SENT_TITLE, insurance_sent
from portal.insurance.pages.state import InsuranceChoice, InsuranceSent
from portal.insurance.rules import BIKE_NOT_INSURED, PACKAGES, InsurancePackage
from portal.kernel.texts import N_
from portal.ui import Fact, Option, badge, card, option_card, text_link
from portal.ui.lists import mark_list, per_month, tracker
from portal.vocabulary.contracts import RIGHT_OF_WITHDRAWAL
from portal.vocabulary.insurance import (
    COVER_TEXTS,
    INSURANCE_PHASES,
    INSURANCE_TYPES,
    INSURING,
    Cover,
    InsuranceType,
    Insurer,
)

_NOTES = {
    InsuranceType.THEFT: N_("When your bike or its battery is stolen"),
    InsuranceType.THEFT_AND_DAMAGE: N_("Also after a fall, a collision, vandalism or a storm"),
    InsuranceType.NONE: N_("You take nothing out now"),
    InsuranceType.ALREADY_INSURED: N_("With an insurer of your own choice"),
}


def choice_body(fields: StepFields) -> rx.Component:
    """Ask for the type and, for an insurance, the insurer and the key number.

    Args:
        fields: the fields of `INSURANCE_STEP`.
    """
    return rx.fragment(
        _types(fields[TYPE]),
        rx.el.div(
            group(
                fields[INSURER],
                rx.fragment(*[_insurer(fields[INSURER], insurer) for insurer in _insurers(fields[INSURER])]),
                legend=_(fields[INSURER].label),
                columns="md:grid-cols-2",
            ),
            _documents(),
            _key_number(fields[KEY_NUMBER]),
            class_name="insuring space-y-8",
        ),
    )


def _documents() -> rx.Component:
    """The product information documents of the insurers; CSS shows those of the chosen type."""
    return rx.el.section(
        rx.el.h2(_("Read this before you choose"), class_name="text-base font-semibold"),
        rx.el.p(
            _("Each insurer explains in short what is insured, what is not, and how you cancel."),
            class_name="mt-1 text-ink-600",
        ),
        rx.el.ul(
            *[
                rx.el.li(
                    insurer_name(offer.insurer.value),
                    ": ",
                    product_information(InsuranceChoice.documents[offer.key].to(str), _(INSURANCE_TYPES[offer.type])),
                    custom_attrs={"data-type": offer.type.value},
                )
                for offer in PACKAGES
            ],
            class_name="mt-2",
        ),
    )


def _types(entry: Field) -> rx.Component:
    options = entry.rule.options if isinstance(entry.rule, OneOf) else {}
    cards = rx.fragment(
        *[option_of(entry, value, _(text), _(_NOTES[InsuranceType(value)])) for value, text in options.items()]
    )
    return group(entry, cards, legend=None, columns="sm:grid-cols-2")


def _insurers(entry: Field) -> list[Insurer]:
    return [Insurer(value) for value in entry.rule.options] if isinstance(entry.rule, OneOf) else []


def _insurer(entry: Field, insurer: Insurer) -> rx.Component:
    """One insurer with the packages of both types; CSS shows the one of the chosen type."""
    name, about = f"insurer-{insurer}", f"about-{insurer}"
    offers = [offer for offer in PACKAGES if offer.insurer is insurer]
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=entry.name,
            value=insurer.value,
            default_checked=answer(entry.name) == insurer.value,
            class_name="mt-0.5 size-6 shrink-0 self-start accent-ink",
            custom_attrs={"aria-labelledby": name, "aria-describedby": about},
        ),
        rx.el.span(
            rx.el.span(
                rx.el.span(insurer_name(insurer.value), custom_attrs={"id": name}, class_name="text-lg font-semibold"),
                *[
                    rx.el.span(badge(_("Most chosen"), "ok"), custom_attrs={"data-type": offer.type.value})
                    for offer in offers
                    if offer.most_chosen
                ],
                class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            rx.el.span(*[_offer(offer) for offer in offers], custom_attrs={"id": about}, class_name="block"),
            class_name="min-w-0 grow",
        ),
        class_name="choice items-start",
    )


def _offer(offer: InsurancePackage) -> rx.Component:
    premium = InsuranceChoice.premiums[offer.key].to(str)
    excess = (
        _("Excess {amount} for each damage", amount=money(rx.Var.create(f"{offer.excess:.2f}")))
        if offer.excess
        else _("No excess")
    )
    return rx.el.span(
        rx.el.span(
            rx.el.span(money(premium), class_name="text-h3 font-semibold tabular-nums"),
            " ",
            per_month(),
            class_name="mt-1 block",
        ),
        rx.el.span(excess, class_name="block text-ink-600 tabular-nums"),
        mark_list(
            [(True, _cover(cover)) for cover in offer.covers]
            + [(False, _("Not covered: {what}", what=lowered(_cover(cover)))) for cover in offer.covers_not]
        ),
        custom_attrs={"data-type": offer.type.value},
    )


def _cover(cover: Cover) -> rx.Var[str]:
    return _(COVER_TEXTS[cover])


def _key_number(entry: Field) -> rx.Component:
    """The key number, prefilled with the known one of the bike."""
    known = rx.cond(answer(entry.name) == "", InsuranceChoice.key_number, answer(entry.name)).to(str)
    return asked(entry, value=known, width="max-w-60")


def account_body(fields: StepFields) -> rx.Component:
    """Show the premium, and ask for the account and the consent.

    Args:
        fields: the fields of `ACCOUNT`.
    """
    agreed = fields[AGREED]
    options = agreed.rule.options if isinstance(agreed.rule, OneOf) else {}
    cards = [
        option_card(agreed.name, Option(value, _(text)), kind="checkbox", checked=answer(agreed.name) == value)
        for value, text in options.items()
    ]
    return rx.fragment(
        rx.el.p(
            _(
                "{insurer} takes {premium} from your account every month.",
                insurer=insurer_name(answer(INSURER)),
                premium=money(InsuranceChoice.premium),
            )
        ),
        asked(fields[IBAN], value=InsuranceChoice.iban, width="max-w-96"),
        group(agreed, rx.fragment(*cards), legend=_(agreed.label), columns=""),
    )


def premium_aside() -> rx.Component:
    """The premium of the chosen insurance, beside the steps."""
    return rx.cond(
        InsuranceChoice.premium != "",
        card(
            rx.el.p(insurer_name(answer(INSURER)), class_name="font-semibold"),
            rx.el.p(
                rx.el.span(money(InsuranceChoice.premium), class_name="text-h3 font-semibold tabular-nums"),
                " ",
                per_month(),
                class_name="mt-1",
            ),
        ),
    )


def account_rows(fields: StepFields) -> list[Fact]:
    """The account on the check page; `premium_to_check` shows the consent."""
    account, _agreed = fields[IBAN], fields[AGREED]
    return [Fact(_(account.label), InsuranceChoice.iban)]


def insures() -> rx.Var[bool]:
    """Return whether the chosen type is an insurance."""
    first, second = sorted(INSURING)
    return (answer(TYPE) == first.value) | (answer(TYPE) == second.value)


def premium_to_check() -> rx.Component:
    """Premium and cover of the chosen insurance, on the check page."""
    return rx.cond(
        insures(),
        rx.el.section(
            rx.el.h2(_("Costs and cover"), class_name="text-h3"),
            *[_summary(offer) for offer in PACKAGES],
            rx.el.p(
                _("You agree that the premium is taken from your account every month."),
                class_name="mt-4 border-t border-line pt-4",
            ),
            rx.el.p(_(RIGHT_OF_WITHDRAWAL), class_name="mt-2"),
            class_name="card mt-8 max-w-form",
        ),
        rx.el.p(
            _("Nothing is taken out, and nothing is taken from your account."),
            class_name="mt-8",
        ),
    )


def _summary(offer: InsurancePackage) -> rx.Component:
    chosen = (answer(TYPE) == offer.type.value) & (answer(INSURER) == offer.insurer.value)
    excess = money(rx.Var.create(f"{offer.excess:.2f}")) if offer.excess else _("None")
    return rx.cond(
        chosen,
        rx.fragment(
            rx.el.dl(
                _amount(_("Premium a month"), money(InsuranceChoice.premium)),
                _amount(_("Excess for each damage"), excess),
                class_name="mt-4 space-y-3",
            ),
            rx.el.div(
                mark_list(
                    [(True, _cover(cover)) for cover in offer.covers]
                    + [(False, _("Not covered: {what}", what=lowered(_cover(cover)))) for cover in offer.covers_not]
                ),
                class_name="mt-2",
            ),
            product_information(InsuranceChoice.document, insurer_name(offer.insurer.value)),
        ),
    )


def _amount(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(value, class_name="font-semibold whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )


def _intro() -> Intro:
    return Intro(
        _("Insure your new bike against theft, or against theft and damage. With one of two insurers."),
        _("Have at hand"),
        (
            _("The key of your lock: we ask for the number on it"),
            _("The IBAN from which the premium is paid"),
            _("Your email: you confirm the insurance by a link that we send you"),
        ),
        (_("You can insure a bike up to {insurance_days} days after purchase. You pay the premium every month."),),
        phases=lambda: tracker([_(phase) for phase in INSURANCE_PHASES], rx.Var.create(0), _("How an insurance goes")),
        above=lambda: rx.el.p(text_link(_("Compare the insurances"), "/insurance-package"), class_name="mt-3"),
    )


_NAME = BikeChoice.chosen.name

PAGES = flow_pages(
    INSURANCE,
    intro=_intro,
    subject=BIKE_SUBJECT,
    steps=(
        bike_page(BIKE_STEP, topic="insurance"),
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
        # The page follows the status of the request, for example when the link in the mail is used.
        on_load=(InsuranceSent.load, InsuranceSent.watch),
    ),
)
