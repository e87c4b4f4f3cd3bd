"""What the flows of returns show beside the answers: what can come back, how, when, and what it is worth."""

from decimal import Decimal
from typing import Any

import reflex as rx

from portal.account.flow import KNOWN, OTHER
from portal.bikes.pages.state import safe_color
from portal.flow import AnswerContext, Flow
from portal.flow.api import Receipt
from portal.flow.pages.views import shows, shows_receipt
from portal.frontend.session import customer
from portal.reflex_adapter.state import assign_changed
from portal.returns.flow.accessories import ACCESSORIES
from portal.returns.flow.exchange import CATALOGUE, EXCHANGE, PRODUCT
from portal.returns.flow.items import ITEMS, STORE, chosen, is_safe
from portal.returns.flow.order_return import ORDER_RETURN, ORDERS
from portal.returns.flow.pickup import days_for, pickup_country
from portal.returns.flow.returns import RETURN
from portal.returns.pages.flow_views import (
    Amounts,
    ChosenView,
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


class Returning(rx.State):
    """Follows the answers of a return.

    Attributes:
        items: what can be returned; refused: what cannot, with the reason.
        orders: in their place, where products are chosen by order; refused_orders: those that cannot be chosen.
        chosen: what comes back; withdraw: orders of it, or all, that can be withdrawn from without a reason.
        stores: where it can be brought, the nearest first; store: the one that was chosen.
        weeks: days on which it can be picked up, for the country of the address.
        products: what the shop has in exchange, of the kind of what comes back; product: the one that was chosen.
        safe: whether it may travel; with its battery it may not.
        name: of the customer, proposed for the door.
        exchange: something else comes instead.
        fee: of the pick-up, euro as text.
        amounts: what it is worth so far.
        settled: what the one that was sent is worth; unsafe: its battery must not travel.
    """

    items: rx.Field[list[ReturnableItemView]] = rx.field(default_factory=list)
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
    fee: rx.Field[str] = rx.field("")
    amounts: rx.Field[Amounts] = rx.field(default_factory=Amounts)
    settled: rx.Field[Amounts] = rx.field(default_factory=Amounts)
    unsafe: rx.Field[bool] = rx.field(False)
    _days: rx.Field[dict[str, list[str]]] = rx.field(default_factory=dict)
    _home: str = "NL"
    _typed: str = ""

    @rx.event
    @customer
    async def come_to(self, place: str) -> None:
        """Offer the days of the country that is chosen while the address is typed.

        Args:
            place: `KNOWN` or `OTHER` address, or the letters of the country of the other one.
        """
        if place not in {KNOWN, OTHER}:
            self._typed = place
        country = self._typed if place != KNOWN and self._typed in self._days else self._home
        self.weeks = week_views(self._days.get(country, []))

    def _look(self, flow: Flow, answers: AnswerContext) -> None:
        assign_changed(self, _seen(flow, answers))


def _seen(flow: Flow, answers: AnswerContext) -> dict[str, Any]:
    facts = answers.facts
    items = [item_view(entry, answers.several(ITEMS)) for entry in facts.get(ITEMS, ())]
    by_order = flow is ORDER_RETURN
    orders = [order_view(entry, items) for entry in facts.get(ORDERS, ())] if by_order else []
    stores = [store_view(entry) for entry in facts.get("stores", ())]
    products = _products(answers)
    known = AnswerContext({"address": KNOWN}, facts, answers.day)
    return {
        "items": [] if by_order else [item for item in items if not item.refusal],
        "refused": [] if by_order else [item for item in items if item.refusal],
        "orders": [order for order in orders if not order.refusal],
        "refused_orders": [order for order in orders if order.refusal],
        "chosen": [_chosen(entry.entry, entry.count) for entry in chosen(answers)],
        "withdraw": _withdrawable(answers),
        "stores": stores,
        "store": next((store for store in stores if store.id == answers.text(STORE)), StoreOptionView()),
        "weeks": week_views(days_for(answers)),
        "products": products,
        "product": next((product for product in products if product.id == answers.text(PRODUCT)), ProductView()),
        "safe": is_safe(answers),
        "name": str(facts.get("name", "")),
        "exchange": flow is EXCHANGE,
        "fee": str(facts.get("fee", "")),
        "amounts": stored_amounts(flow.settlement(answers).to_json() if flow.settlement else {}),
        "_days": dict(facts.get("pickup_days", {})),
        "_home": pickup_country(known),
        "_typed": answers.text("country_code"),
    }


def _chosen(entry: Any, count: int) -> ChosenView:
    return ChosenView(
        name=entry["name"],
        count=count,
        order=entry["order"],
        kind=entry["kind"],
        is_bike=entry["is_bike"],
        color_code=safe_color(entry["color_code"]),
    )


def _withdrawable(answers: AnswerContext) -> list[WithdrawView]:
    """Orders within their days of withdrawal: those of what was chosen, all of them before anything was."""
    numbers = {item.entry["order"] for item in chosen(answers)}
    return [
        WithdrawView(entry["id"], entry["withdraw_until"])
        for entry in answers.facts.get(ORDERS, ())
        if entry["withdrawable"] and (not numbers or entry["id"] in numbers)
    ]


def _products(answers: AnswerContext) -> list[ProductView]:
    """A bike for a bike, an accessory for an accessory; what is sold out comes last."""
    back = chosen(answers)
    if not back:
        return []
    paid = sum((Decimal(unit[0]) for item in back for unit in item.entry["worths"][: item.count]), Decimal("0.00"))
    fitting = [entry for entry in answers.facts.get(CATALOGUE, ()) if entry["is_bike"] == back[0].entry["is_bike"]]
    return [product_view(entry, paid) for entry in sorted(fitting, key=lambda entry: bool(entry["refusal"]))]


_FLOWS = (RETURN.name, ACCESSORIES.name, EXCHANGE.name, ORDER_RETURN.name)


@shows(*_FLOWS)
async def _show(state: rx.State, flow: Flow, answers: AnswerContext) -> None:
    (await state.get_state(Returning))._look(flow, answers)


@shows_receipt(*_FLOWS)
async def _show_receipt(state: rx.State, receipt: Receipt) -> None:
    summary = receipt.summary
    sent = {"settled": stored_amounts(summary.get("settlement") or {}), "unsafe": bool(summary.get("instructions"))}
    assign_changed(await state.get_state(Returning), sent)
