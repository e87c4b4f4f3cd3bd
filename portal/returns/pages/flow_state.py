"""The state of the return flows: what can be returned, how and when, and the amounts."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import reflex as rx
from pydantic import Field

from portal.account.flow import KNOWN, OTHER
from portal.contract.account import Direction
from portal.contract.models import Model, mapped
from portal.deliveries.rules import Week, weeks
from portal.flow import AnswerContext, Flow
from portal.flow.api import Receipt
from portal.flow.journey import FLOWS
from portal.flow.pages.views import shows, shows_receipt
from portal.frontend.models import computed
from portal.frontend.policies import customer
from portal.kernel.codes import Code
from portal.reflex_adapter.state import assign_changed
from portal.returns.flow.items import ITEMS, STORE, ItemCount, at_our_expense, chosen, is_safe, stock
from portal.returns.flow.kinds import ACCESSORIES, EXCHANGE, ORDER_RETURN, PRODUCT, RETURN
from portal.returns.flow.pickup import days_for, pickup_country
from portal.returns.models import (
    ArticleOnSale,
    EqualBike,
    IntroductionFacts,
    ItemFacts,
    OfferedArticle,
    OfferedItem,
    OfferedOrder,
    OfferedStore,
    ReturnFacts,
    ReturnTerms,
)
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


class ShownArticle(OfferedArticle):
    @computed
    def about(self) -> str:
        return " · ".join(text for text in (self.color, self.size) if text)


class ReturnableItem(ShownArticle, OfferedItem):
    """An item to return.

    `bikes`: which of several equal bikes can be returned; of an item that was chosen, those that were.
    `picked`: the chosen number of units as the form sends it; empty if one at most can be returned.
    `count`: the chosen number of units, of an item that was chosen.
    """

    picked: str = ""
    count: int = 1
    bikes: list[EqualBike] = Field(default_factory=list)

    @computed
    def counts(self) -> list[int]:
        return list(range(self.max + 1)) if self.max > 1 and not self.bikes else []

    @computed
    def bike_names(self) -> str:
        return ", ".join(bike.name for bike in self.bikes)

    @computed
    def action(self) -> str:
        return _instead(self.refusal, self.order, is_bike=self.is_bike)[0]

    @computed
    def href(self) -> str:
        return _instead(self.refusal, self.order, is_bike=self.is_bike)[1]


class ReturnableOrder(OfferedOrder):
    """An order: in the older flow with its products, and anywhere while it can be withdrawn from."""

    products: list[ReturnableItem] = Field(default_factory=list)

    @computed
    def action(self) -> str:
        return self._instead[0]

    @computed
    def href(self) -> str:
        return self._instead[1]

    @property
    def _instead(self) -> tuple[str, str]:
        return _instead(self.refusal, self.id, pending=self.pending.return_id if self.pending else "")


class ExchangeArticle(ShownArticle, ArticleOnSale):
    """An article of the shop, and what was paid for the item that comes back."""

    paid: Decimal

    @computed
    def dearer(self) -> Decimal | None:
        return self.price - self.paid if self.price > self.paid else None

    @computed
    def cheaper(self) -> Decimal | None:
        return self.paid - self.price if self.price < self.paid else None


class Amounts(Model):
    lines: list[SettlementLine] = Field(default_factory=list)
    open: Decimal | None = None
    set_off: bool = False

    @property
    def _total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    @computed
    def total(self) -> Decimal:
        return abs(self._total)

    @computed
    def direction(self) -> Direction:
        return direction_of(self._total)


class ReturnFlowState(rx.State):
    """What the pages of a return flow show; computed from the facts and the answers.

    `items`: items that can be returned; empty in the older flow.
    `offered`: the first items that can be returned, for the introduction.
    `others`: the first items that another flow returns, for the introduction.
    `refused`: items that cannot be returned, with the reason; empty in the older flow.
    `stores`: stores that take returns, the nearest first.
    `weeks`: days on which a pick-up is offered in the country of the address.
    """

    items: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    offered: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    others: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    refused: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    orders: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    refused_orders: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    chosen: rx.Field[list[ReturnableItem]] = rx.field(default_factory=list)
    withdraw: rx.Field[list[ReturnableOrder]] = rx.field(default_factory=list)
    stores: rx.Field[list[OfferedStore]] = rx.field(default_factory=list)
    store: rx.Field[OfferedStore | None] = rx.field(None)
    weeks: rx.Field[list[Week]] = rx.field(default_factory=list)
    products: rx.Field[list[ExchangeArticle]] = rx.field(default_factory=list)
    product: rx.Field[ExchangeArticle | None] = rx.field(None)
    safe: rx.Field[bool] = rx.field(True)
    name: rx.Field[str] = rx.field("")
    exchange: rx.Field[bool] = rx.field(False)
    fits: rx.Field[str] = rx.field("")
    fee: rx.Field[Decimal | None] = rx.field(None)
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
def _values(flow: Flow, answers: AnswerContext) -> dict[str, object]:
    facts, terms, introduction = answers.part(ReturnFacts), answers.part(ReturnTerms), answers.part(IntroductionFacts)
    by_order, items = flow is ORDER_RETURN, _items(answers)
    orders = [
        mapped(ReturnableOrder, order, products=[item for item in items if item.order == order.id])
        for order in (facts.orders if by_order else ())
    ]
    introduced: dict[str, object] = {
        "refused": [] if by_order else [item for item in items if item.refusal],
        "refused_orders": [order for order in orders if order.refusal],
        "withdraw": _withdrawable(answers),
        "exchange": flow is EXCHANGE,
        "fits": introduction.fits.get("", ""),
        "free_if_faulty": FAULT_NAMES.keys() <= {*terms.free_reasons},
        "fee": terms.fee,
    }
    if introduction.closed is not None:
        # An introduction leaves what the steps show as it is.
        return introduced | {
            "offered": [] if by_order else [mapped(ReturnableItem, item) for item in introduction.offered],
            "others": [mapped(ReturnableItem, item) for item in introduction.other_items],
        }
    products = _products(answers)
    at_home = replace(answers, given={"address": KNOWN})
    return introduced | {
        "items": [] if by_order else [item for item in items if not item.refusal],
        "orders": [order for order in orders if not order.refusal],
        "chosen": [
            mapped(ReturnableItem, entry.item, count=entry.count, bikes=list(entry.bikes)) for entry in chosen(answers)
        ],
        "stores": facts.stores,
        "store": answers.chosen(facts.stores, STORE),
        "weeks": _weeks(days_for(answers)),
        "products": products,
        "product": answers.chosen(products, PRODUCT),
        "safe": is_safe(answers),
        "name": facts.name,
        "at_our_expense": at_our_expense(answers),
        "amounts": _amounts(flow, answers),
        "_days": facts.pickup_days,
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
        mapped(ReturnableItem, item, picked=str(picked.get(item.id, ItemCount(item.id, 0))) if item.max > 1 else "")
        for item in stock(answers)
    ]


def _withdrawable(answers: AnswerContext) -> list[ReturnableOrder]:
    """Orders that can still be withdrawn from: those of the chosen items, or all before a choice."""
    numbers = {entry.item.order for entry in chosen(answers)}
    return [
        mapped(ReturnableOrder, order)
        for order in answers.part(ItemFacts).orders
        if order.withdrawable and (not numbers or order.id in numbers)
    ]


def _products(answers: AnswerContext) -> list[ExchangeArticle]:
    """Bikes for a bike, accessories for an accessory; sold-out articles come last."""
    items = chosen(answers)
    if not items:
        return []
    paid = sum((worth.paid for entry in items for worth in entry.item.worths[: entry.count]), Decimal("0.00"))
    articles = [entry for entry in answers.part(ReturnFacts).catalogue if entry.is_bike == items[0].item.is_bike]
    return [
        mapped(ExchangeArticle, article, paid=paid)
        for article in sorted(articles, key=lambda article: bool(article.refusal))
    ]


@shows_receipt(*_FLOWS)
async def _show_receipt(state: rx.State, receipt: Receipt) -> None:
    assign_changed(await state.get_state(ReturnFlowState), {"unsafe": bool(receipt.summary.get("instructions"))})
