"""Exchange a bike or a part, for the same one or another (part-2 §2 Exchange request)."""

from __future__ import annotations

from dataclasses import dataclass

from portal.domain.codes import Code
from portal.domain.flow import Answer, Asked, Control, Field, Flow, OneOf, Step
from portal.domain.marks import N_
from portal.domain.validation import InvalidValue
from portal.flows.pickup import pickup_step
from portal.flows.returned import (
    ITEM,
    battery_field,
    chosen,
    entry_of,
    is_safe,
    item_field,
    method_fields,
    mileage_field,
    nothing_left,
    picked_up,
    reason_field,
    state_field,
)
from portal.flows.returns import ITEM_PIN_STEP
from portal.vocabulary.returns import EXCHANGE_NAMES, ExchangeType

TYPE, PRODUCT, CATALOGUE = "exchange_type", "product", "catalogue"
"""Fields, and the list among the facts: `id`, `refusal`, `name`, `kind`, `is_bike`, `color`, `size`, `price`."""


def for_another(asked: Asked) -> bool:
    """Whether it is exchanged for something else."""
    return asked.text(TYPE) == ExchangeType.OTHER


@dataclass(frozen=True, slots=True)
class _Article:
    """An article of the shop, a bike for a bike and an accessory for an accessory. One that is gone is told so."""

    several: bool = False
    codes: tuple[Code, ...] = (Code.PRODUCT_GONE, Code.INVALID_CHOICE)

    def __call__(self, given: Answer, asked: Asked) -> Answer:
        """The `id`."""
        entry = entry_of(asked.facts, CATALOGUE, str(given))
        if not entry or entry["refusal"]:
            raise InvalidValue(Code.PRODUCT_GONE)
        if any(item.entry["is_bike"] != entry["is_bike"] for item in chosen(asked)):
            raise InvalidValue(Code.INVALID_CHOICE)
        return str(given)


EXCHANGE = Flow(
    "exchange-request",
    N_("Exchange a bike or part"),
    (
        Step("", N_("Exchange your bike or a part")),
        Step(
            "step-1",
            N_("What do you want to exchange?"),
            fields=(item_field(N_("Bike or part")),),
            missing=Code.MISSING_ITEM,
        ),
        Step(
            "step-2",
            N_("What do you want in exchange?"),
            fields=(
                Field(
                    TYPE,
                    N_("Exchange"),
                    OneOf({kind.value: name for kind, name in EXCHANGE_NAMES.items()}),
                    control=Control.RADIO,
                ),
                Field(
                    PRODUCT,
                    N_("New item"),
                    _Article(),
                    applies=for_another,
                    belongs_to=(ITEM, TYPE),
                    control=Control.RADIO,
                ),
            ),
            asked_again=(ITEM,),
        ),
        Step("step-3", N_("Why do you exchange it?"), fields=(reason_field(),)),
        Step(
            "step-4",
            N_("How used is it?"),
            fields=(state_field(), mileage_field(), battery_field()),
            asked_again=(ITEM,),
        ),
        Step(
            "step-5",
            N_("How do you want to hand it in?"),
            fields=method_fields(N_("How you hand it in")),
            applies=is_safe,
        ),
        pickup_step("step-6", applies=picked_up, with_day=True),
        ITEM_PIN_STEP,
        Step("summary", N_("Check your exchange")),
    ),
    send=N_("Request exchange"),
    failure=N_("Exchange could not be registered."),
    subject=ITEM,
    closed=nothing_left,
    sent=N_("Your exchange has been requested"),
)
