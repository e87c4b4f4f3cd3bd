"""How pages show an account. No page writes these words itself."""

from typing import Any

import reflex as rx

from portal import ui
from portal.contract.account import Account, AccountAmount, AccountFact, AccountHandover, LocalizedText
from portal.i18n import Text, _, localized, money

AccountVar = rx.Var[Account] | rx.Var[Account | None] | Any


def texts_of(text: LocalizedText) -> dict[str, str]:
    return text.model_dump() if text else {}


def phases(account: AccountVar, label: Text) -> rx.Component:
    shown = account.to(Account)
    return rx.cond(shown.phases, ui.tracker(shown.phases.to(list[dict[str, str]]), shown.phase.to(int), label))


def account_facts(account: AccountVar, label: Text | None = None) -> rx.Component:
    return fact_rows(account.to(Account).facts, label)


def fact_rows(facts: Any, label: Text | None = None) -> rx.Component:
    attributes = {"aria-label": label} if label is not None else {}
    return rx.el.dl(rx.foreach(facts.to(list[AccountFact]), _fact), class_name="facts", custom_attrs=attributes)


def _fact(fact: rx.vars.ObjectVar[AccountFact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(localized(fact.label), class_name="text-ink-600"),
        rx.el.dd(
            rx.foreach(
                fact.lines.to(list[LocalizedText]),
                lambda line: ui.line(localized(line), look="whitespace-pre-line break-words tabular-nums"),
            ),
            class_name="flex min-w-0 flex-col justify-center",
        ),
    )


def next_steps(account: AccountVar) -> rx.Component:
    steps = account.to(Account).next_steps.to(list[LocalizedText])
    return rx.el.ol(
        rx.foreach(steps, lambda step: rx.el.li(localized(step))),
        class_name="mt-6 max-w-form list-decimal space-y-2 pl-5 has-[li:only-child]:list-none has-[li:only-child]:pl-0",
    )


def chosen_way(handover: Any) -> rx.Var[str]:
    """How it goes, with its price: "We halen je fiets op en brengen hem terug · € 60,00"; empty without a choice."""
    shown = handover.to(AccountHandover)
    price = rx.cond(shown.cost.to(float) > 0, money(shown.cost), _("Free")).to(str)
    text = _("{how} · {price}", how=localized(shown.how), price=price)
    return rx.cond(localized(shown.how) == "", "", text).to(str)


def handover_card(handover: Any, heading: Text | None = None) -> rx.Component:
    shown, way = handover.to(AccountHandover), chosen_way(handover)
    return ui.card(
        *([] if heading is None else [rx.el.h2(heading, class_name="mb-2 text-h3")]),
        ui.strong(way, look="text-lg", shown=way != ""),
        rx.el.address(
            rx.foreach(shown.place.to(list[str]), lambda line: ui.line(line, look="empty:hidden")),
            rx.cond(localized(shown.country) != "", ui.line(localized(shown.country))),
            class_name="mt-2 not-italic first:mt-0",
        ),
        ui.text(
            _("When: {when}", when=localized(shown.when)), look="tabular-nums", top=3, shown=localized(shown.when) != ""
        ),
        class_name="max-w-form",
    )


def amounts_box(account: AccountVar, heading: Text | None = None) -> rx.Component:
    shown = account.to(Account).money
    return rx.cond(
        shown.lines,
        rx.el.section(
            ui.subheading(_("Costs") if heading is None else heading),
            rx.el.dl(
                rx.foreach(shown.lines.to(list[AccountAmount]), _amount),
                rx.el.div(
                    rx.el.dt(localized(shown.label), class_name="font-semibold"),
                    rx.el.dd(money(shown.total), class_name="font-semibold tabular-nums"),
                    class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
                ),
                rx.foreach(shown.besides.to(list[AccountAmount]), _amount),
                class_name="mt-4 space-y-3",
            ),
            ui.muted(localized(shown.note), top=4),
            class_name="card mt-8 max-w-form",
        ),
        ui.text(localized(shown.note), look="max-w-form empty:hidden", top=4),
    )


def _amount(line: rx.vars.ObjectVar[AccountAmount]) -> rx.Component:
    return amount_row(localized(line.label), line.amount)


def amount_row(name: Text, amount: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(money(amount), class_name="whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )
