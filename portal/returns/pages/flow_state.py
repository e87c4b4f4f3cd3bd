"""The state of the return flows: what can be returned, how and when, and the amounts."""

from datetime import date
from decimal import Decimal
from typing import Any

import reflex as rx
from pydantic import Field, computed_field

from portal.account.flow import KNOWN, OTHER
from portal.contract.account import Direction
from portal.contract.models import Model, Picture
from portal.deliveries.rules import Week, weeks
from portal.flow import AnswerContext, Flow
from portal.flow.api import Receipt
from portal.flow.journey import FLOWS
from portal.flow.pages.views import shows, shows_receipt
from portal.frontend.policies import customer
from portal.kernel.codes import Code
from portal.reflex_adapter.state import assign_changed
from portal.returns.api import EqualBike
from portal.returns.flow.items import BIKES, FREE_REASONS, ITEMS, STORE, ItemCount, at_our_expense, chosen, is_safe
from portal.returns.flow.kinds import (
    ACCESSORIES,
    CATALOGUE,
    CLOSED,
    EXCHANGE,
    FITS,
    OFFERED,
    ORDER_RETURN,
    ORDERS,
    OTHER_ITEMS,
    PRODUCT,
    RETURN,
)
from portal.returns.flow.pickup import days_for, pickup_country
from portal.returns.rules.settlement import ComputedSettlement, SettlementLine, direction_of
from portal.vocabulary.returns import FAULT_NAMES

_HELD = {Code.RETURN_REQUEST_EXISTS, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.ALREADY_RETURNED}


def _instead(refusal: str, order: str, *, is_bike: bool = False, pending: str = "") -> tuple[str, str]:
    """What the customer can do about an item that cannot be returned: key of the action, and its address."""
    if pending:
        return "return", f"/returns/{pending}"
    if refusal in _HELD:
        return "returns", "/returns"
    if refusal == Code.ORDER_NOT_SHIPPED:
        return "order", f"/orders/{order}"
    if refusal == Code.OLDER_THAN_100_DAYS and is_bike:
        return "repair", FLOWS["repair-request"].path
    return "contact", "/contact?topic=return"


class ShownArticle(Model):
    """An entry of the facts with a picture: an item to return, or an article of the shop."""

    id: str = ""
    refusal: str = ""
    name: str = ""
    is_bike: bool = False
    color: str = ""
    size: str = ""
    picture: Picture = Picture()

    @computed_field
    @property
    def about(self) -> str:
        return " · ".join(text for text in (self.color, self.size) if text)


class ReturnableItem(ShownArticle):
    """An item to return.

    Attributes:
        flow: the flow that returns it; empty for the current one.
        max: number of units that can be returned now.
        bikes: which of several equal bikes can be returned; of an item that was chosen, those that were.
        picked: the chosen number of units as the form sends it; empty if one at most can be returned.
        count: the chosen number of units, of an item that was chosen.
    """

    flow: str = ""
    order: str = ""
    order_day: str = ""
    bundle: str = ""
    max: int = 0
    until: str = ""
    picked: str = ""
    count: int = 1
    bikes: list[EqualBike] = Field(default_factory=list)

    @computed_field
    @property
    def counts(self) -> list[int]:
        return list(range(self.max + 1)) if self.max > 1 and not self.bikes else []

    @computed_field
    @property
    def bike_names(self) -> str:
        return ", ".join(bike.name for bike in self.bikes)

    @computed_field
    @property
    def action(self) -> str:
        return _instead(self.refusal, self.order, is_bike=self.is_bike)[0]

    @computed_field
    @property
    def href(self) -> str:
        return _instead(self.refusal, self.order, is_bike=self.is_bike)[1]


class PendingReturn(Model):
    """An unconfirmed return of an order, and the address to which its link was mailed."""

    return_id: str
    email: str


