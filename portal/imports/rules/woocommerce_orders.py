"""What an order of WooCommerce means: its lines, money and fulfilment."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

_CENT = Decimal("0.01")
_DELIVERY = {"completed": "order_delivered", "cancelled": "order_cancelled", "failed": "order_cancelled"}
_PAYMENT = {"refunded": "refunded", "pending": "open", "on-hold": "open", "failed": "open", "cancelled": "open"}


def contents(values: Mapping[str, Any]) -> dict[str, Any]:
    """What was bought, paid and sent."""
    total = Decimal(values["total"])
    paid = bool(values.get("date_paid_gmt"))
    return {
        "delivery_status": _DELIVERY.get(values["status"], "order_being_processed"),
        "payment_status": _PAYMENT.get(values["status"], "paid" if paid else "open"),
        "payment_method": values.get("payment_method") or "unknown",
        "payment_reference": values.get("transaction_id") or "",
        "delivery_method": (values.get("shipping_lines") or [{}])[0].get("method_id") or "parcel",
        "discount": str(_gross(values["discount_total"], values["discount_tax"])),
        "shipping_costs": str(_gross(values["shipping_total"], values["shipping_tax"])),
        "paid": str(total) if paid else "0",
        "refunded": str(sum((-Decimal(entry["total"]) for entry in values.get("refunds") or ()), Decimal(0))),
        "lines": [_line(entry) for entry in values["line_items"]],
    }


def meta(values: Mapping[str, Any], name: str, default: str = "") -> str:
    """The value of an entry of `meta_data`."""
    found = (entry["value"] for entry in values.get("meta_data") or () if entry.get("key") == name)
    return str(next(found, default))


def _line(values: Mapping[str, Any]) -> dict[str, Any]:
    quantity = int(values["quantity"])
    gross = _gross(values["subtotal"], values["subtotal_tax"])
    return {
        "name": values["name"],
        "sku": values.get("sku") or str(values["product_id"]),
        "kind": meta(values, "kind", "accessory"),
        "item_color": meta(values, "pa_color"),
        "frame_size": meta(values, "pa_size"),
        "quantity": quantity,
        "unit_price": str((gross / quantity).quantize(_CENT, ROUND_HALF_UP)),
        "price": str(gross),
    }


def _gross(net: str, tax: str) -> Decimal:
    return (Decimal(net) + Decimal(tax)).quantize(_CENT, ROUND_HALF_UP)
