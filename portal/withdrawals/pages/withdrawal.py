"""Withdrawing from an order without a session, with its number and e-mail address (part-2 §11)."""

from __future__ import annotations

import reflex as rx

from portal.domain.codes import Code
from portal.i18n import _, choice
from portal.pages.layout import title
from portal.pages.messages import field_message
from portal.pages.parts.form_helps import focus_box
from portal.pages.parts.withdrawing import NAME_OF_IT, TITLES, check, declare, refused
from portal.pages.parts.withdrawn import closed, receipt
from portal.pages.problems import contact_line
from portal.pages.registry import Page
from portal.states.session import Session
from portal.states.withdrawal import GuestWithdrawing
from portal.states.withdrawing import CHECK, CLOSED, DECLARE, RECEIPT
from portal.ui import (
    action_button,
    error_summary,
    event_form,
    notice,
    page_frame,
    submit_button,
    text_field,
    text_link,
)

_PAGE = GuestWithdrawing


def guest_withdrawal() -> rx.Component:
    """Withdraw from an order, whoever knows its number and e-mail address."""
    again = action_button(_("Withdraw from another order"), _PAGE.again)
    return page_frame(
        rx.match(
            _PAGE.step,
            (DECLARE, declare(_PAGE, rx.Var.create(""))),
            (CHECK, check(_PAGE)),
            (RECEIPT, receipt(_PAGE, battery=_by_mail(), ways=again)),
            (CLOSED, rx.fragment(closed(_PAGE, again), contact_line())),
            _find(),
        ),
        narrow=True,
    )


def _by_mail() -> rx.Component:
    """Whoever holds the address of the order is asked, by the link in the receipt."""
    return rx.el.p(
        _("Use the button in the email that we sent to {email}.", email=_PAGE.receipt.email),
        class_name="mt-2 font-semibold",
    )


def _find() -> rx.Component:
    """Which order it is about."""
    errors = {
        "order_number": field_message(_PAGE.errors["order_number"].to(str), _("Order number"), Code.INVALID_ORDER_ID),
        "email": field_message(
            _PAGE.errors["email"].to(str), _("Email address"), Code.INVALID_EMAIL, Code.MISSING_EMAIL_ADDRESS
        ),
    }
    return rx.fragment(
        error_summary(errors, _PAGE.failures),
        focus_box(rx.el.h1(NAME_OF_IT, tab_index=-1), attempt=_PAGE.turn),
        rx.el.p(
            _(
                "Within {withdrawal_days} days after you received everything you can withdraw from a purchase, "
                "without a reason. It takes two steps, and you get a receipt at once."
            ),
            class_name="mt-3 text-lg",
        ),
        rx.cond(
            Session.authenticated,
            rx.el.div(
                notice(
                    rx.el.p(text_link(_("Your orders"), "/orders"), class_name="mt-1"),
                    title=_("You are logged in: open the order and withdraw from it there."),
                ),
                class_name="mt-6",
            ),
        ),
        event_form(
            refused(_PAGE),
            text_field(
                "order_number",
                _("Order number"),
                hint=_("Starts with an 8 or a 9"),
                error=errors["order_number"],
                value=_PAGE.order_number,
                input_mode="numeric",
                width="max-w-60",
            ),
            text_field(
                "email",
                _("Email address"),
                hint=_("The address you ordered with"),
                error=errors["email"],
                kind="email",
                autocomplete="email",
            ),
            submit_button(_("Go on"), _("Loading…")),
            on_send=_PAGE.find,
            answered=_PAGE.answered,
        ),
        contact_line(),
    )


def _title() -> rx.Var[str]:
    return choice(_PAGE.step, TITLES, NAME_OF_IT)


PAGES = [
    Page(
        "withdrawal",
        guest_withdrawal,
        title(_title(), failed=_PAGE.errors.length() > 0),
        protected=False,
    )
]
