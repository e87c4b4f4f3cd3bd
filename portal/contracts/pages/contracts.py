"""The pages of contracts: the list, one contract, and the end of a contract by a guest."""

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.contracts.api import FoundContract
from portal.contracts.pages.components import (
    WORDING,
    bike_named,
    check,
    contract_facts,
    listed_contract,
    name_form,
    refused,
    state_badge,
    step_title,
    withdrawing,
)
from portal.contracts.pages.state import ContractPage, Contracts, DeclaredEnd, GuestContractEnd, ShownContract, ShownEnd
from portal.conversations.pages.components import request_page_link
from portal.declarations.pages import (
    CHECK,
    DECLARE,
    RECEIPT,
    GuestWording,
    full_name,
    guest_form,
    guest_receipt,
    guest_routes,
    own_choices,
)
from portal.frontend.accounts import account_facts, amounts_box, next_steps
from portal.frontend.layout import privacy_note, title
from portal.frontend.live import live_line
from portal.frontend.load_views import detail_title, help_card, loaded, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.frontend.texts import in_groups
from portal.i18n import _, day, localized, moment
from portal.pictures.pages import picture
from portal.vocabulary.contracts import EndStatus

_NAME = _("Your contracts")


def contracts() -> rx.Component:
    return ui.page_frame(
        loaded(
            Contracts,
            rx.fragment(
                live_line(Contracts),
                ui.when(
                    (Contracts.running.length() > 0) | (Contracts.ended.length() > 0),
                    ui.section(
                        _("Active"),
                        ui.item_list(Contracts.running, listed_contract, gap=5),
                        shown=Contracts.running.length() > 0,
                    ),
                    ui.section(
                        _("Finished"),
                        ui.item_list(Contracts.ended, listed_contract, gap=5),
                        shown=Contracts.ended.length() > 0,
                    ),
                    ui.muted(
                        _(
                            "These are the service packages and insurance policies you took out here. One you "
                            "bought with a bike belongs to that order."
                        ),
                        look="max-w-form",
                        top=8,
                    ),
                    otherwise=_empty(),
                ),
            ),
            failure=_("Your contracts couldn’t be loaded."),
            loading=ui.skeleton_cards(2, "h-64"),
        ),
        title=_NAME,
        back=ui.back_link(_("Bikes"), "/bikes"),
    )


def _empty() -> rx.Component:
    return ui.empty_state(
        _("You have no contracts yet"),
        _(
            "Service packages and insurance you take out here appear on this page. You can also "
            "withdraw from them or cancel them here. Those that came with an order are listed with that order."
        ),
        ui.row(
            ui.link_button(_("Choose a service package"), "/service-package"),
            ui.link_button(_("Your bikes"), "/bikes", "secondary"),
            look="justify-center",
        ),
        ui.illustrations.city_bike(),
    )


_SHOWN = ContractPage.shown.to(ShownContract)
_OFFERED = _SHOWN.offered.to(str)
_END = _SHOWN.end.to(ShownEnd)
_OFFER = _SHOWN.offer.to(Account)


def contract() -> rx.Component:
    return unless_missing(
        ContractPage,
        ui.page_frame(
            loaded(
                ContractPage,
                rx.cond(ContractPage.step == CHECK, _check(), _overview()),
                failure=_("This contract couldn’t be loaded."),
                loading=ui.skeleton_cards(2, "h-64"),
            ),
            narrow=True,
            beside=help_card(in_groups(_SHOWN.reference)),
            back=ui.back_link(_NAME, "/contracts"),
        ),
    )


def _overview() -> rx.Component:
    return rx.fragment(
        ui.focus_box(rx.el.h1(localized(_SHOWN.product), tab_index=-1), attempt=ContractPage.turn),
        ui.text(state_badge(_SHOWN), top=3),
        rx.el.div(
            picture(_SHOWN.picture, "(min-width: 40rem) 12rem, 8rem", "w-32 sm:w-48"),
            bike_named(_SHOWN),
            class_name="mt-6 flex items-center gap-4 sm:gap-6",
        ),
        live_line(ContractPage),
        rx.cond(~_SHOWN.offered.bool(), refused(ContractPage)),
        rx.cond(_SHOWN.end, _ended()),
        ui.section(_("Your contract"), ui.card(ui.facts(*contract_facts(_SHOWN)), class_name="py-2 [&_dl]:border-t-0")),
        rx.cond(_SHOWN.offered, _offer()),
    )


def _offer() -> rx.Component:
    return ui.section(
        withdrawing(_OFFERED, _("Withdraw from your contract"), _("Cancel your contract")),
        ui.text(
            withdrawing(
                _OFFERED,
                _(
                    "You can withdraw until {day}, without giving a reason. Your contract then ends at once.",
                    day=day(_SHOWN.withdraw_until),
                ),
                _("You can cancel any day, without giving a reason. Your contract ends after the notice period."),
            )
        ),
        _account(_OFFER),
        ui.stack(name_form(ContractPage, _OFFERED, full_name()), top=6),
    )


