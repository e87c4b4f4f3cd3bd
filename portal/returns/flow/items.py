"""Fields that the return flows share: which items, in what state, how they come back (part-2 §2, §5).

The facts of these flows are `portal.returns.models.ReturnFacts` and `ReturnTerms`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple, Self

from portal.flow import (
    Answer,
    AnswerContext,
    Condition,
    Control,
    Field,
    Findings,
    Kilometres,
    Offered,
    OneOf,
    OneValue,
    SeveralValues,
    Words,
    always,
    answered,
)
from portal.flow.facts import with_id
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import REASON_LEAST, REASON_MOST, UNUSED_KM
from portal.kernel.texts import N_
from portal.kernel.validation import ANY_ORDER_NUMBER, InvalidValue
from portal.returns.models import ItemFacts, KnownBike, ReturnFacts, ReturnTerms, StockItem
from portal.returns.rules.settlement import ComputedSettlement, Returned, Terms, settle
from portal.vocabulary.returns import (
    BATTERY_NAMES,
    BATTERY_QUESTION,
    FAULT_NAMES,
    METHOD_NAMES,
    STATE_NAMES,
    BatteryState,
    ItemState,
    ReturnMethod,
    may_travel,
)

ITEMS = "items"
"""The field of flows with several items; '900000001-3*2' is two units of one item."""

ITEM, QUANTITY = "item", "quantity"
"""Fields of flows with one item."""

BIKES = "bikes"
"""The field with the chosen ones of equal bikes."""

STATE, MILEAGE, BATTERY = "state", "mileage", "battery"
METHOD, STORE = "method", "store"
REASON, FAULT, NO_FAULT = "reason", "fault", "none"
"""`FAULT` is asked where the reason is free text: a value of `vocabulary.returns.FAULT_NAMES`, or `NO_FAULT`."""

REFUSALS = (
    Code.RETURN_REQUEST_EXISTS,
    Code.ORDER_NOT_SHIPPED,
    Code.OLDER_THAN_100_DAYS,
    Code.ALREADY_RETURNED,
    Code.ORDER_CANCELLED,
    Code.ORDER_REFUNDED,
    Code.MULTIPLE_ENTRIES,
)
"""Reasons why an item cannot be chosen. The item is shown with its reason."""

_HOW_MANY = N_("Enter how many: at least 1, and no more than you can return.")
_ITEM_AND_COUNT = re.compile(rf"({ANY_ORDER_NUMBER}-[0-9]{{1,4}})\*([0-9]{{1,4}})")


class ItemCount(NamedTuple):
    """An item of an answer and how many of it: '900000001-3*2'."""

    item: str
    count: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        found = _ITEM_AND_COUNT.fullmatch(text)
        return cls(found[1], int(found[2])) if found else None

    def __str__(self) -> str:
        return f"{self.item}*{self.count}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A chosen item, the number of units, and which of equal bikes these are."""

    item: StockItem
    count: int
    bikes: tuple[KnownBike, ...] = ()

    @property
    def each(self) -> Sequence[KnownBike | StockItem]:
        """What has a mileage and a lock: the chosen ones of equal bikes, else the item."""
        return self.bikes or (self.item,)


def stock(answers: AnswerContext) -> list[StockItem]:
    return answers.part(ItemFacts).items


def chosen(answers: AnswerContext) -> list[Chosen]:
    """The items that come back, in a flow with one item or with several; empty until they are chosen."""
    if answers.text(ITEM):
        found = [(answers.chosen(stock(answers), ITEM), int(answers.text(QUANTITY) or 1))]
    else:
        given = [ItemCount.parse(value) for value in answers.several(ITEMS)]
        found = [(with_id(stock(answers), known.item), known.count) for known in given if known]
    return [_chosen(item, count, answers) for item, count in found if item]


def _chosen(item: StockItem, count: int, answers: AnswerContext) -> Chosen:
    """Of equal bikes, those that were ticked are the count."""
    ticked = answers.several(BIKES)
    bikes = tuple(bike for bike in item.bikes if bike.bike_id in ticked)
    return Chosen(item, len(bikes) or count, bikes)


