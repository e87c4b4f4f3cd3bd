"""The steps that ask for state, mileage, battery and reason; and the items that cannot be returned (part-2 §5)."""

from __future__ import annotations

import reflex as rx

from portal.flow import Field, OneOf, Step
from portal.flow.pages.fields import answer, asked, group, option_of, row_of
from portal.flow.pages.spec import StepFields, StepPage
from portal.flow.pages.state import FlowRun
from portal.i18n import Text, _, choice, day, distance
from portal.kernel.codes import MESSAGES, Code
from portal.returns.flow.items import BATTERY, FAULT, MILEAGE, REASON, REFUSALS, STATE
from portal.returns.flow.order_return import REASON_TEXT
from portal.returns.pages.battery import BATTERY_STATES, battery_advice
from portal.returns.pages.flow_state import Returning
from portal.returns.pages.flow_views import ReturnableItemView, ReturnOrderView
from portal.ui import LINK, Fact
from portal.vocabulary.returns import BATTERY_NAMES, REASON_NAMES, STATE_NAMES, ItemState, ReturnReason


def fault_and_reason(fields: StepFields) -> rx.Component:
    """Whether something is wrong, then the reason in the customer's words."""
    fault, reason = fields[FAULT], fields[REASON]
    names = fault.rule.options if isinstance(fault.rule, OneOf) else {}
    cards = rx.fragment(*[option_of(fault, value, _(name)) for value, name in names.items()])
    free = _("Is something wrong with it? Then returning it is free.")
    return rx.fragment(
        group(fault, cards, legend=rx.cond(Returning.free_if_faulty, free, _(fault.label)).to(str)), asked(reason)
    )


def condition_body(fields: StepFields) -> rx.Component:
    """The step that asks for state, mileage and battery."""
    first = [fault_and_reason(fields)] if FAULT in fields else []
    return rx.fragment(*first, _state(fields[STATE], named_by_heading=not first), *_more(fields))


def condition_page(step: Step) -> StepPage:
    """The page of that step where one item is sent back, a bike or a part."""
    is_part = (Returning.chosen.length() > 0) & ~Returning.chosen[0].is_bike.bool()
    title = rx.cond(is_part, _("What condition is your part in?"), _(step.title)).to(str)
    return StepPage(step, body=condition_body, rows=condition_rows, title=title)


def _state(entry: Field, *, named_by_heading: bool) -> rx.Component:
    whole = rx.cond(
        Returning.exchange,
        rx.cond(Returning.product.id != "", _("It counts for all that you paid"), _("Nothing extra to pay")),
        _("You get back what you paid"),
    ).to(str)
    less = _("We take {depreciation_percent}% off the price you paid")
    notes = dict.fromkeys(STATE_NAMES, whole) | {
        ItemState.USED_WITH_SIGNS: rx.cond(Returning.at_our_expense, whole, less).to(str)
    }
    cards = rx.fragment(*[option_of(entry, state.value, _(name), notes[state]) for state, name in STATE_NAMES.items()])
    return group(entry, cards, legend=None if named_by_heading else _("What condition is it in?"), columns="")


def _more(fields: StepFields) -> list[rx.Component]:
    found = []
    if MILEAGE in fields:
        mileage = asked(fields[MILEAGE], width="max-w-40", suffix=_("km"))
        found.append(rx.cond(FlowRun.asked.contains(MILEAGE), mileage))
    found.append(rx.cond(FlowRun.asked.contains(BATTERY), _battery(fields[BATTERY])))
    return found


def _battery(entry: Field) -> rx.Component:
    """The battery question, and instructions as soon as the answer is an unsafe state."""
    cards = rx.fragment(*[option_of(entry, state.value, _(BATTERY_NAMES[state])) for state in BATTERY_STATES])
    return rx.el.div(group(entry, cards, legend=_(entry.label), columns=""), battery_advice(), class_name="space-y-4")


