"""The state of the return flows: what can be returned, how and when, and the amounts."""

from decimal import Decimal
from typing import Any

import reflex as rx

from portal.account.flow import KNOWN, OTHER
from portal.flow import AnswerContext, Flow
from portal.flow.api import Receipt
from portal.flow.pages.showing import shows
from portal.flow.pages.views import shows_receipt
from portal.frontend.policies import customer
from portal.pictures.pages.views import picture_in
from portal.reflex_adapter.state import assign_changed
from portal.returns.flow.accessories import ACCESSORIES
from portal.returns.flow.exchange import CATALOGUE, EXCHANGE, PRODUCT
from portal.returns.flow.items import (
    CLOSED,
    FITS,
    FREE_REASONS,
    ITEMS,
    OFFERED,
    OTHER_ITEMS,
    STORE,
    Chosen,
    at_our_expense,
    chosen,
    is_safe,
)
from portal.returns.flow.order_return import ORDER_RETURN, ORDERS
from portal.returns.flow.pickup import days_for, pickup_country
from portal.returns.flow.returns import RETURN
from portal.returns.pages.flow_views import (
    Amounts,
    ChosenView,
    OtherItemView,
    PickupWeekView,
    ProductView,
    ReturnableItemView,
    ReturnOrderView,
    StoreOptionView,
    WithdrawView,
    item_view,
    order_view,
    product_view,
    store_view,
    stored_amounts,
    week_views,
)
from portal.vocabulary.returns import FAULT_NAMES


class Returning(rx.State):
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

    items: rx.Field[list[ReturnableItemView]] = rx.field(default_factory=list)
    offered: rx.Field[list[ReturnableItemView]] = rx.field(default_factory=list)
    others: rx.Field[list[OtherItemView]] = rx.field(default_factory=list)
    refused: rx.Field[list[ReturnableItemView]] = rx.field(default_factory=list)
    orders: rx.Field[list[ReturnOrderView]] = rx.field(default_factory=list)
    refused_orders: rx.Field[list[ReturnOrderView]] = rx.field(default_factory=list)
    chosen: rx.Field[list[ChosenView]] = rx.field(default_factory=list)
    withdraw: rx.Field[list[WithdrawView]] = rx.field(default_factory=list)
    stores: rx.Field[list[StoreOptionView]] = rx.field(default_factory=list)
    store: rx.Field[StoreOptionView] = rx.field(default_factory=StoreOptionView)
    weeks: rx.Field[list[PickupWeekView]] = rx.field(default_factory=list)
    products: rx.Field[list[ProductView]] = rx.field(default_factory=list)
    product: rx.Field[ProductView] = rx.field(default_factory=ProductView)
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
        """Offer the days of the country that the customer selects in the address form."""
        if place not in {KNOWN, OTHER}:
            self._typed = place
        country = self._typed if place != KNOWN and self._typed in self._days else self._home
        self.weeks = week_views(self._days.get(country, []))


_FLOWS = (RETURN.name, ACCESSORIES.name, EXCHANGE.name, ORDER_RETURN.name)


@shows(Returning, *_FLOWS)
def _values(flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    facts = answers.facts
    items = [item_view(entry, answers.several(ITEMS)) for entry in facts.get(ITEMS, ())]
    by_order = flow is ORDER_RETURN
    orders = [order_view(entry, items) for entry in facts.get(ORDERS, ())] if by_order else []
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
            "offered": [] if by_order else [item_view(entry, []) for entry in facts[OFFERED]],
            "others": [
                OtherItemView(entry["flow"], entry["id"], entry["name"], picture_in(entry))
                for entry in facts[OTHER_ITEMS]
            ],
        }
    stores = [store_view(entry) for entry in facts.get("stores", ())]
    products = _products(answers)
    at_home = AnswerContext({"address": KNOWN}, facts, answers.day)
    return introduced | {
        "items": [] if by_order else [item for item in items if not item.refusal],
        "orders": [order for order in orders if not order.refusal],
        "chosen": [_chosen_view(item) for item in chosen(answers)],
        "stores": stores,
        "store": next((store for store in stores if store.id == answers.text(STORE)), StoreOptionView()),
        "weeks": week_views(days_for(answers)),
        "products": products,
        "product": next((product for product in products if product.id == answers.text(PRODUCT)), ProductView()),
        "safe": is_safe(answers),
        "name": str(facts.get("name", "")),
        "at_our_expense": at_our_expense(answers),
        "amounts": stored_amounts(flow.settlement(answers).to_json() if flow.settlement else {}),
        "_days": dict(facts.get("pickup_days", {})),
        "_home": pickup_country(at_home),
        "_typed": answers.text("country_code"),
    }


def _chosen_view(item: Chosen) -> ChosenView:
    entry = item.entry
    return ChosenView(
        name=entry["name"],
        count=item.count,
        order=entry["order"],
        is_bike=entry["is_bike"],
        bikes=", ".join(bike["name"] for bike in item.bikes),
        picture=picture_in(entry),
    )


def _withdrawable(answers: AnswerContext) -> list[WithdrawView]:
    """Orders that can still be withdrawn from: those of the chosen items, or all before a choice."""
    numbers = {item.entry["order"] for item in chosen(answers)}
    return [
        WithdrawView(entry["id"], entry["withdraw_until"])
        for entry in answers.facts.get(ORDERS, ())
        if entry["withdrawable"] and (not numbers or entry["id"] in numbers)
    ]


def _products(answers: AnswerContext) -> list[ProductView]:
    """Bikes for a bike, accessories for an accessory; sold-out articles come last."""
    items = chosen(answers)
    if not items:
        return []
    paid = sum((Decimal(unit[0]) for item in items for unit in item.entry["worths"][: item.count]), Decimal("0.00"))
    entries = [entry for entry in answers.facts.get(CATALOGUE, ()) if entry["is_bike"] == items[0].entry["is_bike"]]
    return [product_view(entry, paid) for entry in sorted(entries, key=lambda entry: bool(entry["refusal"]))]


@shows_receipt(*_FLOWS)
async def _show_receipt(state: rx.State, receipt: Receipt) -> None:
    assign_changed(await state.get_state(Returning), {"unsafe": bool(receipt.summary.get("instructions"))})
