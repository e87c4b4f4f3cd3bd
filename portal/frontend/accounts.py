"""How pages show an account: its view, and the components that render it. No page writes these words itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import reflex as rx

from portal.contract.account import Account, AccountFact, AccountHandover, LocalizedText
from portal.i18n import Text, _, localized, money
from portal.ui import card
from portal.ui.lists import tracker

NO_PHASE = -1
"""No phase is shown: the request was cancelled, or its status is unknown."""


@dataclass(frozen=True, slots=True)
class FactView:
    """A label with the lines of its value, each by language."""

    label: dict[str, str] = field(default_factory=dict)
    lines: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AmountView:
    """A line of the amounts: its label by language, and euros as text."""

    label: dict[str, str] = field(default_factory=dict)
    amount: str = ""


@dataclass(frozen=True, slots=True)
class HandoverView:
    """How, where and when; texts by language, empty where unknown. `day` is ISO 8601, `cost` euros as text."""

    known: bool = False
    how: dict[str, str] = field(default_factory=dict)
    place: list[str] = field(default_factory=list)
    country: dict[str, str] = field(default_factory=dict)
    when: dict[str, str] = field(default_factory=dict)
    day: str = ""
    cost: str = ""


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account, ready to show. Texts are by language; an empty view has no title.

    Attributes:
        phases: names, in order; empty if there is no progress to show.
        total: euros as text; empty if there are no amounts.
    """

    title: dict[str, str] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)
    meaning: dict[str, str] = field(default_factory=dict)
    phases: list[dict[str, str]] = field(default_factory=list)
    phase: int = NO_PHASE
    handover: HandoverView = field(default_factory=HandoverView)
    facts: list[FactView] = field(default_factory=list)
    amounts: list[AmountView] = field(default_factory=list)
    total: str = ""
    total_label: dict[str, str] = field(default_factory=dict)
    note: dict[str, str] = field(default_factory=dict)
    besides: list[AmountView] = field(default_factory=list)
    next_steps: list[dict[str, str]] = field(default_factory=list)


def texts_of(text: LocalizedText) -> dict[str, str]:
    """A text by language, for a state; empty if there is no text."""
    return text.model_dump() if text else {}


def account_view(account: Account | None) -> AccountView:
    """The view of an account; an empty one without an account."""
    if account is None:
        return AccountView()
    amounts = account.money
    return AccountView(
        title=texts_of(account.title),
        status=texts_of(account.status),
        meaning=texts_of(account.meaning),
        phases=[texts_of(phase) for phase in account.phases],
        phase=NO_PHASE if account.phase is None else account.phase,
        handover=handover_view(account.handover),
        facts=[FactView(texts_of(fact.label), [texts_of(line) for line in fact.lines]) for fact in account.facts],
        amounts=[AmountView(texts_of(line.label), f"{line.amount:.2f}") for line in amounts.lines],
        total=f"{amounts.total:.2f}" if amounts.lines else "",
        total_label=texts_of(amounts.label),
        note=texts_of(amounts.note),
        besides=[AmountView(texts_of(line.label), f"{line.amount:.2f}") for line in amounts.besides],
        next_steps=[texts_of(step) for step in account.next_steps],
    )


def handover_view(handover: AccountHandover | None) -> HandoverView:
    """The view of a handover; an empty one without a handover."""
    if handover is None:
        return HandoverView()
    return HandoverView(
        known=True,
        how=texts_of(handover.how),
        place=[line for line in handover.place if line],
        country=texts_of(handover.country),
        when=texts_of(handover.when),
        day=handover.day.isoformat() if handover.day else "",
        cost=f"{handover.cost:.2f}" if handover.how and handover.cost else "",
    )


def phases(account: rx.Var[AccountView | Account], label: Text) -> rx.Component:
    """The tracker of the phases; nothing without a current phase."""
    shown = account.to(AccountView)
    return rx.cond(shown.phase != NO_PHASE, tracker(shown.phases, shown.phase, label))


