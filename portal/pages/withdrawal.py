"""Withdrawing from an order, by the customer (part-2 §11)."""

from __future__ import annotations

import reflex as rx

from portal.i18n import _, choice
from portal.pages.downloads import return_summary_link
from portal.pages.parts.battery import battery_form
from portal.pages.parts.faces import detail_title, loaded, unless_missing
from portal.pages.parts.withdrawing import NAME_OF_IT, TITLES, check, declare, refused
from portal.pages.parts.withdrawn import closed, receipt, to_returns
from portal.pages.registry import Page
from portal.states.page import READY
from portal.states.session import Session
from portal.states.withdrawal import Withdrawal
from portal.states.withdrawing import CHECK, CLOSED, DECLARE, RECEIPT
from portal.ui import LINK, back_link, link_button, page_frame, skeleton_cards

_NUMBER = Withdrawal.subject


def withdrawal() -> rx.Component:
    """Withdraw from the order that the address names."""
    return unless_missing(
        Withdrawal,
        page_frame(
            rx.cond(
                Withdrawal.face == READY,
                rx.fragment(),
                rx.el.h1(_("Withdraw from order {number}", number=_NUMBER), tab_index=-1),
            ),
            loaded(
                Withdrawal,
                _steps(),
                failure=_("We could not load what you can withdraw from."),
                waiting=skeleton_cards(2, "h-32"),
            ),
            narrow=True,
            back=back_link(_("Order {number}", number=_NUMBER), f"/orders/{_NUMBER}"),
        ),
    )


def _steps() -> rx.Component:
    return rx.fragment(
        rx.match(
            Withdrawal.step,
            (CHECK, check(Withdrawal)),
            (RECEIPT, _receipt()),
            (CLOSED, closed(Withdrawal, to_returns())),
            declare(Withdrawal, _full_name()),
        )
    )


def _receipt() -> rx.Component:
    got = Withdrawal.receipt
    return receipt(
        Withdrawal,
        return_summary_link(
            got.return_id, _("Download as PDF"), class_name=f"{LINK} inline-flex min-h-11 items-center"
        ),
        battery=battery_form(Withdrawal, refused(Withdrawal)),
        ways=rx.el.div(
            link_button(_("View your return"), f"/returns/{got.return_id}"),
            link_button(_("To overview"), "/dashboard", "secondary"),
            class_name="flex flex-wrap gap-3 max-md:flex-col",
        ),
    )


def _full_name() -> rx.Var[str]:
    person = Session.profile
    middle = rx.cond(person.prefix != "", person.prefix + " ", "").to(str)
    return rx.cond(person.last_name != "", person.first_name + " " + middle + person.last_name, "").to(str)


def _title() -> rx.Var[str]:
    return choice(Withdrawal.step, TITLES, TITLES[DECLARE])


PAGES = [
    Page(
        "withdrawal/[order_id]",
        withdrawal,
        detail_title(Withdrawal, _title(), NAME_OF_IT),
        on_load=[Session.load, Withdrawal.load],
    )
]
