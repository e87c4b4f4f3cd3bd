"""The steps that ask which items come back: one item, several items with counts, or products of one order."""

import reflex as rx

from portal import ui
from portal.flow import Control, Field, OneOf, Step
from portal.flow.pages.fields import answer, answers, asked, group, option_of, row_of
from portal.flow.pages.spec import StepFields, StepPage
from portal.flow.pages.state import FlowRun
from portal.i18n import Text, _, choice, day, distance
from portal.kernel.codes import MESSAGES, Code
from portal.pictures.pages import picture
from portal.returns.flow.items import BATTERY, BIKES, FAULT, ITEM, ITEMS, MILEAGE, QUANTITY, REASON, REFUSALS, STATE
from portal.returns.flow.kinds import ORDER, REASON_TEXT
from portal.returns.models import EqualBike, PendingReturn
from portal.returns.pages.battery import BATTERY_STATES, battery_advice
from portal.returns.pages.flow_state import ReturnableItem, ReturnableOrder, ReturnFlowState
from portal.vocabulary.returns import BATTERY_NAMES, REASON_NAMES, STATE_NAMES, ItemState, ReturnReason


def fault_and_reason(fields: StepFields) -> rx.Component:
    fault, reason = fields[FAULT], fields[REASON]
    names = fault.rule.options if isinstance(fault.rule, OneOf) else {}
    cards = rx.fragment(*[option_of(fault, value, _(name)) for value, name in names.items()])
    free = _("Is something wrong with it? Then returning it is free.")
    return rx.fragment(
        group(fault, cards, legend=rx.cond(ReturnFlowState.free_if_faulty, free, _(fault.label)).to(str)), asked(reason)
    )


def condition_body(fields: StepFields) -> rx.Component:
    first = [fault_and_reason(fields)] if FAULT in fields else []
    return rx.fragment(*first, _state(fields[STATE], named_by_heading=not first), *_more(fields))


def condition_page(step: Step) -> StepPage:
    """The page of that step where one item is sent back, a bike or a part."""
    is_part = (ReturnFlowState.chosen.length() > 0) & ~ReturnFlowState.chosen[0].is_bike.bool()
    title = rx.cond(is_part, _("What condition is your part in?"), _(step.title)).to(str)
    return StepPage(step, body=condition_body, rows=condition_rows, title=title)