def _ended() -> rx.Component:
    waits = _END.status == EndStatus.RECEIVED.value
    counts = _END.status != EndStatus.TAKEN_BACK.value
    return rx.el.section(
        rx.el.div(
            rx.el.h2(localized(_END.account.title)),
            ui.badge(localized(_END.account.status), _END.tone),
            class_name="flex flex-wrap items-center gap-x-4 gap-y-2",
        ),
        ui.text(localized(_END.account.meaning), top=2),
        _account(_END.account.to(Account)),
        ui.stack(rx.el.h3(_("What happened")), _timeline(), top=6, shown=counts),
        ui.stack(rx.el.h3(_("What happens next")), next_steps(_END.account), top=6, shown=counts),
        ui.muted(_("We’ve sent the receipt to {email}.", email=_END.email), top=4),
        ui.text(request_page_link(in_groups(_END.reference)), top=2),
        ui.row(
            rx.cond(
                waits,
                ui.event_form(
                    refused(ContractPage),
                    ui.submit_button(
                        withdrawing(_END.kind, _("Confirm withdrawal"), _("Confirm cancellation")), _("Sending…")
                    ),
                    on_send=ContractPage.confirm_declared,
                    answered=ContractPage.answered,
                    class_name="",
                ),
            ),
            rx.cond(
                _END.can_take_back,
                ui.confirm_button(
                    _("Keep my contract"),
                    _("Do you want to keep this contract?"),
                    _("Your contract then carries on as before."),
                    _("Keep the contract"),
                    _("Close"),
                    on_confirm=ContractPage.take_back,
                ),
            ),
            ui.print_button(_("Print this page")),
            look="items-center",
            top=6,
        ),
        class_name="mt-8",
    )


def _timeline() -> rx.Component:
    return rx.el.ol(
        *[
            rx.cond(at, rx.el.li(_("{what}: {moment}", what=text, moment=moment(at))))
            for text, at in (
                (_("Received"), _END.received_at),
                (_("Confirmed"), _END.confirmed_at),
                (_("Processed"), _END.processed_at),
            )
        ],
        class_name="mt-3 list-disc space-y-1 pl-5",
    )


def _check() -> rx.Component:
    facts = [
        ui.Fact(_("Contract"), localized(_SHOWN.product)),
        ui.Fact(_("Bike"), _SHOWN.bike),
        ui.Fact(_("Contract number"), in_groups(_SHOWN.reference)),
    ]
    return check(ContractPage, _OFFERED, facts, _account(_OFFER))


def _account(account: rx.vars.ObjectVar[Account]) -> rx.Component:
    return rx.fragment(
        ui.card(account_facts(account), class_name="mt-4 max-w-form py-2 [&_dl]:border-t-0"),
        amounts_box(account, _("Your money")),
    )


_PAGE = GuestContractEnd
_FOUND = GuestContractEnd.found.to(FoundContract)
_RECEIPT = GuestContractEnd.receipt.to(DeclaredEnd)
_GUEST_NAME = _("Cancel or withdraw from a contract")


_GUEST = GuestWording(
    heading=_GUEST_NAME,
    intro=_(
        "You can withdraw from a service package or insurance within {withdrawal_days} days, "
        "without giving a reason; after that you can cancel it. It takes two steps, and you get "
        "a receipt straight away. Confirm it with the link in the email."
    ),
    own=_("End one of your contracts"),
    another=_("End another contract"),
    label=_("Contract number"),
    hint=_("The reference number in the email about your contract"),
    email_hint=_("The address we sent that email to"),
)


def _own_contracts() -> rx.Component:
    return own_choices(
        Contracts,
        Contracts.running.to(list[ShownContract]),
        lambda contract: (
            localized(contract.product),
            rx.Var.create("/contracts/").to(str) + contract.reference.to(str),
            [
                contract.bike,
                ui.when(contract.frame_number != "", ", ", _("Frame number {frame}", frame=contract.frame_number)),
            ],
        ),
        none=_("You have no contract that can be ended here. Did one come with your order? Contact us."),
        failure=_("Your contracts couldn’t be loaded."),
    )


def guest_end() -> rx.Component:
    return ui.page_frame(
        rx.match(
            _PAGE.step,
            (DECLARE, _guest_declare()),
            (CHECK, check(_PAGE, _FOUND.offered, _guest_facts())),
            (RECEIPT, _guest_receipt()),
            guest_form(
                _PAGE, "reference", _GUEST, refused(_PAGE), privacy_note(), mine=Contracts, own=_own_contracts()
            ),
        ),
        narrow=True,
        beside=help_card(rx.Var.create("")),
    )


def _guest_facts() -> list[ui.Fact]:
    return [
        ui.Fact(_("Contract"), localized(_FOUND.product)),
        ui.Fact(_("Bike"), _FOUND.bike),
        ui.Fact(_("Last day"), day(_FOUND.ends_on)),
    ]


def _guest_declare() -> rx.Component:
    return rx.fragment(
        ui.focus_box(step_title(_FOUND.offered, DECLARE), attempt=_PAGE.turn),
        ui.card(ui.facts(*_guest_facts()), class_name="mt-6 py-2 [&_dl]:border-t-0"),
        ui.stack(name_form(_PAGE, _FOUND.offered, rx.Var.create("")), top=6),
    )


def _guest_receipt() -> rx.Component:
    kind = _RECEIPT.ending.to(str)
    title = withdrawing(kind, _("We’ve received your withdrawal"), _("We’ve received your cancellation"))
    return guest_receipt(_PAGE, _RECEIPT, title, _("End another contract"))


_HEADING = rx.cond(
    ContractPage.step == CHECK,
    withdrawing(_OFFERED, _("Confirm your withdrawal"), _("Confirm your cancellation")),
    localized(_SHOWN.product),
).to(str)

PAGES = [
    PageRoute("contracts", contracts, title(_NAME), on_load=[Contracts.load, Contracts.watch], first=Contracts),
    PageRoute(
        "contracts/[reference]",
        contract,
        detail_title(ContractPage, _HEADING, _NAME),
        on_load=[SessionState.load, ContractPage.load, ContractPage.watch],
    ),
    *guest_routes(
        "cancel-contract", guest_end, title(_GUEST_NAME, failed=_PAGE.errors.length() > 0), Contracts, WORDING
    ),
]
