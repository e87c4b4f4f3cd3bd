"""Sections of the page of a return: its amounts, items and facts. All amounts come from the server (part-2 §5)."""

from __future__ import annotations

import reflex as rx

from portal.frontend.texts import country_name
from portal.i18n import Text, _, choice, day, moment, money, ngettext, number, weekday_day
from portal.returns.pages.flow_views import AmountLine, Amounts
from portal.returns.pages.views import ReturnItemView, ReturnView, StoreView
from portal.returns.rules.settlement import SETTLEMENT_NAMES, SettlementKind
from portal.ui import anchor, button_class, card, copy_button, text_link
from portal.ui.illustrations import item_art
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import BATTERY_NAMES, EXCHANGE_NAMES, METHOD_NAMES, REASON_NAMES, STATE_NAMES, ReturnKind


def amount_lines(amounts: rx.vars.ObjectVar[Amounts]) -> rx.Component:
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


def has_refund(amounts: rx.vars.ObjectVar[Amounts]) -> rx.Var[bool]:
    """Whether a settlement refunds anything."""
    return (amounts.refund != "") & (amounts.refund != "0.00")


def refund(shown: rx.vars.ObjectVar[ReturnView]) -> rx.Component:
    """The amounts of a return, and when they were or will be refunded."""
    return card(
        rx.cond(shown.amounts.lines.length() > 0, amount_lines(shown.amounts.to(Amounts))),
        rx.cond(
            shown.refund_amount != "",
            rx.el.p(
                rx.cond(
                    shown.refunded != "",
                    _(
                        "We refunded {amount} on {day}.",
                        amount=money(shown.refund_amount),
                        day=day(shown.refunded),
                    ),
                    _("We refund {amount}.", amount=money(shown.refund_amount)),
                ),
                class_name="mt-5 font-semibold",
            ),
        ),
        rx.cond(
            shown.refund_by != "",
            rx.el.p(_("You have it by {day} at the latest.", day=day(shown.refund_by)), class_name="mt-2"),
            rx.cond(
                ~shown.closed & has_refund(shown.amounts.to(Amounts)),
                rx.el.p(
                    rx.cond(
                        shown.kind == ReturnKind.WITHDRAWAL.value,
                        _(
                            "We refund you within {refund_days} days, as soon as it is with us or you show "
                            "that you sent it."
                        ),
                        rx.cond(
                            shown.kind == ReturnKind.EXCHANGE.value,
                            _("We refund you within {refund_days} days after the exchange has been processed."),
                            _("We refund you within {refund_days} days after the return has been processed."),
                        ),
                    ),
                    class_name="mt-5 text-ink-600",
                ),
            ),
        ),
    )


def items(shown: rx.vars.ObjectVar[ReturnView]) -> rx.Component:
    """The items of a return; says so when only some units arrived or some stay with the customer."""
    return rx.el.ul(
        rx.foreach(shown.articles, _item), class_name="divide-y divide-line rounded-card border border-line bg-white"
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


def facts(shown: rx.vars.ObjectVar[ReturnView]) -> rx.Component:
    """Reference, order, dates, answers, and how the items come back."""
    reference = rx.el.span(
        rx.el.span(shown.reference_in_groups, class_name="text-lg font-semibold tracking-wider tabular-nums"),
        copy_button(shown.reference, _("Copy reference number")),
        class_name="flex flex-wrap items-center gap-x-4",
    )
    return card(
        rx.el.dl(
            _fact(_("Reference number"), reference),
            _fact(_("Order number"), text_link(shown.order_number, f"/orders/{shown.order_number}")),
            _known(_("Frame number"), shown.frames),
            _fact(
                _("Requested on"),
                rx.cond(shown.declared.name != "", moment(shown.requested_at), day(shown.requested)).to(str),
            ),
            _known(_("Declared by"), shown.declared.name),
            _known(_("Reason"), choice(shown.reason, REASON_NAMES), shown.reason),
            _known(_("In your words"), shown.reason_text),
            _known(_("State"), choice(shown.state, STATE_NAMES), shown.state),
            _known(_("Mileage"), _("{n} km", n=number(shown.mileage)), shown.mileage),
            _known(_("Battery"), choice(shown.battery, BATTERY_NAMES), shown.battery),
            _known(_("Exchange"), choice(shown.exchange, EXCHANGE_NAMES), shown.exchange),
            _known(_("New item"), shown.product),
            _known(_("How"), choice(shown.method, METHOD_NAMES), shown.method),
            rx.cond(shown.store.name != "", _fact(_("Store"), _store(shown.store.to(StoreView)))),
            rx.cond(shown.pickup_day != "", _fact(_("Pick-up"), _pickup(shown))),
            _known(_("Phone number"), shown.phone),
            _known(_("Remarks"), shown.remarks),
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


def _store(store: rx.vars.ObjectVar[StoreView]) -> rx.Component:
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


def _pickup(shown: rx.vars.ObjectVar[ReturnView]) -> rx.Component:
    return rx.el.div(
        rx.el.p(weekday_day(shown.pickup_day), class_name="font-semibold first-letter:uppercase"),
        rx.el.p(choice(shown.pickup_window, WINDOW_NAMES)),
        rx.el.address(
            rx.foreach(shown.address, lambda line: rx.el.span(line, class_name="block")),
            rx.cond(shown.country != "", rx.el.span(country_name(shown.country), class_name="block")),
            class_name="mt-2 not-italic",
        ),
    )
