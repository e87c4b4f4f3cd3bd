"""Components of a withdrawal, for customers and guests: the choice, the confirmation and the receipt."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from portal import ui
from portal.contract.account import Account
from portal.declarations import pages as declaring
from portal.declarations.pages import CHECK, DECLARE, NAME, RECEIPT
from portal.frontend.accounts import account_facts, next_steps
from portal.frontend.texts import in_groups
from portal.i18n import Text, _, choice, day, number
from portal.kernel.codes import MESSAGES, Code
from portal.returns.models import EqualBike
from portal.returns.pages.battery import unsafe_battery
from portal.returns.pages.return_components import account_amounts, start_return
from portal.vocabulary.contracts import DECLARATION_STATUSES, DeclarationStatus
from portal.vocabulary.returns import BATTERY_FIRST
from portal.withdrawals.pages.state import (
    BIKES,
    CLOSED,
    COUNT,
    ITEM,
    PART,
    REFERENCE,
    SCOPE,
    WHOLE,
    ChosenItem,
    Declaration,
    GuestWithdrawalState,
    ShownWithdrawal,
    Withdrawal,
    WithdrawalState,
)

PAGE_NAME = _("Withdraw from a purchase")

TITLES: dict[str, Text] = {
    DECLARE: _("What would you like to withdraw from?"),
    CHECK: _("Confirm your withdrawal"),
    RECEIPT: _("We’ve received your withdrawal"),
    CLOSED: _("You can no longer withdraw from this order"),
}
_REFUSALS = (
    Code.WITHDRAWAL_PERIOD_OVER,
    Code.NOTHING_FOUND,
    Code.RETURN_REQUEST_ALREADY_EXISTS,
    Code.ORDER_ID_NOT_FOUND,
    Code.TOO_MANY_REQUESTS,
)


def refused(page: type[WithdrawalState]) -> rx.Component:
    return declaring.refused(page, _REFUSALS)


def declare(page: type[Withdrawal] | type[GuestWithdrawalState], name: rx.Var[str]) -> rx.Component:
    """The first step: whole order or single items, and the name of the person."""
    error, field = declaring.name_field(page, name)
    errors = _errors(page) | {NAME: error}
    return rx.fragment(
        ui.error_summary(errors, page.failures),
        ui.focus_box(_heading(DECLARE, 1), attempt=page.turn),
        ui.text(
            rx.cond(
                page.until,
                _(
                    "You can withdraw from order {number} until {day}, without giving a reason.",
                    number=page.order_number,
                    day=day(page.until),
                ),
                _(
                    "You can withdraw from order {number} until {withdrawal_days} days after everything has been "
                    "delivered, without giving a reason.",
                    number=page.order_number,
                ),
            ),
            top=6,
        ),
        declaring.declare_form(page, refused(page), _scope(page, errors), field, send=_("Continue")),
    )


def _errors(page: type[WithdrawalState]) -> dict[str, rx.Var[str]]:
    return {
        SCOPE: choice(page.errors[SCOPE], {Code.REQUIRED: _("Choose the whole order or single items.")}),
        ITEM: choice(page.errors[ITEM], {Code.REQUIRED: _("Choose at least one item.")}),
        BIKES: choice(
            page.errors[BIKES],
            {
                Code.REQUIRED: _("Choose which one it’s about."),
                Code.INVALID_NUMBER: _("That’s more than you can withdraw from."),
            },
        ),
    }


def _heading(step: str, position: int) -> rx.Component:
    return declaring.step_heading(TITLES[step], position, PAGE_NAME)


def _scope(page: type[WithdrawalState], errors: dict[str, rx.Var[str]]) -> rx.Component:
    described = rx.cond(errors[SCOPE] != "", f"{SCOPE}-error", "")
    return rx.el.fieldset(
        rx.el.legend(_("What is it about?"), class_name="mb-1 font-semibold"),
        *ui.error_line(SCOPE, errors[SCOPE]),
        ui.stack(
            ui.option_card(SCOPE, ui.Option(WHOLE, _("The whole order")), checked=page.scope == WHOLE),
            rx.el.div(
                ui.option_card(SCOPE, ui.Option(PART, _("Single items")), checked=page.scope == PART),
                rx.el.fieldset(
                    rx.el.legend(_("Which items?"), class_name="mb-1 font-semibold"),
                    *ui.error_line(ITEM, errors[ITEM]),
                    ui.item_list(page.offered, lambda item: _item(item, errors[BIKES]), gap=3, top=2),
                    class_name="reveal",
                    custom_attrs={"aria-describedby": rx.cond(errors[ITEM] != "", f"{ITEM}-error", "")},
                ),
                class_name="reveals",
            ),
            gap=3,
            top=3,
        ),
        custom_attrs={"aria-describedby": described},
    )


def _item(item: rx.vars.ObjectVar[ChosenItem], error: rx.Var[str]) -> rx.Component:
    count = f"{COUNT}{item.item_id}"
    return rx.el.li(
        ui.option_card(
            ITEM, ui.Option(item.item_id, item.name, item.details), kind="checkbox", checked=item.count.to(int) > 0
        ),
        rx.cond(
            item.bikes.length() > 0,
            rx.el.fieldset(
                rx.el.legend(_("Which one is it about?"), class_name="mb-1 font-semibold"),
                *ui.error_line(BIKES, error),
                rx.el.div(
                    rx.foreach(item.bikes.to(list[EqualBike]), lambda bike: _bike(item, bike)),
                    class_name="mt-2 grid gap-3",
                ),
                class_name="reveal reveal-cards",
                custom_attrs={"data-only": ""},
            ),
        ),
        rx.cond(
            (item.most.to(int) > 1) & (item.bikes.length() == 0),
            rx.el.label(
                _("How many?"),
                ui.hidden_text(" ", item.name),
                rx.el.select(
                    rx.foreach(item.counts, lambda n: rx.el.option(number(n), value=n.to_string())),
                    name=count,
                    default_value=rx.cond(item.count.to(int) > 0, item.count.to_string(), "1"),
                    auto_complete="off",
                    class_name="field select w-24",
                ),
                class_name="mt-2 flex items-center gap-3 pl-4",
            ),
        ),
        class_name="reveals",
    )


def _bike(item: rx.vars.ObjectVar[ChosenItem], bike: rx.vars.ObjectVar[EqualBike]) -> rx.Component:
    return ui.option_card(
        BIKES,
        ui.Option(bike.bike_id, bike.name, bike.note),
        kind="checkbox",
        checked=item.picked.to(list[str]).contains(bike.bike_id),
    )


def check(page: type[Withdrawal] | type[GuestWithdrawalState]) -> rx.Component:
    declared = ui.card(
        ui.strong(_("I withdraw from my purchase of:")),
        _declared_lines(page.lines),
        ui.facts(ui.Fact(_("Order number"), page.order_number), ui.Fact(_("Name"), page.name), top=5),
        class_name="mt-6",
    )
    note = _(
        "You’ll get the receipt straight away, here and by email. We only receive your withdrawal once you confirm it."
    )
    return declaring.check_step(
        page, _heading(CHECK, 2), declared, refused(page), note=note, confirm=_("Confirm withdrawal")
    )


def _declared_lines(lines: rx.vars.ArrayVar[Sequence[str]]) -> rx.Component:
    return ui.item_list(lines, rx.el.li, gap=1, top=2, look="list-disc pl-5")


def declared_by_customer(page: type[Withdrawal]) -> rx.Component:
    received = page.receipt.to(ShownWithdrawal)
    return ui.card(
        ui.strong(_("I withdraw from my purchase of:")),
        _declared_lines(received.lines.to(list[str])),
        ui.stack(account_facts(received.account.to(Account)), top=5),
    )


def withdrawn(page: type[Withdrawal], battery: rx.Component) -> rx.Component:
    """What follows for a customer: the amounts, and the battery question or how to send the items back."""
    received = page.receipt.to(ShownWithdrawal)
    account = received.account.to(Account)
    return rx.fragment(
        ui.section(_("Your money"), account_amounts(account)),
        ui.section(
            _("What happens next"),
            ui.when(
                received.battery,
                ui.text(_(BATTERY_FIRST)),
                battery,
                otherwise=rx.cond(
                    received.unsafe, unsafe_battery(_("Your battery is not safe: do this now")), next_steps(account)
                ),
            ),
        ),
    )


def declared_before(page: type[Withdrawal]) -> rx.Component:
    """Withdrawals of this order that were declared without a login: each can be confirmed or taken back."""
    texts = {code: MESSAGES[code] for code in (*_REFUSALS, Code.STATUS_CHANGED)}
    return rx.cond(
        page.declared.length() > 0,
        rx.el.section(
            ui.subheading(_("Declared without logging in")),
            ui.text(_(DECLARATION_STATUSES[DeclarationStatus.RECEIVED].meaning), top=2),
            ui.notice_on_failure(
                page.declared_problem != "",
                choice(page.declared_problem, texts, MESSAGES[Code.GENERAL_ERROR]),
                page.failures,
            ),
            ui.item_list(page.declared, lambda entry: _declared_card(page, entry), gap=4, top=4),
            class_name="mt-8",
        ),
    )


def _declared_card(page: type[Withdrawal], entry: rx.vars.ObjectVar[Declaration]) -> rx.Component:
    return rx.el.li(
        account_facts(entry.account),
        ui.text(_("Reference number: {reference}", reference=in_groups(entry.reference)), top=3),
        ui.row(
            _declared_answer(page.confirm_declared, entry.reference, _("Confirm withdrawal"), page.answered),
            _declared_answer(page.take_back, entry.reference, _("Keep my order"), page.answered, style="secondary"),
            look="max-md:flex-col",
            top=5,
        ),
        class_name="card",
    )


def _declared_answer(
    on_send: Any, reference: rx.Var[str], text: Text, answered: rx.Var[int], style: ui.Style = "primary"
) -> rx.Component:
    return ui.event_form(
        ui.hidden_field(REFERENCE, reference),
        ui.submit_button(text, _("Sending…"), style=style),
        on_send=on_send,
        answered=answered,
        class_name="",
    )


def closed(page: type[WithdrawalState], *next_links: rx.Component) -> rx.Component:
    return rx.fragment(
        ui.focus_box(rx.el.h1(TITLES[CLOSED], tab_index=-1), attempt=page.turn),
        ui.lead(
            choice(
                page.refusal,
                {
                    Code.WITHDRAWAL_PERIOD_OVER: MESSAGES[Code.WITHDRAWAL_PERIOD_OVER],
                    Code.NOTHING_FOUND: _(
                        "Everything in order {number} has already been returned or withdrawn from.",
                        number=page.order_number,
                    ),
                },
            ),
            top=4,
        ),
        ui.row(
            rx.cond(page.refusal == Code.WITHDRAWAL_PERIOD_OVER.value, start_return()),
            *next_links,
            look="max-md:flex-col",
            top=8,
        ),
    )


def to_returns() -> rx.Component:
    return ui.link_button(_("Your returns"), "/returns", "secondary")
