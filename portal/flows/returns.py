"""Return a bike or a part (part-2 §2 Return request; decisions: Routes)."""

from __future__ import annotations

from dataclasses import replace

from portal.domain.codes import Code
from portal.domain.flow import Asked, Flow, Step
from portal.domain.marks import N_
from portal.flows.bike import PIN_STEP
from portal.flows.pickup import pickup_step
from portal.flows.returned import (
    ITEM,
    ITEMS,
    battery_field,
    is_safe,
    item_field,
    method_fields,
    mileage_field,
    nothing_left,
    picked_up,
    quantity_field,
    reason_field,
    state_field,
)


def has_pin(asked: Asked) -> bool:
    """Whether the chosen bike has a pin code."""
    return bool(asked.entry(ITEMS, ITEM).get("pin"))


ITEM_PIN_STEP = replace(
    PIN_STEP,
    fields=tuple(replace(field, belongs_to=(ITEM,)) for field in PIN_STEP.fields),
    applies=has_pin,
)
"""The pin code of the lock, asked when the chosen bike has one."""

RETURN = Flow(
    "return-request",
    N_("Return a bike or part"),
    (
        Step("", N_("Return your bike or a part")),
        Step(
            "step-1",
            N_("What do you want to return?"),
            fields=(item_field(N_("Bike or part")), quantity_field()),
            missing=Code.MISSING_ITEM,
        ),
        Step("step-2", N_("Why do you return it?"), fields=(reason_field(),)),
        Step(
            "step-3",
            N_("How used is it?"),
            fields=(state_field(), mileage_field(), battery_field()),
            asked_again=(ITEM,),
        ),
        Step(
            "step-4",
            N_("How do you want to return it?"),
            fields=method_fields(),
            applies=is_safe,
        ),
        pickup_step("step-5", applies=picked_up, with_day=True),
        ITEM_PIN_STEP,
        Step("summary", N_("Check your return")),
    ),
    send=N_("Request return"),
    failure=N_("Return could not be registered."),
    subject=ITEM,
    closed=nothing_left,
    sent=N_("Your return has been requested"),
)
