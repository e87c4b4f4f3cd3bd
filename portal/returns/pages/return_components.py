"""Sections of the page of a return: its amounts, items and facts. All amounts come from the server (part-2 §5)."""

from __future__ import annotations

import reflex as rx

from portal.contract.account import Account, AccountAmount, AccountFact
from portal.frontend.accounts import amount_row, chosen_way
from portal.frontend.load_views import account_fact, reference_number, text_fact
from portal.i18n import Text, _, choice, localized, money, ngettext
from portal.pictures.pages import picture
from portal.returns.pages.flow_views import AmountLine, Amounts
from portal.returns.pages.views import ReturnItemView, ReturnView
from portal.returns.rules.settlement import SETTLEMENT_NAMES, TOTAL_NAMES, SettlementKind
from portal.ui import card, text_link


def amount_lines(amounts: rx.vars.ObjectVar[Amounts]) -> rx.Component:
    """The lines of a settlement that is not stored yet, its total, and what is still to be paid."""
    return rx.el.dl(
        rx.foreach(amounts.lines, _line),
        _total(choice(amounts.direction, _TOTAL_NAMES), amounts.total),
        _open(amounts.open),
        class_name="space-y-3",
    )


_TOTAL_NAMES = {direction.value: name for direction, name in TOTAL_NAMES.items()}


def _line(line: rx.vars.ObjectVar[AmountLine]) -> rx.Component:
    name = choice(line.kind, SETTLEMENT_NAMES)
    named = _("{item}: {price}", item=_about(line), price=name)
    return amount_row(rx.cond(line.about != "", named, name).to(str), line.amount)


def _about(line: rx.vars.ObjectVar[AmountLine]) -> rx.Var[str]:
    """The item of a line, or the order of an unpaid amount."""
    unpaid = line.kind == SettlementKind.NOT_PAID.value
    return rx.cond(unpaid, _("Order {number}", number=line.about), line.about).to(str)


def _open(amount: rx.Var[str]) -> rx.Component:
    """What is still to be paid for the orders; not part of the total."""
    return rx.cond(amount != "", amount_row(_("Still to pay for your order"), amount))


def _total(name: rx.Var[str], amount: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name, class_name="text-lg font-semibold"),
        rx.el.dd(money(amount), class_name="shrink-0 text-lg font-semibold tabular-nums"),
        class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
    )


def account_amounts(account: rx.vars.ObjectVar[Account]) -> rx.Component:
    """The amounts of an account, and who pays whom and when; nothing without amounts."""
    return rx.cond(
        account.money.lines,
        card(
            rx.el.dl(
                rx.foreach(account.money.lines.to(list[AccountAmount]), _amount),
                _total(localized(account.money.label), account.money.total),
                rx.foreach(account.money.besides.to(list[AccountAmount]), _amount),
                class_name="space-y-3",
            ),
            rx.el.p(localized(account.money.note), class_name="mt-5 font-semibold empty:hidden"),
            custom_attrs={"data-amounts": ""},
        ),
    )


def _amount(line: rx.vars.ObjectVar[AccountAmount]) -> rx.Component:
    return amount_row(localized(line.label), line.amount)


def items(shown: rx.vars.ObjectVar[ReturnView]) -> rx.Component:
    """The items of a return; says so when only some units arrived or some stay with the customer."""
    return rx.el.ul(
        rx.foreach(shown.articles, _item), class_name="divide-y divide-line rounded-card border border-line bg-white"
    )


def _item(item: rx.vars.ObjectVar[ReturnItemView]) -> rx.Component:
    return rx.el.li(
        picture(item.picture, "(min-width: 48rem) 9rem, 5rem", "w-20 md:w-36"),
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
    """The reference, the frame numbers, and what the customer answered."""
    reference = reference_number(shown.reference, shown.reference_in_groups)
    return card(
        rx.el.dl(
            text_fact(_("Reference number"), reference),
            rx.cond(shown.frames != "", text_fact(_("Frame number"), shown.frames)),
            rx.foreach(shown.account.facts.to(list[AccountFact]), account_fact),
            class_name="space-y-4",
        ),
        rx.el.p(
            rx.foreach(
                shown.order_numbers.to(list[str]),
                lambda number: text_link(_("View order {number}", number=number), f"/orders/{number}"),
            ),
            class_name="mt-5 flex flex-wrap gap-x-6 gap-y-2",
        ),
    )


def handover(account: rx.vars.ObjectVar[Account], *more: rx.Component, heading: Text | None = None) -> rx.Component:
    """How, when and where the items come back, and what that costs."""
    way = account.handover
    return card(
        *([] if heading is None else [rx.el.h2(heading, class_name="mb-2 text-h3")]),
        rx.el.p(chosen_way(way), class_name="font-semibold"),
        rx.cond(localized(way.when) != "", rx.el.p(localized(way.when), class_name="first-letter:uppercase")),
        rx.el.address(
            rx.foreach(way.place.to(list[str]), lambda line: rx.el.span(line, class_name="block")),
            rx.cond(localized(way.country) != "", rx.el.span(localized(way.country), class_name="block")),
            class_name="mt-2 not-italic",
        ),
        *more,
    )
