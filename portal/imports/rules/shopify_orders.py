"""What an order of Shopify means: its lines, money and fulfilment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_FINANCIAL = {
    "PAID": "paid",
    "PARTIALLY_PAID": "partly_paid",
    "REFUNDED": "refunded",
    "PARTIALLY_REFUNDED": "paid",
}
_PAID_BY = {"SALE", "CAPTURE"}
"""Kinds of transactions by which a customer paid."""

_FULFILLMENT = {"FULFILLED": "handover_to_parcel_service", "UNFULFILLED": "order_being_processed"}
_SHIPMENT = {"DELIVERED": "order_delivered", "IN_TRANSIT": "handover_to_parcel_service"}


def contents(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was bought, paid and sent."""
    return {
        "delivery_status": "order_cancelled"
        if values.get("cancelledAt")
        else _FULFILLMENT.get(values.get("displayFulfillmentStatus") or "", "order_being_processed"),
        "payment_status": _FINANCIAL.get(values.get("displayFinancialStatus") or "", "open"),
        "payment_method": ", ".join(values.get("paymentGatewayNames") or ()) or "unknown",
        "payment_reference": _payment_reference(values.get("transactions") or ()),
        "delivery_method": (values.get("shippingLine") or {}).get("code") or "parcel",
        "discount": _amount(values, "totalDiscountsSet"),
        "shipping_costs": _amount(values, "totalShippingPriceSet"),
        "paid": _amount(values, "totalReceivedSet"),
        "refunded": _amount(values, "totalRefundedSet"),
        "lines": [_line(entry) for entry in values["lineItems"]],
        "shipments": [_shipment(entry) for entry in values.get("fulfillments") or ()],
    }


def global_id(value: Any) -> str:
    """The id in 'gid://shopify/Order/1'."""
    return str(value or "").rpartition("/")[2]


def metafield(values: Mapping[str, Any], name: str, default: str = "") -> str:
    """The value of a metafield."""
    return str((values.get(name) or {}).get("value") or default)


def _amount(values: Mapping[str, Any], name: str) -> str:
    return str(((values.get(name) or {}).get("shopMoney") or {}).get("amount") or "0")


def _payment_reference(transactions: Iterable[Mapping[str, Any]]) -> str:
    """By which the payment provider finds the payment; empty if the export does not say."""
    paid = (entry for entry in transactions if entry.get("status") == "SUCCESS" and entry.get("kind") in _PAID_BY)
    return str(next((entry["paymentId"] for entry in paid if entry.get("paymentId")), ""))


def _line(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": values["name"],
        "sku": values.get("sku") or global_id(values["id"]),
        "kind": metafield(values.get("product") or {}, "kind", "accessory"),
        "quantity": values["quantity"],
        "unit_price": str(values["originalUnitPriceSet"]["shopMoney"]["amount"]),
    }


def _shipment(values: Mapping[str, Any]) -> dict[str, Any]:
    tracking = (values.get("trackingInfo") or [{}])[0]
    return {
        "carrier": tracking.get("company") or "unknown",
        "tracking_code": tracking.get("number") or "",
        "tracking_url": tracking.get("url") or "",
        "shipped_at": values.get("createdAt"),
        "delivered_at": values.get("deliveredAt"),
        "status": _SHIPMENT.get(values.get("displayStatus") or ""),
    }
