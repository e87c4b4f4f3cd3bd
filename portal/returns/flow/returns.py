"""The flow that returns a bike or a part (part-2 §2 Return request)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from portal.bikes.flow import PIN_STEP
from portal.flow import AnswerContext, Flow, Step
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.flow.items import (
    BIKES,
    ITEM,
    battery_field,
    bikes_field,
    chosen,
    fault_field,
    fitting_flow,
    is_safe,
    item_field,
    item_of_bike,
    looks_used,
    method_fields,
    mileage_field,
    nothing_left,
    opening_item,
    picked_up,
    quantity_field,
    reason_field,
    state_field,
)
from portal.returns.flow.pickup import pickup_step
from portal.returns.flow.settlement import settlement


def has_pin(answers: AnswerContext) -> bool:
    """Whether the chosen bike has a pin code."""
    return any(bike.get("pin") for item in chosen(answers) for bike in item.bikes or (item.entry,))


ITEM_PIN_STEP = replace(
    PIN_STEP,
    fields=tuple(replace(field, belongs_to=(ITEM, BIKES)) for field in PIN_STEP.fields),
    applies=has_pin,
)
"""The pin code of the lock, asked when the chosen bike has one."""

ITEM_STEP = Step(
    "item",
    N_("What would you like to return?"),
    fields=(item_field(N_("Bike or part")), quantity_field(), bikes_field(ITEM)),
    missing=Code.MISSING_ITEM,
)

REASON_STEP = Step("reason", N_("Why are you sending this back?"), fields=(fault_field(), reason_field()))

CONDITION = Step(
    "condition",
    N_("What condition is your bike in?"),
    fields=(state_field(), mileage_field(ITEM), battery_field(ITEM)),
    warns=looks_used,
    repeat_when=(ITEM, BIKES),
)

METHOD_STEP = Step("method", N_("How would you like to return it?"), fields=method_fields(), applies=is_safe)
PICKUP = pickup_step(applies=picked_up, with_day=True)

RETURN = Flow(
    "return-request",
    N_("Return a bike or part"),
    intro=N_("Return your bike or a part"),
    steps=(ITEM_STEP, REASON_STEP, CONDITION, METHOD_STEP, PICKUP, ITEM_PIN_STEP),
    check=N_("Check your return"),
    check_address="summary",
    send=N_("Request return"),
    sent=N_("Your return has been requested"),
    failure=N_("Return could not be registered."),
    subject=ITEM,
    closed=nothing_left,
    instead=partial(fitting_flow, name="return-request"),
    prefill=item_of_bike,
    opening=opening_item,
    settlement=settlement,
)
