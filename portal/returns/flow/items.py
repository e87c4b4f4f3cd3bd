"""What every kind of return asks: which items, how used they are, how they come back (part-2 §2, §5).

Facts of these flows, as JSON (see `portal.returns.provider.handlers`): `items`, `orders`, `stores`, `pickup_days`,
`address`, `phone`, `name`, `email`, `fee`; for an exchange `catalogue` as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from portal.bikes.flow import BIKE
from portal.flow import (
    Answer,
    AnswerContext,
    Control,
    Facts,
    Field,
    Number,
    Offered,
    OneOf,
    OneValue,
    SeveralValues,
    Words,
    always,
    answered,
)
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import REASON_LEAST, REASON_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.returns.rules.units import why_nothing
from portal.vocabulary.returns import (
    BATTERY_NAMES,
    BATTERY_QUESTION,
    METHOD_NAMES,
    STATE_NAMES,
    BatteryState,
    ReturnMethod,
    may_travel,
)

ITEMS = "items"
"""List among the facts, and the field of flows that take several: values such as '900000001-3*2'."""

ITEM, QUANTITY = "item", "quantity"
"""Fields of flows that take one item."""

STATE, MILEAGE, BATTERY = "state", "mileage", "battery"

METHOD, STORE = "method", "store"

REFUSALS = (
    Code.RETURN_REQUEST_EXISTS,
    Code.ORDER_NOT_SHIPPED,
    Code.OLDER_THAN_100_DAYS,
    Code.ALREADY_RETURNED,
    Code.MULTIPLE_ENTRIES,
)
"""Why an item cannot be chosen; it stays visible with its reason."""

_HOW_MANY = N_("Fill in how many: 1, or as many as can be returned.")

_COUNTED = re.compile(r"([0-9]{9}-[0-9]{1,4})\*([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Chosen:
    """An item that was chosen, as the facts describe it, and how many of it."""

    entry: Mapping[str, Any]
    count: int


def entry_of(facts: Facts, key: str, name: str) -> Mapping[str, Any]:
    """The entry of a list of facts; empty when there is none with this `id`."""
    return next((entry for entry in facts.get(key, ()) if entry["id"] == name), {})


def chosen(answers: AnswerContext) -> list[Chosen]:
    """What comes back, of a flow with one item or with several; nothing while that was not answered."""
    if name := answers.text(ITEM):
        entry = entry_of(answers.facts, ITEMS, name)
        return [Chosen(entry, int(answers.text(QUANTITY) or 1))] if entry else []
    found = []
    for value in answers.several(ITEMS):
        form = _COUNTED.fullmatch(value)
        entry = entry_of(answers.facts, ITEMS, form[1]) if form else {}
        if form and entry:
            found.append(Chosen(entry, int(form[2])))
    return found


@dataclass(frozen=True, slots=True)
class Counted(SeveralValues):
    """One or more items with a number of each, such as '900000001-3*2'. None of an item ('*0') is left out.

    Attributes:
        order_field: when given, all items have to be of the order that this field names.
    """

    order_field: str = ""
    codes: tuple[Code, ...] = (Code.INVALID_CHOICE, Code.NOTHING_FOUND, Code.INVALID_NUMBER, *REFUSALS)
    messages = MappingProxyType(
        {
            Code.REQUIRED: MESSAGES[Code.MISSING_ITEM],
            Code.INVALID_NUMBER: N_("You choose more than can be returned."),
        }
    )

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The items in the order in which they are offered."""
        counts: dict[str, int] = {}
        for value in given:
            form = _COUNTED.fullmatch(value)
            if form is None:
                raise InvalidValue(Code.INVALID_CHOICE)
            counts[form[1]] = counts.get(form[1], 0) + int(form[2])
        counts = {name: count for name, count in counts.items() if count}
        if not counts:
            raise InvalidValue(Code.REQUIRED)
        for name, count in counts.items():
            self._check(entry_of(answers.facts, ITEMS, name), count, answers)
        offered = [entry["id"] for entry in answers.facts.get(ITEMS, ())]
        return [f"{name}*{counts[name]}" for name in offered if name in counts]

    def _check(self, entry: Mapping[str, Any], count: int, answers: AnswerContext) -> None:
        if not entry:
            raise InvalidValue(Code.NOTHING_FOUND)
        if self.order_field and entry["order"] != answers.text(self.order_field):
            raise InvalidValue(Code.INVALID_CHOICE)
        if entry["refusal"]:
            raise InvalidValue(Code(entry["refusal"]))
        if count > entry["max"]:
            raise InvalidValue(Code.INVALID_NUMBER)


