"""The flow that returns accessories (part-2 §2 Accessory return)."""

from __future__ import annotations

from functools import partial

from portal.flow import Flow, Step
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.flow.items import (
    ITEMS,
    battery_field,
    fault_field,
    fitting_flow,
    is_safe,
    item_of_bike,
    items_field,
    method_fields,
    nothing_left,
    opening_items,
    picked_up,
    reason_field,
    state_field,
)
from portal.returns.flow.pickup import pickup_step
from portal.returns.flow.settlement import settlement

ITEMS_STEP = Step(
    "items",
    N_("Which accessories would you like to return?"),
    fields=(items_field(N_("Accessories")),),
    missing=Code.MISSING_ITEM,
)

CONDITION = Step(
    "condition",
    N_("Why are you sending this back?"),
    fields=(fault_field(), reason_field(), state_field(), battery_field(ITEMS)),
    repeat_when=(ITEMS,),
)

METHOD_STEP = Step(
    "method", N_("How would you like to return your accessories?"), fields=method_fields(), applies=is_safe
)
PICKUP = pickup_step(applies=picked_up, with_day=True)

ACCESSORIES = Flow(
    "return-accessories-request",
    N_("Return accessories"),
    intro=N_("Return your accessories"),
    steps=(ITEMS_STEP, CONDITION, METHOD_STEP, PICKUP),
    check=N_("Check your return"),
    send=N_("Request return"),
    sent=N_("Your return has been requested"),
    failure=N_("Return could not be registered."),
    closed=nothing_left,
    instead=partial(fitting_flow, name="return-accessories-request"),
    prefill=item_of_bike,
    opening=opening_items,
    settlement=settlement,
)
