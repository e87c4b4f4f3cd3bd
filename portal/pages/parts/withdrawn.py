"""The end of a withdrawal: its receipt, or why it is not possible."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.address import address_lines
from portal.domain.codes import MESSAGES, Code
from portal.i18n import _, choice, moment
from portal.pages.parts.battery import unsafe_battery
from portal.pages.parts.form_helps import focus_box
from portal.pages.parts.return_amounts import amount_lines
from portal.pages.parts.return_texts import start_return
from portal.pages.parts.withdrawing import TITLES, declared_lines
from portal.settings import settings
from portal.states.withdrawing import CLOSED, RECEIPT
from portal.ui import Fact, card, fact_list, link_button, section
from portal.ui.flow import print_button
from portal.vocabulary.returns import BATTERY_FIRST


def receipt(page: Any, *papers: rx.Component, battery: rx.Component, ways: rx.Component) -> rx.Component:
    """What was received, with content, day and time.

    Args:
        page: the state.
        *papers: links to the same on paper.
        battery: asks how the battery is, before it is told where to send anything.
        ways: where to go on.
    """
    got = page.receipt
    return rx.fragment(
        focus_box(
            rx.el.div(
                rx.el.h1(TITLES[RECEIPT], tab_index=-1),
                rx.el.p(_("Received on {moment}", moment=moment(got.received_at)), class_name="mt-3 text-lg"),
                rx.el.p(_("Your reference number"), class_name="mt-4"),
                rx.el.p(got.spoken, class_name="text-h2 font-semibold tracking-wider tabular-nums"),
                class_name="mt-4 rounded-panel border-2 border-ok-line bg-ok-bg p-6 md:p-10",
            ),
            attempt=page.turn,
        ),
        rx.el.p(_("We have sent this receipt to {email}.", email=got.email), class_name="mt-6"),
        rx.el.div(
            print_button(_("Print this page")), *papers, class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2"
        ),
        section(
            _("What you declared"),
            card(
                rx.el.p(_("I withdraw from my purchase of:"), class_name="font-semibold"),
                declared_lines(got.lines),
                rx.el.div(
                    fact_list([Fact(_("Order number"), got.order_number), Fact(_("Name"), got.name)]),
                    class_name="mt-5",
                ),
            ),
        ),
        section(_("Your money"), card(amount_lines(got.amounts))),
        section(
            _("What happens next"),
            rx.cond(
                got.battery,
                rx.fragment(rx.el.p(_(BATTERY_FIRST)), battery),
                rx.cond(got.unsafe, unsafe_battery(_("Your battery is not safe: do this now")), sending()),
            ),
        ),
        rx.el.div(ways, class_name="mt-10"),
    )


def sending() -> rx.Component:
    """What may be sent goes back within the days of the directive."""
    return rx.el.ol(
        rx.el.li(
            _("Send back what you already have within {send_back_days} days."),
            " ",
            _("Put your reference number on it. The address:"),
            department(),
        ),
        rx.el.li(_("We refund you within {refund_days} days, as soon as it is with us or you show that you sent it.")),
        class_name="list-decimal space-y-2 pl-5",
    )


def department() -> rx.Component:
    """Where it is sent."""
    brand = settings().brand
    lines = (brand.name, _("Returns department"), *address_lines(brand))
    return rx.el.address(*[rx.el.span(line, class_name="block") for line in lines], class_name="my-2 not-italic")


def closed(page: Any, *ways: rx.Component) -> rx.Component:
    """Why nothing can be withdrawn from, and what can be done instead."""
    return rx.fragment(
        focus_box(rx.el.h1(TITLES[CLOSED], tab_index=-1), attempt=page.turn),
        rx.el.p(
            choice(
                page.refusal,
                {
                    Code.WITHDRAWAL_PERIOD_OVER: MESSAGES[Code.WITHDRAWAL_PERIOD_OVER],
                    Code.NOTHING_FOUND: _(
                        "Everything in order {number} has been returned or withdrawn from already.",
                        number=page.order_number,
                    ),
                },
            ),
            class_name="mt-4 text-lg",
        ),
        rx.el.div(
            rx.cond(page.refusal == Code.WITHDRAWAL_PERIOD_OVER.value, start_return()),
            *ways,
            class_name="mt-8 flex flex-wrap gap-3 max-md:flex-col",
        ),
    )


def to_returns() -> rx.Component:
    """The list of what the customer has returned."""
    return link_button(_("Your returns"), "/returns", "secondary")
