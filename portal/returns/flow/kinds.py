"""The four return flows: a bike or part, accessories, an exchange, and the older one of an order (part-2 §2)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from portal.bikes.flow import BIKE, PIN_STEP
from portal.flow import (
    Answer,
    AnswerContext,
    Control,
    Facts,
    Field,
    Flow,
    Offered,
    OneOf,
    OneValue,
    Opening,
    Step,
    Words,
    answered,
)
from portal.flow.facts import with_id
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.terms import OTHER_REASON_LEAST, OTHER_REASON_MOST
from portal.kernel.texts import N_
from portal.kernel.validation import InvalidValue
from portal.returns.flow.items import (
    BIKES,
    ITEM,
    ITEMS,
    REASON,
    REFUSALS,
    ItemCount,
    battery_field,
    bikes_field,
    chosen,
    fault_field,
    is_safe,
    item_field,
    items_field,
    looks_used,
    method_fields,
    mileage_field,
    picked_up,
    quantity_field,
    reason_field,
    settlement,
    state_field,
    stock,
)
from portal.returns.flow.pickup import day_fields, pickup_step
from portal.returns.models import IntroductionFacts, ReturnFacts
from portal.returns.rules.settlement import ComputedSettlement
from portal.vocabulary.returns import EXCHANGE_NAMES, REASON_NAMES, ExchangeType, ReturnReason


def nothing_left(facts: Facts) -> Code | None:
    """Why no item can be returned; `None` when one can."""
    found = IntroductionFacts.of(facts)
    if found.closed is None:
        return found.nothing_left()
    return Code(found.closed) if found.closed else None


def fitting_flow(query: Mapping[str, str], facts: Facts, name: str) -> str:
    """The flow that fits what the customer has, if it is not this one; empty if it is."""
    if query.get(ITEM) or query.get(BIKE):
        return ""
    fits, order = IntroductionFacts.of(facts).fits, query.get("order", "")
    named = order in fits and bool(order)
    fitting = fits.get(order if named else "", "")
    return fitting if fitting != name and (named or nothing_left(facts)) else ""


def opening_item(item: str, answers: AnswerContext) -> Opening:
    """Answer which item a request is about. How many units is asked when there are several."""
    return Opening({ITEM: item}, asks=_asks_more(item, answers))


def _asks_more(item: str, answers: AnswerContext) -> bool:
    found = with_id(stock(answers), item)
    return found is not None and (found.max > 1 or bool(found.bikes))


def opening_items(item: str, answers: AnswerContext) -> Opening:
    """Add an item to those that were chosen. How many units is asked when there are several."""
    given = (ItemCount.parse(value) for value in answers.several(ITEMS))
    chosen_before = [str(known) for known in given if known and known.item != item]
    return Opening({ITEMS: [*chosen_before, str(ItemCount(item, 1))]}, asks=_asks_more(item, answers))


def item_of_bike(query: Mapping[str, str], facts: Facts) -> str:
    """The item that the query of a link names, by item or by bike; empty when it names none."""
    if item_id := query.get(ITEM, ""):
        return item_id
    return IntroductionFacts.of(facts).bike_items.get(query.get(BIKE, ""), "")


CONDITION = Step(
    "condition",
    N_("What condition is your bike in?"),
    fields=(state_field(), mileage_field(ITEM), battery_field(ITEM)),
    warns=looks_used,
    repeat_when=(ITEM, BIKES),
)
"""The condition of one bike or part."""

PICKUP = pickup_step(applies=picked_up, with_day=True)
"""The pick-up, in the flows in which the customer chooses between store and pick-up."""

ITEM_PIN_STEP = replace(
    PIN_STEP,
    fields=tuple(replace(field, belongs_to=(ITEM, BIKES)) for field in PIN_STEP.fields),
    applies=lambda answers: any(bike.pin for entry in chosen(answers) for bike in entry.each),
)
"""The pin code of the lock, asked when the chosen bike has one."""

RETURN_ITEM = Step(
    "item",
    N_("What would you like to return?"),
    fields=(item_field(N_("Bike or part")), quantity_field(), bikes_field(ITEM)),
    missing=Code.MISSING_ITEM,
)
RETURN_REASON = Step("reason", N_("Why are you sending this back?"), fields=(fault_field(), reason_field()))
RETURN_METHOD = Step("method", N_("How would you like to return it?"), fields=method_fields(), applies=is_safe)

RETURN = Flow(
    "return-request",
    N_("Return a bike or part"),
    intro=N_("Return your bike or a part"),
    steps=(RETURN_ITEM, RETURN_REASON, CONDITION, RETURN_METHOD, PICKUP, ITEM_PIN_STEP),
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

ACCESSORY_ITEMS = Step(
    "items",
    N_("Which accessories would you like to return?"),
    fields=(items_field(N_("Accessories")),),
    missing=Code.MISSING_ITEM,
)
ACCESSORY_CONDITION = Step(
    "condition",
    N_("Why are you sending this back?"),
    fields=(fault_field(), reason_field(), state_field(), battery_field(ITEMS)),
    repeat_when=(ITEMS,),
)
ACCESSORY_METHOD = Step(
    "method", N_("How would you like to return your accessories?"), fields=method_fields(), applies=is_safe
)

ACCESSORIES = Flow(
    "return-accessories-request",
    N_("Return accessories"),
    intro=N_("Return your accessories"),
    steps=(ACCESSORY_ITEMS, ACCESSORY_CONDITION, ACCESSORY_METHOD, PICKUP),
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

TYPE, PRODUCT = "exchange_type", "product"


def is_other_item(answers: AnswerContext) -> bool:
    return answers.text(TYPE) == ExchangeType.OTHER


@dataclass(frozen=True, slots=True)
class _Article(OneValue):
    """An article of the shop: a bike for a bike, an accessory for an accessory. `product_gone` when it is sold out."""

    codes: tuple[Code, ...] = (Code.PRODUCT_GONE, Code.INVALID_CHOICE)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        article = with_id(answers.part(ReturnFacts).catalogue, str(given))
        if article is None or article.refusal:
            raise InvalidValue(Code.PRODUCT_GONE)
        if any(entry.item.is_bike != article.is_bike for entry in chosen(answers)):
            raise InvalidValue(Code.INVALID_CHOICE)
        return str(given)


def _with_new_item(answers: AnswerContext) -> ComputedSettlement:
    items = chosen(answers)
    if not items:
        return ComputedSettlement()
    product = answers.chosen(answers.part(ReturnFacts).catalogue, PRODUCT) if is_other_item(answers) else None
    if product is None:
        return settlement(answers, new_item=items[0].item.name)
    return settlement(answers, new_item=product.name, new_price=product.price)


EXCHANGE_ITEM = Step(
    "item",
    N_("What would you like to exchange?"),
    fields=(item_field(N_("Bike or part"), N_("Choose what you want to exchange.")), bikes_field(ITEM, single=True)),
    missing=Code.MISSING_ITEM,
)
EXCHANGE_PRODUCT = Step(
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
EXCHANGE_REASON = Step("reason", N_("Why are you exchanging it?"), fields=(fault_field(), reason_field()))
EXCHANGE_METHOD = Step(
    "method",
    N_("How would you like to hand it in?"),
    fields=method_fields(N_("How you hand it in")),
    applies=is_safe,
)

EXCHANGE = Flow(
    "exchange-request",
    N_("Exchange a bike or part"),
    intro=N_("Exchange your bike or a part"),
    steps=(EXCHANGE_ITEM, EXCHANGE_PRODUCT, EXCHANGE_REASON, CONDITION, EXCHANGE_METHOD, PICKUP, ITEM_PIN_STEP),
    check=N_("Check your exchange"),
    check_address="summary",
    send=N_("Request exchange"),
    sent=N_("Your exchange has been requested"),
    failure=N_("Exchange could not be registered."),
    subject=ITEM,
    closed=nothing_left,
    prefill=item_of_bike,
    opening=opening_item,
    settlement=_with_new_item,
)

ORDER = "order"

REASON_TEXT = "reason_text"

ORDER_ITEMS = Step(
    "items",
    N_("Which products would you like to return?"),
    fields=(
        Field(
            ORDER,
            N_("Order"),
            Offered("orders", (*REFUSALS, Code.NOTHING_FOUND, Code.RETURN_REQUEST_ALREADY_EXISTS), Code.INVALID_ORDER),
            MESSAGES[Code.INVALID_ORDER],
        ),
        items_field(N_("Products"), order_field=ORDER),
        bikes_field(ORDER, ITEMS),
    ),
    missing=Code.MISSING_ITEM,
)
ORDER_CONDITION = Step(
    "condition",
    N_("What condition are your products in?"),
    fields=(state_field(), mileage_field(ITEMS), battery_field(ITEMS)),
    warns=looks_used,
    repeat_when=(ITEMS, BIKES),
)
ORDER_REASON = Step(
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
ORDER_DAY = Step(
    "day",
    N_("When can we pick up your products?"),
    fields=day_fields(),
    applies=is_safe,
    missing=Code.MISSING_PICKUP_DATE,
    invalid=Code.INVALID_TIME,
)
ORDER_PICKUP = pickup_step(applies=is_safe, with_day=False)


def _opening(named: str, answers: AnswerContext) -> Opening:
    """Answer which order, and which of its products if an item is named. How many is asked when there are several."""
    order, of_order, _ = named.partition("-")
    item = opening_items(named, answers) if of_order else Opening({}, asks=True)
    return Opening({ORDER: order, **item.answers}, asks=item.asks)


def _named(query: Mapping[str, str], _facts: Facts) -> str:
    return query.get(ITEM, "") or query.get(ORDER, "")


ORDER_RETURN = Flow(
    "order-return",
    N_("Return an order"),
    intro=N_("Return your order"),
    steps=(ORDER_ITEMS, ORDER_CONDITION, ORDER_REASON, ORDER_DAY, ORDER_PICKUP),
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
