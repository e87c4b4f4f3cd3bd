"""What an order of Shopify means: its lines, money and fulfilment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from portal.imports.rules.item_kinds import kind_of

_FINANCIAL = {
    "PAID": "paid",
    "PARTIALLY_PAID": "partly_paid",
    "REFUNDED": "refunded",
    "PARTIALLY_REFUNDED": "paid",
}
_PAID_BY = {"SALE", "CAPTURE"}
"""Kinds of transactions by which a customer paid."""

_NO_PARCEL = {"CANCELED", "CANCELLED", "LABEL_VOIDED", "ERROR", "FAILURE"}
_NOT_SENT = {"CONFIRMED", "LABEL_PRINTED", "LABEL_PURCHASED", "SUBMITTED"}
_SHIPMENT = {
    "DELIVERED": "order_delivered",
    "PICKED_UP": "order_picked_up",
    "READY_FOR_PICKUP": "order_ready_for_pickup",
    "OUT_FOR_DELIVERY": "driver_on_the_way",
    "ATTEMPTED_DELIVERY": "customer_not_at_home",
    "NOT_DELIVERED": "order_not_delivered",
    **dict.fromkeys(_NOT_SENT, "ready_for_transport"),
}
_ARRIVED = {"order_delivered", "order_picked_up"}
_ORDER_OF = (
    "order_not_delivered", "customer_not_at_home", "ready_for_transport", "order_ready_for_pickup",
    "handover_to_parcel_service", "driver_on_the_way", "order_picked_up", "order_delivered",
)  # fmt: skip
"""What the customer should know first of an order in several parcels."""


def contents(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was bought, paid and sent."""
    lines = [entry for entry in values["lineItems"] or () if entry["quantity"] != 0]
    sent = _shipments(values, lines)
    return {
        "delivery_status": _status(values, sent),
        "payment_status": _FINANCIAL.get(values.get("displayFinancialStatus") or "", "open"),
        "payment_method": ", ".join(values.get("paymentGatewayNames") or ()) or "unknown",
        "payment_reference": _payment_reference(values.get("transactions") or ()),
        "delivery_method": (values.get("shippingLine") or {}).get("code") or "parcel",
        "discount": _amount(values, "totalDiscountsSet"),
        "shipping_costs": _amount(values, "totalShippingPriceSet"),
        "currency": _money(values, "totalPriceSet").get("currencyCode") or "EUR",
        "total": _money(values, "totalPriceSet").get("amount"),
        "paid": _amount(values, "totalReceivedSet"),
        "refunded": _amount(values, "totalRefundedSet"),
        "lines": [_line(entry) for entry in lines],
        "shipments": sent,
    }


def global_id(value: Any) -> str:
    """The id in 'gid://shopify/Order/1'."""
    return str(value or "").rpartition("/")[2]


def product_kind(values: Mapping[str, Any] | None) -> str:
    """The kind of a product: its metafield, else what its type, category and tags say; empty if nothing does."""
    product = values or {}
    category = (product.get("category") or {}).get("name")
    told = (product.get("kind") or {}).get("value")
    return str(told or kind_of([product.get("productType"), category, *(product.get("tags") or ())]))


def _money(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return (values.get(name) or {}).get("shopMoney") or {}


def _amount(values: Mapping[str, Any], name: str) -> str:
    return str(_money(values, name).get("amount") or "0")


def _payment_reference(transactions: Iterable[Mapping[str, Any]]) -> str:
    """By which the payment provider finds the payment; empty if the export does not say."""
    paid = (entry for entry in transactions if entry.get("status") == "SUCCESS" and entry.get("kind") in _PAID_BY)
    return str(next((entry["paymentId"] for entry in paid if entry.get("paymentId")), ""))


def _line(values: Mapping[str, Any]) -> dict[str, Any]:
    quantity, left = values["quantity"], values.get("currentQuantity")
    return {
        "name": values["name"],
        "sku": values.get("sku") or global_id(values["id"]),
        "kind": product_kind(values.get("product")),
        "quantity": quantity,
        "unit_price": str(values["originalUnitPriceSet"]["shopMoney"]["amount"]),
        "returned": 0 if left is None else quantity - left,
    }


def _shipments(values: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The parcels of the fulfilments that were not cancelled, one for each tracking number."""
    positions = {entry["id"]: position for position, entry in enumerate(lines, 1)}
    entries = [
        entry
        for entry in values.get("fulfillments") or ()
        if entry.get("displayStatus") not in _NO_PARCEL and entry.get("status") not in _NO_PARCEL
    ]
    # Of fulfilments whose contents are not told, the last to arrive has everything: no period ends too early.
    last = ([entry for entry in entries if not entry.get("deliveredAt")] or entries)[-1:]
    found = []
    for entry in entries:
        numbers = entry.get("trackingInfo") or [{}]
        inside = [
            {"position": positions[item["lineItem"]["id"]], "quantity": item["quantity"]}
            for item in entry.get("fulfillmentLineItems") or ()
            if item["lineItem"]["id"] in positions
        ]
        if "fulfillmentLineItems" not in entry and entry in last:
            inside = _sent(lines)
        for place, tracking in enumerate(numbers):
            # Shopify does not say what is in which parcel of a fulfilment. They travel together.
            there = inside if place == 0 else [{**item, "quantity": 0} for item in inside]
            found.append({**_journey(entry, tracking), "lines": there})
    return found


def _sent(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was sent in all, by which an export tells of the fulfilments that it does not go into."""
    if any("unfulfilledQuantity" not in entry for entry in lines):
        return []
    sent = [entry.get("currentQuantity", entry["quantity"]) - entry["unfulfilledQuantity"] for entry in lines]
    return [{"position": place, "quantity": count} for place, count in enumerate(sent, 1) if count > 0]


def _journey(values: Mapping[str, Any], tracking: Mapping[str, Any]) -> dict[str, Any]:
    status, sent = values.get("displayStatus") or "", values.get("createdAt")
    followed = bool(tracking.get("number") or tracking.get("url"))
    # Nobody reports the arrival of what has no tracking number: it arrived on the day of the fulfilment.
    untold = "handover_to_parcel_service" if followed or status == "IN_TRANSIT" else "order_delivered"
    known = _SHIPMENT.get(status, untold)
    return {
        "carrier": tracking.get("company") or "",
        "tracking_code": tracking.get("number") or "",
        "tracking_url": tracking.get("url") or "",
        "shipped_at": None if status in _NOT_SENT else sent,
        "delivered_at": values.get("deliveredAt") or (sent if known in _ARRIVED else None),
        "status": "order_delivered" if values.get("deliveredAt") and known not in _ARRIVED else known,
    }


def _status(values: Mapping[str, Any], sent: Sequence[Mapping[str, Any]]) -> str:
    if values.get("cancelledAt"):
        return "order_cancelled"
    if not sent or values.get("displayFulfillmentStatus") != "FULFILLED":
        return "order_being_processed"
    return min((parcel["status"] for parcel in sent), key=_ORDER_OF.index)
