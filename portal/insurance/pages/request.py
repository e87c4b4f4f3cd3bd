"""Pages of the insurance request flow (part-2 §2 Insurance request)."""

import operator
from collections.abc import Iterable
from functools import reduce
from typing import Any

import reflex as rx

from portal import ui
from portal.bikes.pages.bike_step import BIKE_SUBJECT, CHOSEN_NAME, BikeChoice, bike_aside, bike_line, bike_page
from portal.flow import AnswerContext, Field, Flow, Iban, OneOf
from portal.flow.pages import Intro, SentPage, StepPage, flow_pages
from portal.flow.pages.fields import answer, asked, group, option_of
from portal.flow.pages.spec import StepFields
from portal.flow.pages.views import Failure, fails, shows
from portal.i18n import _, money
from portal.insurance.flow import (
    ACCOUNT,
    AGREED,
    BIKE_STEP,
    IBAN,
    INSURANCE,
    INSURANCE_STEP,
    INSURER,
    KEY_NUMBER,
    TYPE,
    chosen_bike,
    chosen_offer,
)
from portal.insurance.pages.insurances import excess_of
from portal.insurance.pages.status import SENT_TITLE, InsuranceSent, insurance_sent, insurer_name, product_information
from portal.insurance.rules import BIKE_NOT_INSURED, InsuranceOffer, package_key
from portal.kernel.texts import N_
from portal.vocabulary.contracts import RIGHT_OF_WITHDRAWAL
from portal.vocabulary.insurance import INSURANCE_PHASES, INSURANCE_TYPES, INSURANCES, INSURING, InsuranceType, Insurer


class InsuranceChoice(rx.State):
    """What the steps show of the current answers.

    `offers`: by key of the package.
    `chosen`: the chosen insurance; None while none is chosen.
    `key_number`: the known key number of the chosen bike; empty if unknown.
    """

    offers: rx.Field[dict[str, InsuranceOffer]] = rx.field(default_factory=dict)
    chosen: rx.Field[InsuranceOffer | None] = rx.field(None)
    key_number: rx.Field[str] = rx.field("")
    iban: rx.Field[str] = rx.field("")