@dataclass(frozen=True, slots=True)
class CountedItems(SeveralValues):
    """One or more items, each with a count, such as '900000001-3*2'. An item with the count 0 is ignored.

    `order_field`: name of the field with the order to which all items must belong; empty for any order.
    """

    order_field: str = ""
    codes: tuple[Code, ...] = (Code.INVALID_CHOICE, Code.NOTHING_FOUND, Code.INVALID_NUMBER, *REFUSALS)
    messages = MappingProxyType(
        {
            Code.REQUIRED: MESSAGES[Code.MISSING_ITEM],
            Code.INVALID_NUMBER: N_("That’s more than you can return."),
        }
    )

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return the items, sorted as they are offered."""
        counts: dict[str, int] = {}
        for value in given:
            known = ItemCount.parse(value)
            if known is None:
                raise InvalidValue(Code.INVALID_CHOICE)
            counts[known.item] = counts.get(known.item, 0) + known.count
        counts = {name: count for name, count in counts.items() if count}
        if not counts:
            raise InvalidValue(Code.REQUIRED)
        for name, count in counts.items():
            self._check(with_id(stock(answers), name), count, answers)
        return [str(ItemCount(item.id, counts[item.id])) for item in stock(answers) if item.id in counts]

    def _check(self, item: StockItem | None, count: int, answers: AnswerContext) -> None:
        if item is None:
            raise InvalidValue(Code.NOTHING_FOUND)
        if self.order_field and item.order != answers.text(self.order_field):
            raise InvalidValue(Code.INVALID_CHOICE)
        if item.refusal:
            raise InvalidValue(Code(item.refusal))
        if count > item.max:
            raise InvalidValue(Code.INVALID_NUMBER)


@dataclass(frozen=True, slots=True)
class Equal(SeveralValues):
    """Which of several equal bikes: at least one of each chosen item, and no more than can be returned.

    `single`: whether only one is taken, as in an exchange.
    """

    single: bool = False
    codes: tuple[Code, ...] = (Code.INVALID_CHOICE, Code.INVALID_NUMBER)
    messages = MappingProxyType({Code.INVALID_NUMBER: N_("That’s more than you can return.")})

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """Return their ids, sorted as they are offered."""
        offered = {bike.bike_id: entry.item for entry in chosen(answers) for bike in entry.item.bikes}
        if not set(given) <= set(offered):
            raise InvalidValue(Code.INVALID_CHOICE)
        for item in offered.values():
            count = sum(bike.bike_id in given for bike in item.bikes)
            if not count:
                raise InvalidValue(Code.REQUIRED)
            if count > (1 if self.single else item.max):
                raise InvalidValue(Code.INVALID_NUMBER)
        return [bike for bike in offered if bike in given]


@dataclass(frozen=True, slots=True)
class Quantity(OneValue):
    """The number of units of the chosen item: from 1 to the number that can be returned."""

    codes: tuple[Code, ...] = (Code.INVALID_NUMBER,)
    messages = MappingProxyType(dict.fromkeys((Code.REQUIRED, Code.INVALID_NUMBER), _HOW_MANY))

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        text, item = str(given).strip(), answers.chosen(stock(answers), ITEM)
        if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= (item.max if item else 1):
            raise InvalidValue(Code.INVALID_NUMBER)
        return str(int(text))


def item_field(label: str, ask: str = MESSAGES[Code.MISSING_ITEM]) -> Field:
    """Which item. An item that cannot be returned is refused with its reason."""
    return Field(ITEM, label, Offered(ITEMS, REFUSALS, Code.NOTHING_FOUND), ask)


def quantity_field() -> Field:
    """How many units; asked when more than one can be returned, and nothing tells them apart."""
    return Field(
        QUANTITY,
        N_("How many?"),
        Quantity(),
        applies=lambda answers: any(entry.item.max > 1 for entry in chosen(answers)) and not _are_equal(answers),
        belongs_to=(ITEM,),
        control=Control.DIGITS,
    )


def _are_equal(answers: AnswerContext) -> bool:
    return any(entry.item.bikes for entry in chosen(answers))


def bikes_field(*items: str, single: bool = False) -> Field:
    """Which of several equal bikes, instead of how many."""
    return Field(
        BIKES,
        N_("Which one is it about?"),
        Equal(single),
        N_("Choose which one it’s about."),
        hint=N_(
            "What belongs to a bike, such as insurance, a service package or an open repair, only ends for the bike "
            "you choose."
        ),
        applies=_are_equal,
        belongs_to=items,
        control=Control.RADIO if single else Control.CHECKBOX,
    )


def items_field(label: str, *, order_field: str = "") -> Field:
    return Field(
        ITEMS,
        label,
        CountedItems(order_field),
        applies=(lambda answers: bool(answers.text(order_field))) if order_field else always,
        belongs_to=(order_field,) if order_field else (),
        control=Control.CHECKBOX,
    )


def _has_fault(answers: AnswerContext) -> bool:
    return answers.text(FAULT) in FAULT_NAMES


def reason_field() -> Field:
    """The reason, in the customer's own words. A fault is a reason by itself."""
    return Field(
        REASON,
        N_("Reason"),
        Words(REASON_LEAST, REASON_MOST),
        hint=N_("{reason_least} to {reason_most} characters; optional if something is wrong with it"),
        optional=_has_fault,
        control=Control.AREA,
        suggestions=(
            N_("It doesn’t fit me, or it doesn’t fit my bike."),
            N_("It’s not quite what I expected it to be."),
            N_("I ordered too many, or the wrong thing."),
            N_("I’ve found something that suits me better."),
        ),
    )


