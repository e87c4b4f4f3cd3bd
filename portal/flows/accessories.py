"""Return accessories (part-2 §2 Accessory return)."""

from __future__ import annotations

from portal.domain.codes import Code
from portal.domain.flow import Flow, Step
from portal.domain.marks import N_
from portal.flows.pickup import pickup_step
from portal.flows.returned import (
    ITEMS,
    battery_field,
    is_safe,
    items_field,
    method_fields,
    nothing_left,
    picked_up,
    reason_field,
    state_field,
)

ACCESSORIES = Flow(
    "return-accessories-request",
    N_("Return accessories"),
    (
        Step("", N_("Return your accessories")),
        Step(
            "step-1",
            N_("Which accessories do you want to return?"),
            fields=(items_field(N_("Accessories")),),
            missing=Code.MISSING_ITEM,
        ),
        Step(
            "step-2",
            N_("Why do you return them?"),
            fields=(reason_field(), state_field(), battery_field()),
            asked_again=(ITEMS,),
        ),
        Step("step-3", N_("How do you want to return them?"), fields=method_fields(), applies=is_safe),
        pickup_step("step-4", applies=picked_up, with_day=True),
        Step("step-5", N_("Check your return")),
    ),
    send=N_("Request return"),
    failure=N_("Return could not be registered."),
    closed=nothing_left,
    sent=N_("Your return has been requested"),
)