@shows(InsuranceChoice, INSURANCE.name)
def _choice(_flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    bike = chosen_bike(answers)
    return {
        "offers": bike.offers if bike else {},
        "chosen": chosen_offer(answers),
        "key_number": bike.key_number if bike else "",
        "iban": Iban.written(answers.text(IBAN)),
    }


@fails(INSURANCE.name)
async def _failure(state: rx.State) -> Failure | None:
    bike = (await state.get_state(BikeChoice)).chosen
    return (BIKE_NOT_INSURED, {"bike": bike.name}) if bike else None


_NOTES = {
    InsuranceType.THEFT: N_("When your bike or its battery is stolen"),
    InsuranceType.THEFT_AND_DAMAGE: N_("Also after a fall, a collision, vandalism or a storm"),
    InsuranceType.NONE: N_("You’re not taking anything out now"),
    InsuranceType.ALREADY_INSURED: N_("With an insurer you chose yourself"),
}


def choice_body(fields: StepFields) -> rx.Component:
    insurers = fields[INSURER].rule.options if isinstance(fields[INSURER].rule, OneOf) else ()
    key = answer(fields[KEY_NUMBER].name)
    return rx.fragment(
        _types(fields[TYPE]),
        rx.el.div(
            group(
                fields[INSURER],
                rx.fragment(*[_insurer(fields[INSURER], Insurer(value)) for value in insurers]),
                legend=_(fields[INSURER].label),
                columns="md:grid-cols-2",
            ),
            _documents(),
            asked(
                fields[KEY_NUMBER], value=rx.cond(key == "", InsuranceChoice.key_number, key).to(str), width="max-w-60"
            ),
            class_name="insuring space-y-8",
        ),
    )


def _documents() -> rx.Component:
    """The product information documents of the insurers; CSS shows those of the chosen type."""
    return rx.el.section(
        rx.el.h2(_("Read this before you choose"), class_name="text-base font-semibold"),
        ui.muted(_("Each insurer explains in brief what is covered, what is not, and how you cancel."), top=1),
        rx.el.ul(
            *[
                rx.el.li(
                    insurer_name(insurer.value),
                    ": ",
                    product_information(_offered(insurer, kind).document_id, _(INSURANCE_TYPES[kind])),
                    custom_attrs={"data-type": kind.value},
                )
                for insurer, kind in INSURANCES
            ],
            class_name="mt-2",
        ),
    )


def _types(entry: Field) -> rx.Component:
    options = entry.rule.options if isinstance(entry.rule, OneOf) else {}

    def card_of(value: str, text: str) -> rx.Component:
        kind = InsuranceType(value)
        shown = option_of(entry, value, _(text), _(_NOTES[kind]))
        return (
            rx.cond(_any_offered([key for key in INSURANCES if key[1] is kind]), shown) if kind in INSURING else shown
        )

    cards = rx.fragment(*[card_of(value, text) for value, text in options.items()])
    return group(entry, cards, legend=None, columns="sm:grid-cols-2")


def _offered(insurer: Insurer, kind: InsuranceType) -> rx.vars.ObjectVar[InsuranceOffer]:
    return InsuranceChoice.offers[package_key(insurer, kind)].to(InsuranceOffer)


def _any_offered(insurances: Iterable[tuple[Insurer, InsuranceType]]) -> rx.Var[bool]:
    offers = [InsuranceChoice.offers.contains(package_key(*key)) for key in insurances]
    return reduce(operator.or_, offers)


def _insurer(entry: Field, insurer: Insurer) -> rx.Component:
    name, about = f"insurer-{insurer}", f"about-{insurer}"
    kinds = [key[1] for key in INSURANCES if key[0] is insurer]
    card_of_insurer = ui.radio_card(
        entry.name,
        insurer.value,
        ui.grow(
            rx.el.span(
                rx.el.span(insurer_name(insurer.value), custom_attrs={"id": name}, class_name="text-lg font-semibold"),
                *[
                    rx.cond(
                        _offered(insurer, kind).most_chosen,
                        rx.el.span(ui.badge(_("Most chosen"), "ok"), custom_attrs={"data-type": kind.value}),
                    )
                    for kind in kinds
                ],
                class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            ui.line(*[_offer(insurer, kind) for kind in kinds], custom_attrs={"id": about}),
        ),
        checked=answer(entry.name) == insurer.value,
        tall=True,
        look="items-start",
        custom_attrs={"aria-labelledby": name, "aria-describedby": about},
    )
    return rx.cond(_any_offered((insurer, kind) for kind in kinds), card_of_insurer)


def _offer(insurer: Insurer, kind: InsuranceType) -> rx.Component:
    offer = _offered(insurer, kind)
    shown = rx.el.span(
        rx.el.span(
            rx.el.span(money(offer.premium), class_name="text-h3 font-semibold tabular-nums"),
            " ",
            ui.per_month(),
            class_name="mt-1 block",
        ),
        ui.line(excess_of(offer), look="text-ink-600 tabular-nums"),
        ui.cover_marks(offer.covers, offer.covers_not),
        custom_attrs={"data-type": kind.value},
    )
    return rx.cond(InsuranceChoice.offers.contains(package_key(insurer, kind)), shown)


def account_body(fields: StepFields) -> rx.Component:
    agreed = fields[AGREED]
    options = agreed.rule.options if isinstance(agreed.rule, OneOf) else {}
    cards = [
        ui.option_card(agreed.name, ui.Option(value, _(text)), kind="checkbox", checked=answer(agreed.name) == value)
        for value, text in options.items()
    ]
    return rx.fragment(
        ui.text(
            _(
                "{insurer} collects {premium} from your account every month.",
                insurer=insurer_name(answer(INSURER)),
                premium=money(InsuranceChoice.chosen.premium),
            )
        ),
        asked(fields[IBAN], value=InsuranceChoice.iban, width="max-w-96"),
        group(agreed, rx.fragment(*cards), legend=_(agreed.label), columns=""),
    )


def premium_aside() -> rx.Component:
    return ui.card(
        ui.strong(insurer_name(answer(INSURER))),
        ui.text(
            rx.el.span(money(InsuranceChoice.chosen.premium), class_name="text-h3 font-semibold tabular-nums"),
            " ",
            ui.per_month(),
            top=1,
        ),
        shown=InsuranceChoice.chosen,
    )


def account_rows(fields: StepFields) -> list[ui.Fact]:
    account, _agreed = fields[IBAN], fields[AGREED]
    return [ui.Fact(_(account.label), InsuranceChoice.iban)]


def insures() -> rx.Var[bool]:
    first, second = sorted(INSURING)
    return (answer(TYPE) == first.value) | (answer(TYPE) == second.value)


def premium_to_check() -> rx.Component:
    return rx.cond(
        insures(),
        rx.el.section(
            ui.subheading(_("Costs and cover")),
            _summary(),
            ui.text(
                _("You agree that the premium is collected from your account every month."),
                look="border-t border-line pt-4",
                top=4,
            ),
            ui.text(_(RIGHT_OF_WITHDRAWAL), top=2),
            class_name="card mt-8 max-w-form",
        ),
        ui.text(_("You take nothing out, and nothing is collected from your account."), top=8),
    )


def _summary() -> rx.Component:
    offer = InsuranceChoice.chosen
    excess = rx.cond(offer.excess.to(float) > 0, money(offer.excess), _("None")).to(str)

    def amount(name: rx.Var[str], value: rx.Var[str]) -> rx.Component:
        return rx.el.div(
            rx.el.dt(name),
            rx.el.dd(value, class_name="font-semibold whitespace-nowrap tabular-nums"),
            class_name="flex justify-between gap-6",
        )

    return ui.when(
        offer,
        rx.el.dl(
            amount(_("Premium per month"), money(offer.premium)),
            amount(_("Excess per claim"), excess),
            class_name="mt-4 space-y-3",
        ),
        ui.stack(ui.cover_marks(offer.covers, offer.covers_not), top=2, bottom=1),
        product_information(offer.document_id, insurer_name(offer.insurer)),
    )


def _intro() -> Intro:
    return Intro(
        _("Insure your new bike against theft, or against theft and damage."),
        _("Have to hand"),
        (
            _("Your key: we ask for the number on it"),
            _("The IBAN you want to pay the premium from"),
            _("Your email: confirm the insurance with the link we send you"),
        ),
        (_("You can insure a bike up to {insurance_days} days after buying it. You pay the premium monthly."),),
        phases=lambda: ui.tracker([_(phase) for phase in INSURANCE_PHASES], rx.Var.create(0), _("How insurance works")),
        above=lambda: ui.text(ui.text_link(_("Compare cover"), "/insurance-package"), top=3),
    )


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
    send=rx.cond(insures(), _(INSURANCE.send), _("Send my answer")).to(str),
    failure=rx.cond(BikeChoice.chosen, _(BIKE_NOT_INSURED, bike=CHOSEN_NAME), _(INSURANCE.failure)).to(str),
    sent=SentPage(
        title=SENT_TITLE,
        follow="/insurance-package",
        page=insurance_sent,
        # The page follows the status of the request, for example when the link in the mail is used.
        on_load=(InsuranceSent.load, InsuranceSent.watch),
    ),
)