def account_facts(account: rx.Var[AccountView | Account], label: Text | None = None) -> rx.Component:
    attributes = {"aria-label": label} if label is not None else {}
    facts = account.to(rx.vars.ObjectVar).facts
    return rx.el.dl(rx.foreach(facts, _fact), class_name="facts", custom_attrs=attributes)


def _fact(fact: rx.vars.ObjectVar[FactView | AccountFact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(localized(fact.label), class_name="text-ink-600"),
        rx.el.dd(
            rx.foreach(
                fact.lines,
                lambda line: rx.el.span(
                    localized(line), class_name="block whitespace-pre-line break-words tabular-nums"
                ),
            ),
            class_name="flex min-w-0 flex-col justify-center",
        ),
    )


def next_steps(account: rx.Var[AccountView | Account]) -> rx.Component:
    """What happens next, in order; nothing once the request is closed."""
    steps = account.to(rx.vars.ObjectVar).next_steps.to(list[dict[str, str]])
    return rx.el.ol(
        rx.foreach(steps, lambda step: rx.el.li(localized(step))),
        class_name="mt-6 max-w-form list-decimal space-y-2 pl-5 has-[li:only-child]:list-none has-[li:only-child]:pl-0",
    )


def chosen_way(handover: rx.Var[HandoverView]) -> rx.Var[str]:
    """How it goes, with its price: "We halen je fiets op en brengen hem terug · € 60,00"; empty without a choice."""
    shown = handover.to(rx.vars.ObjectVar)
    price = rx.cond(shown.cost == "", _("Free"), money(shown.cost)).to(str)
    text = _("{how} · {price}", how=localized(shown.how), price=price)
    return rx.cond(localized(shown.how) == "", "", text).to(str)


def handover_card(handover: rx.vars.ObjectVar[HandoverView], heading: Text | None = None) -> rx.Component:
    """How, where and when the bike goes, and what that costs."""
    way = chosen_way(handover)
    return card(
        *([] if heading is None else [rx.el.h2(heading, class_name="mb-2 text-h3")]),
        rx.cond(way != "", rx.el.p(way, class_name="text-lg font-semibold")),
        rx.el.address(
            rx.foreach(handover.place.to(list[str]), lambda line: rx.el.span(line, class_name="block")),
            rx.cond(localized(handover.country) != "", rx.el.span(localized(handover.country), class_name="block")),
            class_name="mt-2 not-italic first:mt-0",
        ),
        rx.cond(
            localized(handover.when) != "",
            rx.el.p(_("When: {when}", when=localized(handover.when)), class_name="mt-3 tabular-nums"),
        ),
        class_name="max-w-form",
    )


def amounts_box(account: rx.Var[AccountView], heading: Text | None = None) -> rx.Component:
    """The amounts with their total, and who pays whom and when; without amounts, the sentence that says so."""
    shown = account.to(rx.vars.ObjectVar)
    return rx.cond(
        shown.total != "",
        rx.el.section(
            rx.el.h2(_("Costs") if heading is None else heading, class_name="text-h3"),
            rx.el.dl(
                rx.foreach(shown.amounts.to(list[AmountView]), _amount),
                rx.el.div(
                    rx.el.dt(localized(shown.total_label), class_name="font-semibold"),
                    rx.el.dd(money(shown.total), class_name="font-semibold tabular-nums"),
                    class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
                ),
                rx.foreach(shown.besides.to(list[AmountView]), _amount),
                class_name="mt-4 space-y-3",
            ),
            rx.el.p(localized(shown.note), class_name="mt-4 text-ink-600"),
            class_name="card mt-8 max-w-form",
        ),
        rx.el.p(localized(shown.note), class_name="mt-4 max-w-form empty:hidden"),
    )


def _amount(line: rx.vars.ObjectVar[AmountView]) -> rx.Component:
    return amount_row(localized(line.label), line.amount)


def amount_row(name: Text, amount: rx.Var[str]) -> rx.Component:
    """A row (of a `dl`) with a name and an amount in euros."""
    return rx.el.div(
        rx.el.dt(name),
        rx.el.dd(money(amount), class_name="whitespace-nowrap tabular-nums"),
        class_name="flex justify-between gap-6",
    )
