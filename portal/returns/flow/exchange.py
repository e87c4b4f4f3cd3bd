"""The flow that exchanges a bike or a part for the same or another item (part-2 §2 Exchange request)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from portal.flow import Answer, AnswerContext, Control, Field, Flow, OneOf, OneValue, Step
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.returns.flow.items import (
    BIKES,
    ITEM,
    battery_field,
    bikes_field,
    chosen,
    entry_of,
    fault_field,
    is_safe,
    item_field,
    item_of_bike,
    looks_used,
    method_fields,
    mileage_field,
    nothing_left,
    opening_item,
    picked_up,
    reason_field,
    state_field,
)
from portal.returns.flow.pickup import pickup_step
from portal.returns.flow.returns import ITEM_PIN_STEP
from portal.returns.flow.settlement import settlement
from portal.returns.rules.settlement import ComputedSettlement
from portal.vocabulary.returns import EXCHANGE_NAMES, ExchangeType

TYPE, PRODUCT, CATALOGUE = "exchange_type", "product", "catalogue"
"""Two fields and a list of facts. An entry has `id`, `refusal`, `name`, `kind`, `is_bike`, `color`, `size`, `price`."""


def is_other_item(answers: AnswerContext) -> bool:
    """Whether the customer wants another item than the one that comes back."""
    return answers.text(TYPE) == ExchangeType.OTHER


@dataclass(frozen=True, slots=True)
class _Article(OneValue):
    """An article of the shop: a bike for a bike, an accessory for an accessory. `product_gone` when it is sold out."""

    codes: tuple[Code, ...] = (Code.PRODUCT_GONE, Code.INVALID_CHOICE)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        entry = entry_of(answers.facts, CATALOGUE, str(given))
        if not entry or entry["refusal"]:
            raise InvalidValue(Code.PRODUCT_GONE)
        if any(item.entry["is_bike"] != entry["is_bike"] for item in chosen(answers)):
            raise InvalidValue(Code.INVALID_CHOICE)
        return str(given)


def _settlement(answers: AnswerContext) -> ComputedSettlement:
    """Settle the returned item together with the new one."""
    items = chosen(answers)
    if not items:
        return ComputedSettlement()
    product = entry_of(answers.facts, CATALOGUE, answers.text(PRODUCT)) if is_other_item(answers) else {}
    if not product:
        return settlement(answers, new_item=items[0].entry["name"])
    return settlement(answers, new_item=product["name"], new_price=Decimal(product["price"]))


ITEM_STEP = Step(
    "item",
    N_("What would you like to exchange?"),
    fields=(item_field(N_("Bike or part"), N_("Choose what you want to exchange.")), bikes_field(ITEM, single=True)),
    missing=Code.MISSING_ITEM,
)

PRODUCT_STEP = Step(
    "product",
    N_("What would you like in exchange?"),
    fields=(
        Field(
            TYPE,
            N_("Exchange"),
            OneOf({kind.value: name for kind, name in EXCHANGE_NAMES.items()}),
            N_("Choose what you’d like in exchange."),
        ),
        Field(
            PRODUCT,
            N_("New item"),
            _Article(),
            N_("Choose the new item."),
            applies=is_other_item,
            belongs_to=(ITEM, TYPE),
            control=Control.RADIO,
        ),
    ),
    repeat_when=(ITEM,),
)

REASON_STEP = Step("reason", N_("Why are you exchanging it?"), fields=(fault_field(), reason_field()))

CONDITION = Step(
    "condition",
    N_("What condition is your bike in?"),
    fields=(state_field(), mileage_field(ITEM), battery_field(ITEM)),
    warns=looks_used,
    repeat_when=(ITEM, BIKES),
)

METHOD_STEP = Step(
    "method",
    N_("How would you like to hand it in?"),
    fields=method_fields(N_("How you hand it in")),
    applies=is_safe,
)

PICKUP = pickup_step(applies=picked_up, with_day=True)

EXCHANGE = Flow(
    "exchange-request",
    N_("Exchange a bike or part"),
    intro=N_("Exchange your bike or a part"),
    steps=(ITEM_STEP, PRODUCT_STEP, REASON_STEP, CONDITION, METHOD_STEP, PICKUP, ITEM_PIN_STEP),
    check=N_("Check your exchange"),
    check_address="summary",
    send=N_("Request exchange"),
    sent=N_("Your exchange has been requested"),
    failure=N_("Exchange could not be registered."),
    subject=ITEM,
    closed=nothing_left,
    prefill=item_of_bike,
    opening=opening_item,
    settlement=_settlement,
)
