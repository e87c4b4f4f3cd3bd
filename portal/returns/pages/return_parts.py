"""Sections of the page of a return: its amounts, items and facts. All amounts come from the server (part-2 §5)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.frontend.texts import country_name
from portal.i18n import Text, _, choice, day, moment, money, ngettext, number, weekday_day
from portal.returns.pages.flow_views import AmountLine
from portal.returns.pages.views import ReturnItemView
from portal.returns.rules.settlement import SETTLEMENT_NAMES, SettlementKind
from portal.ui import anchor, button_class, card, copy_button, text_link
from portal.ui.illustrations import item_art
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import BATTERY_NAMES, EXCHANGE_NAMES, METHOD_NAMES, REASON_NAMES, STATE_NAMES, ReturnKind


def amount_lines(amounts: Any) -> rx.Component:
    """The lines of a settlement, the refund or the charge, and what is still to be paid."""
    return rx.el.dl(
        rx.foreach(amounts.lines, _line),
        _sum(_("You get back"), amounts.refund),
        _sum(_("You pay"), amounts.charge),
        _open(amounts.open),
        class_name="space-y-3",
    )


def _line(line: rx.vars.ObjectVar[AmountLine]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(
            choice(line.kind, SETTLEMENT_NAMES),
            rx.cond(line.about != "", rx.el.span(_about(line), class_name="block text-sm text-ink-600")),
        ),
        rx.el.dd(money(line.amount), class_name="shrink-0 whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )


def _about(line: rx.vars.ObjectVar[AmountLine]) -> rx.Var[str]:
    """The item of a line, or the order of an unpaid amount."""
    unpaid = line.kind == SettlementKind.NOT_PAID.value
    return rx.cond(unpaid, _("Order {number}", number=line.about), line.about).to(str)


def _open(amount: rx.Var[str]) -> rx.Component:
    """What is still to be paid for the orders; not part of the sum."""
    return rx.cond(
        amount != "",
        rx.el.div(
            rx.el.dt(
                _("Still to pay for your order"),
                rx.el.span(_("You pay this as agreed when you ordered."), class_name="block text-sm text-ink-600"),
            ),
            rx.el.dd(money(amount), class_name="shrink-0 whitespace-nowrap tabular-nums"),
            class_name="flex justify-between gap-6",
        ),
    )


def _sum(name: rx.Var[str], amount: rx.Var[str]) -> rx.Component:
    return rx.cond(
        amount != "",
        rx.el.div(
            rx.el.dt(name, class_name="text-lg font-semibold"),
            rx.el.dd(money(amount), class_name="shrink-0 text-lg font-semibold tabular-nums"),
            class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
        ),
    )


def has_refund(amounts: Any) -> rx.Var[bool]:
    """Whether a settlement refunds anything."""
    return (amounts.refund != "") & (amounts.refund != "0.00")


def refund(found: Any) -> rx.Component:
    """The amounts of a return, and when they were or will be refunded."""
    return card(
        rx.cond(found.amounts.lines.length() > 0, amount_lines(found.amounts)),
        rx.cond(
            found.refund_amount != "",
            rx.el.p(
                rx.cond(
                    found.refunded != "",
                    _(
                        "We refunded {amount} on {day}.",
                        amount=money(found.refund_amount),
                        day=day(found.refunded),
                    ),
                    _("We refund {amount}.", amount=money(found.refund_amount)),
                ),
                class_name="mt-5 font-semibold",
            ),
        ),
        rx.cond(
            found.refund_by != "",
            rx.el.p(_("You have it by {day} at the latest.", day=day(found.refund_by)), class_name="mt-2"),
            rx.cond(
                ~found.closed & has_refund(found.amounts),
                rx.el.p(
                    rx.cond(
                        found.kind == ReturnKind.WITHDRAWAL.value,
                        _(
                            "We refund you within {refund_days} days, as soon as it is with us or you show "
                            "that you sent it."
                        ),
                        rx.cond(
                            found.kind == ReturnKind.EXCHANGE.value,
                            _("We refund you within {refund_days} days after the exchange has been processed."),
                            _("We refund you within {refund_days} days after the return has been processed."),
                        ),
                    ),
                    class_name="mt-5 text-ink-600",
                ),
            ),
        ),
    )


def items(found: Any) -> rx.Component:
    """The items of a return; says so when only some units arrived or some stay with the customer."""
    return rx.el.ul(
        rx.foreach(found.articles, _item), class_name="divide-y divide-line rounded-card border border-line bg-white"
    )


def _item(item: rx.vars.ObjectVar[ReturnItemView]) -> rx.Component:
    return rx.el.li(
        rx.el.div(item_art(item.kind), class_name="w-16 shrink-0 text-ink md:w-24"),
        rx.el.div(
            rx.el.h3(item.name, class_name="text-base font-semibold"),
            rx.cond(item.details != "", rx.el.p(item.details, class_name="text-ink-600")),
            rx.cond(
                item.frames != "",
                rx.el.p(_("Frame number {frame}", frame=item.frames), class_name="text-ink-600 tabular-nums"),
            ),
            rx.cond(
                (item.received.to(int) > 0) & (item.received != item.count),
                rx.el.p(
                    _("{n} of {total} have arrived", n=item.received, total=item.count),
                    class_name="text-sm text-ink-600",
                ),
            ),
            rx.cond(
                item.given_back.to(int) > 0,
                rx.el.p(
                    ngettext("{n} stays with you", "{n} stay with you", item.given_back),
                    class_name="text-sm text-ink-600",
                ),
            ),
            class_name="min-w-0 grow",
        ),
        rx.el.p(_("{n}×", n=item.count), class_name="shrink-0 font-semibold tabular-nums"),
        class_name="flex items-center gap-4 p-4 md:gap-6 md:px-6",
    )


def facts(found: Any) -> rx.Component:
    """Reference, order, dates, answers, and how the items come back."""
    reference = rx.el.span(
        rx.el.span(found.reference_in_groups, class_name="text-lg font-semibold tracking-wider tabular-nums"),
        copy_button(found.reference, _("Copy reference number")),
        class_name="flex flex-wrap items-center gap-x-4",
    )
    return card(
        rx.el.dl(
            _fact(_("Reference number"), reference),
            _fact(_("Order number"), text_link(found.order_number, f"/orders/{found.order_number}")),
            _known(_("Frame number"), found.frames),
            _fact(
                _("Requested on"),
                rx.cond(found.declared.name != "", moment(found.requested_at), day(found.requested)).to(str),
            ),
            _known(_("Declared by"), found.declared.name),
            _known(_("Reason"), choice(found.reason, REASON_NAMES), found.reason),
            _known(_("In your words"), found.reason_text),
            _known(_("State"), choice(found.state, STATE_NAMES), found.state),
            _known(_("Mileage"), _("{n} km", n=number(found.mileage)), found.mileage),
            _known(_("Battery"), choice(found.battery, BATTERY_NAMES), found.battery),
            _known(_("Exchange"), choice(found.exchange, EXCHANGE_NAMES), found.exchange),
            _known(_("New item"), found.product),
            _known(_("How"), choice(found.method, METHOD_NAMES), found.method),
            rx.cond(found.store.name != "", _fact(_("Store"), _store(found.store))),
            rx.cond(found.pickup_day != "", _fact(_("Pick-up"), _pickup(found))),
            _known(_("Phone number"), found.phone),
            _known(_("Remarks"), found.remarks),
            class_name="space-y-4",
        ),
    )


def _fact(name: Text, value: rx.Component | rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-sm text-ink-600"),
        rx.el.dd(value, class_name="break-words whitespace-pre-line"),
    )


def _known(name: Text, value: rx.Var[str], known: rx.Var[str] | None = None) -> rx.Component:
    """A fact that is left out while `known`, or else the value, is empty."""
    return rx.cond((value if known is None else known) != "", _fact(name, value))


def _store(store: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(store.name, class_name="font-semibold"),
        rx.el.p(store.street),
        rx.el.p(store.place),
        rx.el.div(
            rx.cond(
                store.phone_number != "",
                anchor(
                    _("Call {phone}", phone=store.phone),
                    href=f"tel:{store.phone_number}",
                    class_name=f"{button_class('secondary')} tabular-nums",
                ),
            ),
            rx.cond(
                store.route != "",
                anchor(
                    _("Plan your route"),
                    rx.el.span(" ", _("(opens a map in a new tab)"), class_name="sr-only"),
                    href=store.route,
                    target="_blank",
                    rel="noreferrer",
                    class_name=button_class("secondary"),
                ),
            ),
            class_name="mt-3 flex flex-wrap gap-3",
        ),
    )


def _pickup(found: Any) -> rx.Component:
    return rx.el.div(
        rx.el.p(weekday_day(found.pickup_day), class_name="font-semibold first-letter:uppercase"),
        rx.el.p(choice(found.pickup_window, WINDOW_NAMES)),
        rx.el.address(
            rx.foreach(found.address, lambda line: rx.el.span(line, class_name="block")),
            rx.cond(found.country != "", rx.el.span(country_name(found.country), class_name="block")),
            class_name="mt-2 not-italic",
        ),
    )