class ReturnableOrder(Model):
    """An order: in the older flow with its products, and anywhere while it can be withdrawn from."""

    id: str
    refusal: str
    day: str
    withdraw_until: str
    pending: PendingReturn | None = None
    products: list[ReturnableItem] = Field(default_factory=list)

    @computed_field
    @property
    def action(self) -> str:
        return self._instead[0]

    @computed_field
    @property
    def href(self) -> str:
        return self._instead[1]

    @property
    def _instead(self) -> tuple[str, str]:
        return _instead(self.refusal, self.id, pending=self.pending.return_id if self.pending else "")


class ExchangeArticle(ShownArticle):
    """An article of the shop, and what was paid for the item that comes back."""

    price: Decimal = Decimal(0)
    paid: Decimal = Decimal(0)

    @computed_field
    @property
    def dearer(self) -> Decimal | None:
        return self.price - self.paid if self.price > self.paid else None

    @computed_field
    @property
    def cheaper(self) -> Decimal | None:
        return self.paid - self.price if self.price < self.paid else None


class HoursRange(Model):
    """The same hours on several days in a row; 1 is Monday."""

    first: int
    last: int
    hours: str


class StoreOption(Model):
    """A store that takes returns; the distance is in kilometres with one decimal, empty when unknown."""

    id: str = ""
    name: str = ""
    address: str = ""
    distance_km: str = ""
    hours: list[HoursRange] = Field(default_factory=list)


class Amounts(Model):
    lines: list[SettlementLine] = Field(default_factory=list)
    open: Decimal | None = None
    set_off: bool = False

    @property
    def _total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    @computed_field
    @property
    def total(self) -> Decimal:
        return abs(self._total)

    @computed_field
    @property
    def direction(self) -> Direction:
        return direction_of(self._total)


class ReturnFlowState(rx.State):
    """What the pages of a return flow show; computed from the facts and the answers.

    Attributes:
        items: items that can be returned; empty in the older flow.
        offered: the first items that can be returned, for the introduction.
        others: the first items that another flow returns, for the introduction.
        refused: items that cannot be returned, with the reason; empty in the older flow.
        stores: stores that take returns, the nearest first.
        weeks: days on which a pick-up is offered in the country of the address.
        fee: of the pick-up, in euro as text.
    """

    items: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    offered: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    others: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    refused: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    orders: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    refused_orders: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    chosen: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    withdraw: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    stores: rx.Field[list[StoreOption]] = rx.field(default_factory=list)
    store: rx.Field[StoreOption] = rx.field(default_factory=StoreOption)
    weeks: rx.Field[list[Week]] = rx.field(default_factory=list)
    products: rx.Field[list[ExchangeArticle]] = rx.field(default_factory=list)
    product: rx.Field[ExchangeArticle] = rx.field(default_factory=ExchangeArticle)
    safe: rx.Field[bool] = rx.field(True)
    name: rx.Field[str] = rx.field("")
    exchange: rx.Field[bool] = rx.field(False)
    fits: rx.Field[str] = rx.field("")
    fee: rx.Field[str] = rx.field("")
    free_if_faulty: rx.Field[bool] = rx.field(False)
    at_our_expense: rx.Field[bool] = rx.field(False)
    amounts: rx.Field[Amounts] = rx.field(default_factory=Amounts)
    unsafe: rx.Field[bool] = rx.field(False)
    _days: rx.Field[dict[str, list[str]]] = rx.field(default_factory=dict)
    _home: str = "NL"
    _typed: str = ""

    @rx.event
    @customer
    async def select_place(self, place: str) -> None:
        if place not in {KNOWN, OTHER}:
            self._typed = place
        country = self._typed if place != KNOWN and self._typed in self._days else self._home
        self.weeks = _weeks(self._days.get(country, []))


def _weeks(days: list[str]) -> list[Week]:
    return weeks([date.fromisoformat(day) for day in days])


_FLOWS = (RETURN.name, ACCESSORIES.name, EXCHANGE.name, ORDER_RETURN.name)


