"""The older flow: return products of one order; a mailed link confirms it (part-2 §2 Older order-return flow)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from portal.flow import (
    AnswerContext,
    Control,
    Facts,
    Field,
    Flow,
    Offered,
    OneOf,
    Opening,
    Step,
    Words,
    answered,
)
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import OTHER_REASON_LEAST, OTHER_REASON_MOST
from portal.kernel.texts import N_
from portal.returns.flow.items import (
    BIKES,
    ITEM,
    ITEMS,
    REASON,
    REFUSALS,
    battery_field,
    bikes_field,
    is_safe,
    items_field,
    looks_used,
    mileage_field,
    nothing_left,
    opening_items,
    state_field,
)
from portal.returns.flow.pickup import day_fields, pickup_step
from portal.returns.flow.settlement import settlement
from portal.vocabulary.returns import REASON_NAMES, ReturnReason

ORDER, ORDERS = "order", "orders"
"""A field and a list of facts. An entry has `id` (the order number), `refusal` and `day`."""

REASON_TEXT = "reason_text"

ITEMS_STEP = Step(
    "items",
    N_("Which products would you like to return?"),
    fields=(
        Field(
            ORDER,
            N_("Order"),
            Offered(
                ORDERS,
                (*REFUSALS, Code.NOTHING_FOUND, Code.RETURN_REQUEST_ALREADY_EXISTS),
                Code.INVALID_ORDER,
            ),
            MESSAGES[Code.INVALID_ORDER],
        ),
        items_field(N_("Products"), order_field=ORDER),
        bikes_field(ORDER, ITEMS),
    ),
    missing=Code.MISSING_ITEM,
)

CONDITION = Step(
    "condition",
    N_("What condition are your products in?"),
    fields=(state_field(), mileage_field(ITEMS), battery_field(ITEMS)),
    warns=looks_used,
    repeat_when=(ITEMS, BIKES),
)

REASON_STEP = Step(
    "reason",
    N_("Why are you sending this back?"),
    fields=(
        Field(
            REASON,
            N_("Reason"),
            OneOf({reason.value: name for reason, name in REASON_NAMES.items()}),
            N_("Choose a reason."),
        ),
        Field(
            REASON_TEXT,
            N_("Your reason"),
            Words(OTHER_REASON_LEAST, OTHER_REASON_MOST),
            hint=N_("{other_reason_least} to {other_reason_most} characters"),
            applies=answered(REASON, ReturnReason.OTHER),
            belongs_to=(REASON,),
            control=Control.AREA,
        ),
    ),
)

DAY_STEP = Step(
    "day",
    N_("When can we pick up your products?"),
    fields=day_fields(),
    applies=is_safe,
    missing=Code.MISSING_PICKUP_DATE,
    invalid=Code.INVALID_TIME,
)

PICKUP = pickup_step(applies=is_safe, with_day=False)


def _named(query: Mapping[str, str], _facts: Facts) -> str:
    return query.get(ITEM, "") or query.get(ORDER, "")


def _opening(named: str, answers: AnswerContext) -> Opening:
    """Answer which order, and which of its products if an item is named. How many is asked when there are several."""
    order, of_order, _ = named.partition("-")
    item = opening_items(named, answers) if of_order else Opening({}, asks=True)
    return Opening({ORDER: order, **item.answers}, asks=item.asks)


ORDER_RETURN = Flow(
    "order-return",
    N_("Return an order"),
    intro=N_("Return your order"),
    steps=(ITEMS_STEP, CONDITION, REASON_STEP, DAY_STEP, PICKUP),
    check=N_("Check your return"),
    check_address="summary",
    send=N_("Request return"),
    sent=N_("Your return has been requested"),
    failure=N_("Return could not be registered."),
    subject=ORDER,
    closed=nothing_left,
    prefill=_named,
    opening=_opening,
    settlement=partial(settlement, has_pick_up=is_safe),
)
