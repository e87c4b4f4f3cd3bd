"""What an order of WooCommerce means: its lines, money and fulfilment."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from portal.imports.rules.item_kinds import kind_of
from portal.vocabulary.orders import DELIVERY_METHODS, PAYMENT_METHODS, STORE_PICKUP

_CENT = Decimal("0.01")
_DELIVERY = {
    "completed": "order_delivered",
    "cancelled": "order_cancelled",
    "failed": "order_cancelled",
    "refunded": "order_cancelled",
}
_UNPAID = {"pending", "on-hold", "failed"}
_PICKUP = {"local_pickup", "pickup_location"}
_TRACKING = "_wc_shipment_tracking_items"
"""Metadata in which the usual extensions keep the parcels of an order."""


def contents(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was bought, paid and sent."""
    total, status = _amount(values["total"]), values["status"]
    # What was completed counts as paid in the shop; without a day, an extension or an import left it out.
    paid = status == "completed" or (bool(values.get("date_paid_gmt")) and status not in _UNPAID)
    sent = shipments(values)
    lines = [entry for entry in values["line_items"] if str(entry["quantity"]) != "0" or _gross(entry, "subtotal")]
    fees = [(entry.get("name") or "", _gross(entry, "total")) for entry in values.get("fee_lines") or ()]
    refunded = sum((abs(_amount(entry["total"])) for entry in values.get("refunds") or ()), Decimal(0))
    return {
        "delivery_status": sent[0]["status"] if sent else _DELIVERY.get(status, "order_being_processed"),
        "payment_status": "refunded" if status == "refunded" or 0 < total <= refunded else "paid" if paid else "open",
        "payment_method": _known(values, "payment_method", PAYMENT_METHODS) or "unknown",
        "payment_reference": values.get("transaction_id") or "",
        "delivery_method": _method(values),
        "discount": str(_tax(values, "discount_total", "discount_tax")),
        "shipping_costs": str(_tax(values, "shipping_total", "shipping_tax")),
        "adjustments": [{"name": name or "Toeslag", "amount": str(amount)} for name, amount in fees if amount],
        "currency": values.get("currency") or "EUR",
        "total": str(total),
        "paid": str(total) if paid else "0",
        "refunded": str(refunded),
        "lines": [_line(entry) for entry in lines],
        "shipments": sent,
    }


def shipments(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parcels of an order that is done. Nothing says when it arrived, so it did on the day of completion."""
    if values["status"] not in {"completed", "refunded"}:
        return []
    # Shops that completed orders before WooCommerce kept the day have none.
    moments = [values.get(f"date_{name}_gmt") for name in ("completed", "paid", "created")]
    if values["status"] == "refunded" and not moments[0]:
        return []
    arrived = f"{next(moment for moment in moments if moment)}Z"
    return [
        {
            "carrier": parcel.get("custom_tracking_provider") or parcel.get("tracking_provider") or "",
            "tracking_code": parcel.get("tracking_number") or "",
            "tracking_url": parcel.get("custom_tracking_link") or parcel.get("tracking_link") or "",
            "shipped_at": arrived,
            "delivered_at": arrived,
            "status": "order_picked_up" if _method(values) == STORE_PICKUP else "order_delivered",
        }
        for parcel in _parcels(values) or [{}]
    ]


def _method(values: Mapping[str, Any]) -> str:
    shipping = next(iter(values.get("shipping_lines") or ()), {})
    if shipping.get("method_id") in _PICKUP:
        return STORE_PICKUP
    return _known(shipping, "method", DELIVERY_METHODS) or "parcel"


def _known(values: Mapping[str, Any], name: str, known: Collection[str]) -> str:
    """A method that the portal names itself, or else the title that the shop gave it."""
    method = str(values.get(name) or values.get(f"{name}_id") or "")
    return method if method in known else str(values.get(f"{name}_title") or method)[:60]


def _parcels(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = _meta(values, _TRACKING)
    return [parcel for parcel in found if isinstance(parcel, dict)] if isinstance(found, list) else []


def meta(values: Mapping[str, Any], name: str) -> str:
    """The value of an entry of `meta_data`."""
    return str(_meta(values, name))


def _meta(values: Mapping[str, Any], name: str) -> Any:
    return next((entry.get("value") for entry in values.get("meta_data") or () if entry.get("key") == name), "")


def product_kind(values: Mapping[str, Any]) -> str:
    """The kind of a product: its metadata, else what its categories and tags say; empty if nothing does."""
    words = (entry.get("name") for name in ("categories", "tags") for entry in values.get(name) or ())
    return meta(values, "kind") or kind_of(words)


def _line(values: Mapping[str, Any]) -> dict[str, Any]:
    gross = _gross(values, "subtotal")
    try:
        quantity: Any = int(values["quantity"])
        price = (gross / quantity).quantize(_CENT, ROUND_HALF_UP)
    except (ValueError, TypeError, ArithmeticError):
        # The record is rejected for its quantity, with the line.
        quantity, price = values["quantity"], gross
    return {
        "name": values["name"],
        "sku": values.get("sku") or str(values["product_id"]),
        "kind": meta(values, "kind"),
        "item_color": meta(values, "pa_color"),
        "frame_size": meta(values, "pa_size"),
        "quantity": quantity,
        "unit_price": str(price),
        "price": str(gross),
    }


def _gross(values: Mapping[str, Any], name: str) -> Decimal:
    return _tax(values, name, f"{name}_tax")


def _tax(values: Mapping[str, Any], net: str, tax: str) -> Decimal:
    return (_amount(values.get(net)) + _amount(values.get(tax))).quantize(_CENT, ROUND_HALF_UP)


def _amount(value: Any) -> Decimal:
    return Decimal(str(value or "0"))