@shows(ReturnFlowState, *_FLOWS)
def _values(flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    facts, by_order = answers.facts, flow is ORDER_RETURN
    items = _items(answers)
    orders = [
        ReturnableOrder.model_validate({**entry, "products": [item for item in items if item.order == entry["id"]]})
        for entry in (facts.get(ORDERS, ()) if by_order else ())
    ]
    introduced = {
        "refused": [] if by_order else [item for item in items if item.refusal],
        "refused_orders": [order for order in orders if order.refusal],
        "withdraw": _withdrawable(answers),
        "exchange": flow is EXCHANGE,
        "fits": str(facts.get(FITS, {}).get("", "")),
        "free_if_faulty": FAULT_NAMES.keys() <= {*facts.get(FREE_REASONS, ())},
        "fee": str(facts.get("fee", "")),
    }
    if CLOSED in facts:
        # An introduction leaves what the steps show as it is.
        return introduced | {
            "offered": [] if by_order else [ReturnableItem.model_validate(entry) for entry in facts[OFFERED]],
            "others": [ReturnableItem.model_validate(entry) for entry in facts[OTHER_ITEMS]],
        }
    stores = [StoreOption.model_validate(entry) for entry in facts.get("stores", ())]
    products = _products(answers)
    at_home = AnswerContext({"address": KNOWN}, facts, answers.day)
    return introduced | {
        "items": [] if by_order else [item for item in items if not item.refusal],
        "orders": [order for order in orders if not order.refusal],
        "chosen": [
            ReturnableItem.model_validate({**item.entry, "count": item.count, BIKES: item.bikes})
            for item in chosen(answers)
        ],
        "stores": stores,
        "store": next((store for store in stores if store.id == answers.text(STORE)), StoreOption()),
        "weeks": _weeks(days_for(answers)),
        "products": products,
        "product": next((product for product in products if product.id == answers.text(PRODUCT)), ExchangeArticle()),
        "safe": is_safe(answers),
        "name": str(facts.get("name", "")),
        "at_our_expense": at_our_expense(answers),
        "amounts": _amounts(flow, answers),
        "_days": dict(facts.get("pickup_days", {})),
        "_home": pickup_country(at_home),
        "_typed": answers.text("country_code"),
    }


def _amounts(flow: Flow, answers: AnswerContext) -> Amounts:
    if not flow.settlement:
        return Amounts()
    settled = ComputedSettlement.from_json(flow.settlement(answers).to_json())
    return Amounts(lines=list(settled.lines), open=settled.open or None, set_off=bool(settled.set_off))


def _items(answers: AnswerContext) -> list[ReturnableItem]:
    counts = [known for value in answers.several(ITEMS) if (known := ItemCount.parse(value))]
    picked = {known.item: known for known in counts}
    return [
        ReturnableItem.model_validate(
            {**entry, "picked": str(picked.get(entry["id"], ItemCount(entry["id"], 0))) if entry["max"] > 1 else ""}
        )
        for entry in answers.facts.get(ITEMS, ())
    ]


def _withdrawable(answers: AnswerContext) -> list[ReturnableOrder]:
    """Orders that can still be withdrawn from: those of the chosen items, or all before a choice."""
    numbers = {item.entry["order"] for item in chosen(answers)}
    return [
        ReturnableOrder.model_validate(entry)
        for entry in answers.facts.get(ORDERS, ())
        if entry["withdrawable"] and (not numbers or entry["id"] in numbers)
    ]


def _products(answers: AnswerContext) -> list[ExchangeArticle]:
    """Bikes for a bike, accessories for an accessory; sold-out articles come last."""
    items = chosen(answers)
    if not items:
        return []
    paid = sum((Decimal(unit[0]) for item in items for unit in item.entry["worths"][: item.count]), Decimal("0.00"))
    entries = [entry for entry in answers.facts.get(CATALOGUE, ()) if entry["is_bike"] == items[0].entry["is_bike"]]
    return [
        ExchangeArticle.model_validate({**entry, "paid": paid})
        for entry in sorted(entries, key=lambda entry: bool(entry["refusal"]))
    ]


@shows_receipt(*_FLOWS)
async def _show_receipt(state: rx.State, receipt: Receipt) -> None:
    assign_changed(await state.get_state(ReturnFlowState), {"unsafe": bool(receipt.summary.get("instructions"))})