@dataclass(frozen=True, slots=True)
class Quantity(OneValue):
    """How many of the chosen item, from 1 to what can be returned of it."""

    codes: tuple[Code, ...] = (Code.INVALID_NUMBER,)
    messages = MappingProxyType(dict.fromkeys((Code.REQUIRED, Code.INVALID_NUMBER), _HOW_MANY))

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The number."""
        text = str(given).strip()
        if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= answers.entry(ITEMS, ITEM).get("max", 1):
            raise InvalidValue(Code.INVALID_NUMBER)
        return str(int(text))


def item_field(label: str) -> Field:
    """Which one item. Those that cannot be returned are refused with their reason."""
    return Field(ITEM, label, Offered(ITEMS, REFUSALS, Code.NOTHING_FOUND))


def quantity_field() -> Field:
    """How many of it, asked when there are several."""
    return Field(
        QUANTITY,
        N_("How many?"),
        Quantity(),
        applies=lambda answers: answers.entry(ITEMS, ITEM).get("max", 1) > 1,
        belongs_to=(ITEM,),
        control=Control.DIGITS,
    )


def items_field(label: str, *, order_field: str = "") -> Field:
    """Which items, and how many of each; of an order, once that is chosen."""
    return Field(
        ITEMS,
        label,
        Counted(order_field),
        applies=(lambda answers: bool(answers.text(order_field))) if order_field else always,
        belongs_to=(order_field,) if order_field else (),
        control=Control.CHECKBOX,
    )


def reason_field() -> Field:
    """Why, in the customer's own words."""
    return Field(
        "reason",
        N_("Reason"),
        Words(REASON_LEAST, REASON_MOST),
        hint=N_("{reason_least} to {reason_most} characters"),
        control=Control.AREA,
    )


def is_bike(answers: AnswerContext) -> bool:
    """Whether something that somebody rides comes back."""
    return any(entry.entry.get("is_bike") for entry in chosen(answers))


def has_battery(answers: AnswerContext) -> bool:
    """Whether a battery travels with it."""
    return any(entry.entry.get("battery") for entry in chosen(answers))


def state_field() -> Field:
    """How used it is; signs of use take 25% off."""
    return Field(STATE, N_("State"), OneOf({state.value: STATE_NAMES[state] for state in STATE_NAMES}))


def mileage_field(about: str) -> Field:
    """Kilometres, of a bike.

    Args:
        about: the field that says what comes back.
    """
    return Field(
        MILEAGE,
        N_("Mileage"),
        Number(),
        hint=N_("Kilometres, at most {mileage_decimals} decimals"),
        applies=is_bike,
        belongs_to=(about,),
        control=Control.DECIMAL,
    )


def battery_field(about: str) -> Field:
    """Whether its battery can travel; asked of everything that has one.

    Args:
        about: the field that says what comes back.
    """
    return Field(
        BATTERY,
        BATTERY_QUESTION,
        OneOf({state.value: name for state, name in BATTERY_NAMES.items()}),
        applies=has_battery,
        belongs_to=(about,),
    )


def is_safe(answers: AnswerContext) -> bool:
    """Whether it may travel. A battery that is swollen, wet, hot or fell hard must not."""
    return not has_battery(answers) or may_travel(answers.text(BATTERY) or BatteryState.FINE)


def method_fields(label: str = N_("Return method")) -> tuple[Field, ...]:
    """How it comes back, and to which store.

    Args:
        label: of the question how; an exchange does not speak of a return.
    """
    return (
        Field(
            METHOD,
            label,
            OneOf({method.value: METHOD_NAMES[method] for method in (ReturnMethod.STORE, ReturnMethod.PICK_UP)}),
        ),
        Field(
            STORE,
            N_("Store"),
            Offered("stores", (), Code.INVALID_CHOICE),
            applies=answered(METHOD, ReturnMethod.STORE),
            belongs_to=(METHOD,),
        ),
    )


def picked_up(answers: AnswerContext) -> bool:
    """Whether somebody comes for it."""
    return is_safe(answers) and answers.text(METHOD) == ReturnMethod.PICK_UP


def nothing_left(facts: Facts) -> Code | None:
    """Why nothing can be returned at all; none when something can."""
    refusals = [entry["refusal"] for entry in facts.get(ITEMS, ())]
    return None if "" in refusals else why_nothing(Code(refusal) for refusal in refusals)


def item_of_bike(query: Mapping[str, str], facts: Facts) -> str:
    """The item to return that a link names, or that is the bike which it names; empty when it names none."""
    if named := query.get(ITEM, ""):
        return named
    bike = query.get(BIKE, "")
    return next((str(entry["id"]) for entry in facts.get(ITEMS, ()) if bike and entry["bike_id"] == bike), "")
