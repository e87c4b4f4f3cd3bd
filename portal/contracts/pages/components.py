"""Components of contracts that several pages share."""

import reflex as rx

from portal import ui
from portal.bikes.pages.bikes import frame_line
from portal.contracts.pages.state import ContractPage, GuestContractEnd, ShownContract, ShownEnd
from portal.declarations import pages as declaring
from portal.declarations.pages import CHECK, DECLARE, NAME
from portal.frontend.accounts import amounts_box
from portal.frontend.load_views import card_body, card_fact, card_facts
from portal.frontend.texts import in_groups
from portal.i18n import Text, _, choice, day, localized, lowered, money
from portal.kernel.codes import Code
from portal.links.pages import FollowUp, MailedLink
from portal.pictures.pages import picture
from portal.vocabulary.contracts import END_KIND_NAMES, EndKind

_REFUSALS = (Code.CONTRACT_NOT_FOUND, Code.STATUS_CHANGED, Code.TOO_MANY_REQUESTS)


def withdrawing(kind: rx.Var[str], withdrawal: Text, cancellation: Text) -> rx.Var[str]:
    return rx.cond(kind == EndKind.WITHDRAWAL.value, withdrawal, cancellation).to(str)


def state_badge(contract: rx.vars.ObjectVar[ShownContract]) -> rx.Component:
    end = contract.end.to(ShownEnd)
    kind = choice(end.kind, END_KIND_NAMES)
    return rx.cond(
        contract.end.bool() & (end.status != "taken_back"),
        ui.badge(_("{kind}: {status}", kind=kind, status=lowered(localized(end.account.status))), end.tone),
        ui.badge(_("Active"), "ok"),
    )


def contract_facts(contract: rx.vars.ObjectVar[ShownContract]) -> list[ui.Fact]:
    end = contract.end.to(ShownEnd)
    ending = contract.end.bool() & (end.status != "taken_back") & (end.status != "received")
    return [
        ui.Fact(_("Since"), day(contract.since)),
        ui.Fact(_("Price"), _("{amount} a month", amount=money(contract.monthly))),
        ui.Fact(_("Policy number"), contract.policy_number, shown=contract.policy_number != ""),
        ui.Fact(_("Contract number"), in_groups(contract.reference)),
        ui.Fact(_("Withdraw until"), day(contract.withdraw_until), shown=contract.offered == EndKind.WITHDRAWAL.value),
        ui.Fact(
            _("Can be cancelled"),
            _("Any day; if you cancel today, it ends on {day}", day=day(contract.offered_end)),
            shown=contract.offered == EndKind.CANCELLATION.value,
        ),
        ui.Fact(_("Last day"), day(end.ends_on), shown=ending),
    ]


def contract_card(contract: rx.vars.ObjectVar[ShownContract]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.h3(localized(contract.product)),
            state_badge(contract),
            class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2",
        ),
        ui.facts(*contract_facts(contract), top=3),
        _link(contract),
        class_name="card",
        key=contract.reference,
    )


def listed_contract(contract: rx.vars.ObjectVar[ShownContract]) -> rx.Component:
    return rx.el.li(
        card_body(
            picture(contract.picture, "(min-width: 48rem) 10rem, 5rem", "w-full"),
            rx.el.h3(localized(contract.product), class_name="max-sm:text-base max-sm:font-semibold"),
            state_badge(contract),
            bike_named(contract),
            # The last one is a sentence.
            rx.el.div(
                card_facts(*[_fact(fact) for fact in contract_facts(contract)]),
                class_name="sm:[&_dl>:last-child]:col-span-2",
            ),
            _link(contract),
        ),
        class_name="card",
        key=contract.reference,
    )


def _fact(fact: ui.Fact) -> rx.Component:
    shown = card_fact(fact.name, fact.value)
    return shown if fact.shown is None else rx.cond(fact.shown, shown)


def bike_named(contract: rx.vars.ObjectVar[ShownContract]) -> rx.Component:
    return ui.text(rx.el.span(contract.bike, class_name="font-semibold"), frame_line(contract.frame_number))


def _link(contract: rx.vars.ObjectVar[ShownContract]) -> rx.Component:
    return ui.text(
        ui.tall_link(
            rx.cond(contract.offered, _("View or end this contract"), _("View this contract")),
            ui.hidden_text(" ", in_groups(contract.reference)),
            to=f"/contracts/{contract.reference}",
        ),
        top=3,
    )


def refused(page: type[declaring.DeclarationState]) -> rx.Component:
    return declaring.refused(page, _REFUSALS)


def step_title(kind: rx.Var[str], step: str) -> rx.Component:
    name = withdrawing(kind, _("Withdraw from a contract"), _("Cancel a contract"))
    if step == DECLARE:
        title = withdrawing(kind, _("Withdraw from your contract"), _("Cancel your contract"))
        return declaring.step_heading(title, 1, name)
    title = withdrawing(kind, _("Confirm your withdrawal"), _("Confirm your cancellation"))
    return declaring.step_heading(title, 2, name)


def name_form(page: type[ContractPage] | type[GuestContractEnd], kind: rx.Var[str], name: rx.Var[str]) -> rx.Component:
    error, field = declaring.name_field(page, name)
    send = withdrawing(kind, _("Withdraw from contract here"), _("Cancel contract here"))
    return rx.fragment(
        ui.error_summary({NAME: error}, page.failures), declaring.declare_form(page, refused(page), field, send=send)
    )


def check(
    page: type[ContractPage] | type[GuestContractEnd], kind: rx.Var[str], facts: list[ui.Fact], *more: rx.Component
) -> rx.Component:
    declared = ui.card(
        ui.strong(withdrawing(kind, _("I withdraw from this contract:"), _("I cancel this contract:"))),
        ui.facts(*facts, ui.Fact(_("Name"), page.name), top=3),
        class_name="mt-6",
    )
    note = _(
        "You’ll get the receipt straight away, here and by email. We only receive your notice once you confirm it."
    )
    return declaring.check_step(
        page,
        step_title(kind, CHECK),
        declared,
        refused(page),
        *more,
        note=note,
        confirm=withdrawing(kind, _("Confirm withdrawal"), _("Confirm cancellation")),
    )


_KIND = MailedLink.about.ending.to(str)
_CONTRACT = FollowUp(_("View your contract"), f"/contracts/{MailedLink.about.contract}")

WORDING = declaring.declaration_wording(
    ask=withdrawing(_KIND, _("Confirm your withdrawal"), _("Confirm your cancellation")),
    question=_("Do you want to end this contract?"),
    yes=withdrawing(_KIND, _("Yes, I withdraw from this contract"), _("Yes, I cancel this contract")),
    done=withdrawing(_KIND, _("Your withdrawal is confirmed"), _("Your cancellation is confirmed")),
    used=_("You’ve already confirmed this"),
    taken_back=_("You’re keeping your contract"),
    nothing=_("We’ve received it, but it is not confirmed yet."),
    follow=_CONTRACT,
    refusals={Code.STATUS_CHANGED: _CONTRACT},
    more=amounts_box(MailedLink.account, _("Your money")),
)
