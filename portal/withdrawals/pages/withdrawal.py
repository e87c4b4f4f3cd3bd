"""The two pages of a withdrawal: the one of a customer and the one of a guest."""

from __future__ import annotations

import reflex as rx

from portal import ui
from portal.declarations.pages import (
    CHECK,
    DECLARE,
    RECEIPT,
    GuestWording,
    declaration_wording,
    full_name,
    guest_form,
    guest_receipt,
    guest_routes,
    own_choices,
    receipt_step,
)
from portal.frontend.layout import contact_line, privacy_note, title
from portal.frontend.live import live_line
from portal.frontend.load import READY
from portal.frontend.load_views import detail_title, help_card, loaded, return_summary_link, unless_missing
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState
from portal.i18n import _, choice, day, setting
from portal.kernel.codes import Code
from portal.links.pages import FollowUp
from portal.returns.pages.battery import battery_form
from portal.withdrawals.pages.components import (
    PAGE_NAME,
    TITLES,
    check,
    closed,
    declare,
    declared_before,
    declared_by_customer,
    refused,
    to_returns,
    withdrawn,
)
from portal.withdrawals.pages.state import (
    CLOSED,
    Declaration,
    GuestWithdrawalState,
    OwnOrders,
    ShownWithdrawal,
    Withdrawal,
)

_RETURNS = FollowUp(_("Your returns"), "/returns")

WORDING = declaration_wording(
    ask=_("Confirm your withdrawal"),
    question=_("Do you want to withdraw?"),
    yes=_("Yes, I withdraw from this purchase"),
    done=_("Your withdrawal is confirmed"),
    used=_("You’ve already confirmed this withdrawal"),
    taken_back=_("You’re keeping your order"),
    nothing=_("We’ve received your withdrawal, but it is not confirmed yet."),
    follow=_RETURNS,
    refusals={
        Code.RETURN_REQUEST_ALREADY_EXISTS: _RETURNS,
        Code.NOTHING_FOUND: _RETURNS,
        Code.WITHDRAWAL_PERIOD_OVER: _RETURNS,
        Code.ORDER_ID_NOT_FOUND: _RETURNS,
    },
)


_NUMBER = Withdrawal.subject


def withdrawal() -> rx.Component:
    """The customer's page: withdraw from the order that the URL names."""
    return unless_missing(
        Withdrawal,
        ui.page_frame(
            rx.cond(
                Withdrawal.view_state == READY,
                rx.fragment(),
                rx.el.h1(_("Withdraw from order {number}", number=_NUMBER), tab_index=-1),
            ),
            loaded(
                Withdrawal,
                _steps(),
                failure=_("We couldn’t load what you can withdraw from."),
                loading=ui.skeleton_cards(2, "h-32"),
            ),
            narrow=True,
            beside=help_card(_NUMBER),
            back=ui.back_link(_("Order {number}", number=_NUMBER), f"/orders/{_NUMBER}"),
        ),
    )


def _steps() -> rx.Component:
    return rx.fragment(
        live_line(Withdrawal, seen=False),
        rx.match(
            Withdrawal.step,
            (CHECK, check(Withdrawal)),
            (RECEIPT, _receipt()),
            (CLOSED, rx.fragment(closed(Withdrawal, to_returns()), declared_before(Withdrawal))),
            rx.fragment(declare(Withdrawal, full_name()), declared_before(Withdrawal)),
        ),
    )


def _receipt() -> rx.Component:
    receipt = Withdrawal.receipt.to(ShownWithdrawal)
    return receipt_step(
        Withdrawal,
        receipt,
        TITLES[RECEIPT],
        return_summary_link(
            receipt.return_id, _("Download as PDF"), class_name=f"{ui.LINK} inline-flex min-h-11 items-center"
        ),
        declared=declared_by_customer(Withdrawal),
        body=withdrawn(Withdrawal, battery_form(Withdrawal, refused(Withdrawal))),
        links=ui.row(
            ui.link_button(_("View your return"), f"/returns/{receipt.return_id}"),
            ui.link_button(_("To overview"), "/dashboard", "secondary"),
            look="max-md:flex-col",
        ),
    )


def _title() -> rx.Var[str]:
    return choice(Withdrawal.step, TITLES, TITLES[DECLARE])


_PAGE = GuestWithdrawalState


_GUEST = GuestWording(
    heading=PAGE_NAME,
    intro=_(
        "You can withdraw from a purchase within {withdrawal_days} days of receiving everything, "
        "without giving a reason. It takes two steps, and you get a receipt straight away. "
        "Confirm it with the link in the email."
    ),
    own=_("Withdraw from one of your orders"),
    another=_("Withdraw from another order"),
    label=_("Order number"),
    hint=setting("order_number_hint"),
    email_hint=_("The address you ordered with"),
    codes=(Code.INVALID_ORDER_ID,),
)


def _own_orders() -> rx.Component:
    return own_choices(
        OwnOrders,
        OwnOrders.orders,
        lambda order: (
            order.names.to(list[str]).join(", "),
            rx.Var.create("/withdrawal/").to(str) + order.order_number.to(str),
            [
                _("Order {number}, {day}", number=order.order_number, day=day(order.order_date)),
                ui.when(order.until, " · ", _("Until {day}", day=day(order.until))),
            ],
        ),
        none=_("There is no order you can still withdraw from."),
        failure=_("Your orders couldn’t be loaded."),
    )


def guest_withdrawal() -> rx.Component:
    """The guest's page: withdraw from an order, identified by its number and e-mail address."""
    again = _("Withdraw from another order")
    return ui.page_frame(
        rx.match(
            _PAGE.step,
            (DECLARE, declare(_PAGE, rx.Var.create(""))),
            (CHECK, check(_PAGE)),
            (RECEIPT, guest_receipt(_PAGE, _PAGE.receipt.to(Declaration), TITLES[RECEIPT], again)),
            (CLOSED, rx.fragment(closed(_PAGE, ui.action_button(again, _PAGE.again)), contact_line())),
            guest_form(
                _PAGE,
                "order_number",
                _GUEST,
                refused(_PAGE),
                privacy_note(),
                mine=OwnOrders,
                own=_own_orders(),
                value=_PAGE.order_number,
                input_mode=setting("digits"),
            ),
        ),
        narrow=True,
        beside=help_card(_PAGE.order_number),
    )


def _title_for_guests() -> rx.Var[str]:
    return choice(_PAGE.step, TITLES, PAGE_NAME)


PAGES = [
    PageRoute(
        "withdrawal/[order_id]",
        withdrawal,
        detail_title(Withdrawal, _title(), PAGE_NAME),
        on_load=[SessionState.load, Withdrawal.load, Withdrawal.watch],
    ),
    *guest_routes(
        "withdrawal",
        guest_withdrawal,
        title(_title_for_guests(), failed=_PAGE.errors.length() > 0),
        OwnOrders,
        WORDING,
    ),
]