def fault_field() -> Field:
    """Whether the item is wrong or defective. Then the customer pays neither signs of use nor the pick-up."""
    faults = {reason.value: name for reason, name in FAULT_NAMES.items()}
    return Field(
        FAULT,
        N_("Is something wrong with it?"),
        OneOf({**faults, NO_FAULT: N_("No, there’s nothing wrong with it")}),
        N_("Choose what’s wrong with it, or that nothing is."),
    )


def at_our_expense(answers: AnswerContext) -> bool:
    reason = answers.text(FAULT) or answers.text(REASON)
    return reason in answers.part(ReturnTerms).free_reasons


def is_bike(answers: AnswerContext) -> bool:
    return any(entry.item.is_bike for entry in chosen(answers))


def has_battery(answers: AnswerContext) -> bool:
    return any(entry.item.battery for entry in chosen(answers))


def state_field() -> Field:
    """The state of the items; signs of use lower the refund (`rules.settlement.DEPRECIATION`)."""
    states = OneOf({state.value: STATE_NAMES[state] for state in STATE_NAMES})
    return Field(STATE, N_("Condition"), states, N_("Choose the condition it’s in."))


def mileage_field(item_field_name: str) -> Field:
    """The mileage in kilometres; asked of bikes only."""
    return Field(
        MILEAGE,
        N_("Mileage"),
        Kilometres(),
        hint=N_("Kilometres, up to {mileage_decimals} decimals"),
        applies=is_bike,
        belongs_to=(item_field_name, BIKES),
        proposed=known_mileage,
    )


def known_mileage(answers: AnswerContext) -> str:
    """The mileage that is known of the chosen bike; empty without one, and for several bikes."""
    known = [bike.mileage for entry in chosen(answers) if entry.item.is_bike for bike in entry.each]
    return known[0] if len(known) == 1 else ""


def looks_used(answers: AnswerContext) -> Findings:
    """Ask again about a bike that is called unused and has covered many kilometres."""
    unused, mileage = answers.text(STATE) == ItemState.UNUSED, answers.text(MILEAGE)
    return {STATE: Code.USED_DISTANCE} if unused and mileage and Decimal(mileage) > UNUSED_KM else {}


def battery_field(item_field_name: str) -> Field:
    return Field(
        BATTERY,
        BATTERY_QUESTION,
        OneOf({state.value: name for state, name in BATTERY_NAMES.items()}),
        applies=has_battery,
        belongs_to=(item_field_name,),
    )


def is_safe(answers: AnswerContext) -> bool:
    """Whether the items may travel: they have no battery, or nothing is wrong with it."""
    return not has_battery(answers) or may_travel(answers.text(BATTERY) or BatteryState.FINE)


def _nearest_store(answers: AnswerContext) -> str:
    stores = answers.part(ReturnFacts).stores
    return stores[0].id if stores else ""


def method_fields(label: str = N_("Return method")) -> tuple[Field, ...]:
    return (
        Field(
            METHOD,
            label,
            OneOf({method.value: METHOD_NAMES[method] for method in (ReturnMethod.STORE, ReturnMethod.PICK_UP)}),
            N_("Choose whether you bring it or we pick it up."),
            # It is free, and a pick-up is not.
            proposed=lambda answers: ReturnMethod.STORE.value if _nearest_store(answers) else "",
        ),
        Field(
            STORE,
            N_("Store"),
            Offered("stores", (), Code.INVALID_CHOICE),
            N_("Choose a store."),
            applies=answered(METHOD, ReturnMethod.STORE),
            belongs_to=(METHOD,),
            proposed=_nearest_store,
        ),
    )


def picked_up(answers: AnswerContext) -> bool:
    return is_safe(answers) and answers.text(METHOD) == ReturnMethod.PICK_UP


def settlement(
    answers: AnswerContext,
    *,
    has_pick_up: Condition = picked_up,
    new_item: str = "",
    new_price: Decimal | None = None,
) -> ComputedSettlement:
    """Settle the answers so far; without lines until an item is chosen."""
    items = chosen(answers)
    if not items:
        return ComputedSettlement()
    orders = answers.part(ItemFacts).orders
    terms = Terms(
        signs_of_use=answers.text(STATE) == ItemState.USED_WITH_SIGNS,
        pick_up=has_pick_up(answers),
        at_our_expense=at_our_expense(answers),
        fee=answers.part(ReturnTerms).fee,
        outstanding={order.id: order.outstanding for order in orders},
        left={order.id: order.left for order in orders if order.left is not None},
        new_item=new_item,
        new_price=new_price,
    )
    returned = [Returned(each.item.name, tuple(each.item.worths[: each.count]), each.item.order) for each in items]
    return settle(returned, terms)