def _state(entry: Field, *, named_by_heading: bool) -> rx.Component:
    whole = rx.cond(
        ReturnFlowState.exchange,
        rx.cond(ReturnFlowState.product, _("It counts for all that you paid"), _("Nothing extra to pay")),
        _("You get back what you paid"),
    ).to(str)
    less = _("We take {depreciation_percent}% off the price you paid")
    notes = dict.fromkeys(STATE_NAMES, whole) | {
        ItemState.USED_WITH_SIGNS: rx.cond(ReturnFlowState.at_our_expense, whole, less).to(str)
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
    return ui.stack(group(entry, cards, legend=_(entry.label), columns=""), battery_advice(), gap=4)


def condition_rows(fields: StepFields) -> list[ui.Fact]:
    others = [row_of(entry) for entry in fields if entry.name not in {STATE, MILEAGE, BATTERY}]
    batteries = {state.value: name for state, name in BATTERY_NAMES.items()}
    return [
        *others,
        ui.Fact(_("Condition"), choice(answer(STATE), {state.value: name for state, name in STATE_NAMES.items()})),
        ui.Fact(_("Mileage"), distance(answer(MILEAGE)), shown=FlowRun.asked.contains(MILEAGE)),
        ui.Fact(_("Battery"), choice(answer(BATTERY), batteries), shown=FlowRun.asked.contains(BATTERY)),
    ]


_REASONS = {reason.value: name for reason, name in REASON_NAMES.items()}


def reasons_body(fields: StepFields) -> rx.Component:
    """The step that asks for the reason. The last choice, 'another reason', opens a text field."""
    reason, words = fields[REASON], fields[REASON_TEXT]
    *listed, other = _REASONS
    cards = rx.fragment(
        *[option_of(reason, value, _(_REASONS[value])) for value in listed],
        ui.revealing(option_of(reason, other, _(REASON_NAMES[ReturnReason.OTHER])), asked(words)),
    )
    return group(reason, cards, legend=None, columns="")


def reasons_rows(fields: StepFields) -> list[ui.Fact]:
    reason, words = fields[REASON], fields[REASON_TEXT]
    return [
        ui.Fact(_(reason.label), choice(answer(REASON), _REASONS)),
        ui.Fact(
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
    return rx.cond(
        ReturnFlowState.refused.length() > 0,
        rx.el.section(
            ui.subheading(
                rx.cond(
                    ReturnFlowState.exchange,
                    _("What you can’t exchange right now"),
                    _("What you can’t return right now"),
                )
            ),
            ui.item_list(ReturnFlowState.refused, lambda item: rx.el.li(refused_item(item)), gap=3, top=3),
        ),
    )


@rx.memo
def refused_orders() -> rx.Component:
    return rx.cond(
        ReturnFlowState.refused_orders.length() > 0,
        rx.el.section(
            ui.subheading(_("What you can’t return right now")),
            ui.item_list(ReturnFlowState.refused_orders, lambda order: rx.el.li(_refused_order(order)), gap=3, top=3),
        ),
    )


def refused_item(item: rx.vars.ObjectVar[ReturnableItem]) -> rx.Component:
    return _box(item.name, of_order(item), item)


def _refused_order(order: rx.vars.ObjectVar[ReturnableOrder]) -> rx.Component:
    sent = ui.text(
        _("We’ve sent the link to confirm it to {email}.", email=order.pending.to(PendingReturn).email),
        shown=order.pending,
    )
    return _box(_("Order {number}", number=order.id), _("Ordered on {day}", day=day(order.day)), order, sent)


def _box(name: Text, ordered: Text, refused: rx.vars.ObjectVar, *more: rx.Component) -> rx.Component:
    return rx.el.div(
        ui.strong(name),
        ui.small(ordered, look="tabular-nums"),
        ui.text(choice(refused.refusal, _REFUSALS), top=2),
        *more,
        ui.tall_link(choice(refused.action, _ACTIONS), ui.hidden_text(" – ", name), to=refused.href),
        class_name="rounded-control border-2 border-line bg-paper-2 px-4 py-3",
    )


Item = rx.vars.ObjectVar[ReturnableItem]


def item_body(fields: StepFields) -> rx.Component:
    """The step that asks for one item, and for the number of units where there are several."""
    entry = fields[ITEM]
    bikes = fields[BIKES]
    cards = rx.foreach(ReturnFlowState.items, lambda item: _with_bikes(bikes, item, _radio(entry.name, item)))
    number = [rx.el.div(asked(one, width="max-w-32"), class_name="quantity") for one in fields.take(QUANTITY)]
    return rx.fragment(group(entry, cards, legend=None, columns=""), *number, refused_items())


def items_body(fields: StepFields) -> rx.Component:
    entry = fields[ITEMS]
    cards = rx.foreach(ReturnFlowState.items, lambda item: _countable(entry.name, item))
    return rx.fragment(group(entry, cards, legend=None, columns=""), refused_items())


def _radio(name: str, item: Item) -> rx.Component:
    return ui.radio_card(
        name,
        item.id,
        item_lines(item),
        checked=answer(name) == item.id,
        custom_attrs={"data-many": rx.cond(item.counts.length() > 0, "true", "false")},
        key=item.id,
    )


def _with_bikes(entry: Field, item: Item, card: rx.Component) -> rx.Component:
    """The card of an item and, once it is chosen, which of several equal bikes is meant."""
    bikes = rx.foreach(item.bikes.to(list[EqualBike]), lambda bike: _bike(entry, bike))
    return rx.cond(
        item.bikes.length() > 0,
        rx.el.div(
            card,
            rx.el.div(
                group(entry, bikes, legend=_(entry.label), columns=""),
                class_name="reveal reveal-cards",
                custom_attrs={"data-only": ""},
            ),
            class_name="reveals",
            key=item.id,
        ),
        card,
    )


def _bike(entry: Field, bike: rx.vars.ObjectVar[EqualBike]) -> rx.Component:
    return ui.option_card(
        entry.name,
        ui.Option(bike.bike_id, bike.name, bike.note),
        kind="radio" if entry.control is Control.RADIO else "checkbox",
        checked=answers(entry.name).contains(bike.bike_id),
    )


def _countable(name: str, item: Item, *, in_order: bool = False) -> rx.Component:
    """An item with a count, or with a checkbox when only one unit can be returned."""
    return rx.cond(item.counts.length() > 0, _count_select(name, item, in_order), _checkbox(name, item, in_order))


def _checkbox(name: str, item: Item, in_order: bool) -> rx.Component:
    value = item.id.to(str) + "*1"
    return ui.radio_card(
        name,
        value,
        item_lines(item, in_order=in_order),
        checked=answers(name).contains(value),
        kind="checkbox",
        key=item.id,
    )


def _count_select(name: str, item: Item, in_order: bool) -> rx.Component:
    identifier = rx.Var.create("count-") + item.id.to(str)
    return rx.el.div(
        item_lines(item, in_order=in_order),
        rx.el.div(
            rx.el.label(_("How many?"), ui.hidden_text(" ", item.name), html_for=identifier, class_name="block"),
            rx.el.select(
                rx.foreach(item.counts.to(list[int]), lambda count: _count_option(item, count)),
                name=name,
                default_value=item.picked,
                class_name="field select mt-1 w-32",
                custom_attrs={"id": identifier},
            ),
        ),
        class_name="counted",
        key=item.id,
    )


def _count_option(item: Item, count: rx.Var[int]) -> rx.Component:
    return rx.el.option(rx.cond(count == 0, _("None"), count.to_string()), value=f"{item.id}*{count}")


def of_order(item: Item) -> rx.Var[str]:
    """The order of an item, by which equal ones differ."""
    return _("Order {number}, {day}", number=item.order, day=day(item.order_day))


def item_lines(item: Item, *, in_order: bool = False) -> rx.Component:
    ordered = ui.line(of_order(item), look="text-sm text-ink-600 tabular-nums")
    return rx.el.span(
        picture(item.picture, "6rem", "w-16 sm:w-24"),
        rx.el.span(
            ui.line(item.name, look="font-semibold"),
            rx.cond(item.about != "", ui.line(item.about, look="text-ink-600")),
            rx.cond(item.bundle != "", ui.line(_("Part of {set}", set=item.bundle), look="text-ink-600")),
            *([] if in_order else [ordered]),
            ui.line(
                rx.cond(
                    ReturnFlowState.exchange,
                    # An exchange takes one unit at a time.
                    _("You can exchange it until {day}", day=day(item.until)),
                    rx.cond(
                        item.max.to(int) > 1,
                        _("You can return {n}, until {day}", n=item.max, day=day(item.until)),
                        _("You can return it until {day}", day=day(item.until)),
                    ),
                ),
                look="text-sm text-ink-600 tabular-nums",
            ),
            class_name="min-w-0",
        ),
        class_name="flex min-w-0 items-center gap-3 sm:gap-4",
    )


@rx.memo
def chosen_aside() -> rx.Component:
    return ui.item_list(
        ReturnFlowState.chosen, _chosen_card, gap=5, look="card", shown=ReturnFlowState.chosen.length() > 0
    )


def _chosen_card(item: rx.vars.ObjectVar[ReturnableItem]) -> rx.Component:
    return rx.el.li(
        picture(item.picture, "9rem", "w-32"),
        ui.block(
            ui.strong(item.name, rx.cond(item.count.to(int) > 1, rx.el.span(" × ", item.count.to_string()))),
            ui.muted(_("Order {number}", number=item.order), look="tabular-nums"),
        ),
        class_name="flex items-center gap-4",
    )


def chosen_rows(fields: StepFields, name: Text | None = None) -> list[ui.Fact]:
    fields.take(ITEM, QUANTITY, ORDER, ITEMS, BIKES)
    lines = ui.item_list(
        ReturnFlowState.chosen,
        lambda item: rx.el.li(
            rx.cond(item.count.to(int) > 1, rx.el.span(item.count.to_string(), " × ", class_name="tabular-nums")),
            item.name,
            ui.line(_("Order {number}", number=item.order), look="text-sm text-ink-600"),
            rx.cond(item.bike_names != "", ui.line(item.bike_names, look="text-sm text-ink-600")),
        ),
        gap=1,
    )
    return [ui.Fact(_("You return") if name is None else name, lines)]


def orders_body(fields: StepFields) -> rx.Component:
    """The step that asks for an order and its products. The chosen order shows its products."""
    bikes = fields[BIKES]
    cards = rx.foreach(ReturnFlowState.orders, lambda order: _order(order, bikes))
    orders = group(fields[ORDER], cards, legend=None, columns="")
    # An error of the products is shown once, above all orders.
    return rx.fragment(group(fields[ITEMS], orders, legend=None, columns=""), refused_orders())


def _order(order: rx.vars.ObjectVar[ReturnableOrder], bikes: Field) -> rx.Component:
    products = rx.foreach(
        order.products.to(list[ReturnableItem]),
        lambda item: rx.cond(
            item.refusal == "", _with_bikes(bikes, item, _countable(ITEMS, item, in_order=True)), refused_item(item)
        ),
    )
    return rx.el.div(
        ui.radio_card(
            ORDER,
            order.id,
            rx.el.span(
                ui.line(_("Order {number}", number=order.id), look="font-semibold tabular-nums"),
                ui.line(_("Ordered on {day}", day=day(order.day)), look="text-ink-600 tabular-nums"),
            ),
            checked=answer(ORDER) == order.id,
        ),
        # The form sends the products of the chosen order only.
        rx.el.fieldset(
            rx.el.legend(_("Products"), class_name="mb-1 font-semibold"),
            rx.el.div(products, class_name="mt-3 grid gap-3"),
            class_name="reveal reveal-cards",
            custom_attrs={"data-only": ""},
        ),
        class_name="reveals",
        key=order.id,
    )