def condition_rows(fields: StepFields) -> list[Fact]:
    """State, mileage and battery on the check page, after the other fields of the step."""
    others = [row_of(entry) for entry in fields if entry.name not in {STATE, MILEAGE, BATTERY}]
    batteries = {state.value: name for state, name in BATTERY_NAMES.items()}
    return [
        *others,
        Fact(_("Condition"), choice(answer(STATE), {state.value: name for state, name in STATE_NAMES.items()})),
        Fact(_("Mileage"), distance(answer(MILEAGE)), shown=FlowRun.asked.contains(MILEAGE)),
        Fact(_("Battery"), choice(answer(BATTERY), batteries), shown=FlowRun.asked.contains(BATTERY)),
    ]


_REASONS = {reason.value: name for reason, name in REASON_NAMES.items()}


def reasons_body(fields: StepFields) -> rx.Component:
    """The step that asks for the reason. The last choice, 'another reason', opens a text field."""
    reason, words = fields[REASON], fields[REASON_TEXT]
    *listed, other = _REASONS
    cards = rx.fragment(
        *[option_of(reason, value, _(_REASONS[value])) for value in listed],
        rx.el.div(
            option_of(reason, other, _(REASON_NAMES[ReturnReason.OTHER])),
            rx.el.div(asked(words), class_name="reveal"),
            class_name="reveals",
        ),
    )
    return group(reason, cards, legend=None, columns="")


def reasons_rows(fields: StepFields) -> list[Fact]:
    reason, words = fields[REASON], fields[REASON_TEXT]
    return [
        Fact(_(reason.label), choice(answer(REASON), _REASONS)),
        Fact(
            _(words.label),
            rx.el.span(answer(REASON_TEXT), class_name="whitespace-pre-line"),
            shown=FlowRun.asked.contains(REASON_TEXT),
        ),
    ]


_ACTIONS = {
    "returns": _("View your returns"),
    "return": _("View this return"),
    "order": _("Track your order"),
    "repair": _("Is it broken? Request a repair"),
    "contact": _("Contact us"),
}

_REFUSALS = {code.value: MESSAGES[code] for code in (*REFUSALS, Code.NOTHING_FOUND, Code.RETURN_REQUEST_ALREADY_EXISTS)}


@rx.memo
def refused_items() -> rx.Component:
    """Items that cannot be chosen, with the reasons."""
    return rx.cond(
        Returning.refused.length() > 0,
        rx.el.section(
            rx.el.h2(
                rx.cond(
                    Returning.exchange, _("What you can’t exchange right now"), _("What you can’t return right now")
                ),
                class_name="text-h3",
            ),
            rx.el.ul(
                rx.foreach(Returning.refused, lambda item: rx.el.li(refused_item(item))), class_name="mt-3 space-y-3"
            ),
        ),
    )


@rx.memo
def refused_orders() -> rx.Component:
    """Orders of which nothing can be chosen, with the reasons."""
    return rx.cond(
        Returning.refused_orders.length() > 0,
        rx.el.section(
            rx.el.h2(_("What you can’t return right now"), class_name="text-h3"),
            rx.el.ul(
                rx.foreach(Returning.refused_orders, lambda order: rx.el.li(_refused_order(order))),
                class_name="mt-3 space-y-3",
            ),
        ),
    )


def refused_item(item: rx.vars.ObjectVar[ReturnableItemView]) -> rx.Component:
    """An item that cannot be chosen, with its reason."""
    return _box(item.name, _("Order {number}, {day}", number=item.order, day=day(item.day)), item)


def _refused_order(order: rx.vars.ObjectVar[ReturnOrderView]) -> rx.Component:
    sent = rx.cond(order.email != "", rx.el.p(_("We’ve sent the link to confirm it to {email}.", email=order.email)))
    return _box(_("Order {number}", number=order.id), _("Ordered on {day}", day=day(order.day)), order, sent)


def _box(name: Text, ordered: Text, refused: rx.vars.ObjectVar, *more: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.p(name, class_name="font-semibold"),
        rx.el.p(ordered, class_name="text-sm text-ink-600 tabular-nums"),
        rx.el.p(choice(refused.refusal, _REFUSALS), class_name="mt-2"),
        *more,
        rx.el.a(
            choice(refused.action, _ACTIONS),
            rx.el.span(" – ", name, class_name="sr-only"),
            to=refused.href,
            class_name=f"{LINK} inline-flex min-h-11 items-center",
        ),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )
