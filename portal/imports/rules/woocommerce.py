"""Reads what WooCommerce's REST API (version 3) answers: customers, orders and products as JSON.

Amounts of order lines are net of tax there, so tax is added. Who ordered without an account is no customer there: read
as customers, an answer with orders gives these. See `docs/connect.md` for the calls. Source:
https://woocommerce.github.io/woocommerce-rest-api-docs/
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from portal.imports.rules.adapting import Adapter, LeftOut, Table, at, kind_of, tabled
from portal.imports.rules.reading import RawRecord, Values
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


def contents(values: Mapping[str, Any]) -> Values:
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


def shipments(values: Mapping[str, Any]) -> list[Values]:
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


def _parcels(values: Mapping[str, Any]) -> list[Values]:
    found: Any = next((entry.get("value") for entry in _metadata(values) if entry.get("key") == _TRACKING), None)
    parcels = found.values() if isinstance(found, dict) else found or ()
    return [parcel for parcel in parcels if isinstance(parcel, dict)] if not isinstance(parcels, str) else []


def meta(values: Mapping[str, Any], name: str, default: str = "") -> str:
    """The value of an entry of `meta_data`."""
    found = (entry.get("value") for entry in _metadata(values) if entry.get("key") == name)
    return str(next(found, default))


def _metadata(values: Mapping[str, Any]) -> Iterable[Values]:
    # PHP writes a list with gaps as an object.
    entries = values.get("meta_data") or ()
    return entries.values() if isinstance(entries, dict) else entries


def product_kind(values: Mapping[str, Any]) -> str:
    """The kind of a product: its metadata, else what its categories and tags say; empty if nothing does."""
    words = (entry.get("name") for name in ("categories", "tags") for entry in values.get(name) or ())
    return meta(values, "kind") or kind_of(words)


def _line(values: Mapping[str, Any]) -> Values:
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


_NO_ORDERS = {"auto-draft", "checkout-draft", "draft", "trash", "new"}
"""Statuses of what a customer has not ordered, or the shop threw away."""


def _objects(kind: str, answers: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """The objects of an answer; read as customers, of orders without an account the newest one of each customer."""
    guests: dict[str, RawRecord] = {}
    for found in answers:
        found = replace(found, values=_texts(found.values))
        if kind != "customers" or "line_items" not in found.values or at(found.values, "status") in _NO_ORDERS:
            yield found
        elif not at(found.values, "customer_id"):
            # Somebody who ordered several times lives where the last order says, whichever file it is in.
            found = replace(found, as_of=str(at(found.values, "date_created_gmt")))
            known = guests.setdefault(_guest(found.values), found)
            if found.as_of >= known.as_of:
                guests[_guest(found.values)] = found
    yield from guests.values()


def _texts(value: Any) -> Any:
    """A value whose texts are plain: WooCommerce writes `&amp;` for `&`."""
    if isinstance(value, dict):
        return {name: _texts(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_texts(part) for part in value]
    return html.unescape(value) if isinstance(value, str) and "&" in value else value


def _guest(order: Values) -> str:
    """The id of who ordered without an account. All orders with one e-mail address are of one customer."""
    email = str(at(order, "billing.email")).strip().lower()
    return f"guest-{hashlib.sha256(email.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _address(of: str) -> Table:
    """The table of an address. A plugin for Dutch addresses keeps street and number in metadata."""

    def extra(name: str) -> Any:
        return lambda values: meta(values, f"_{of}_{name}") or meta(values, f"{of}_{name}")

    return {
        "street": lambda values: extra("street_name")(values) or at(values, f"{of}.address_1"),
        "house_number": extra("house_number"),
        "house_number_addon": lambda values: extra("house_number_suffix")(values) or at(values, f"{of}.address_2"),
        "post_code": f"{of}.postcode",
        "city": f"{of}.city",
        "country_code": f"{of}.country",
    }


_PERSON: Table = {
    "first_name": "first_name billing.first_name",
    "last_name": "last_name billing.last_name billing.company",
    "email": "email billing.email",
    "phone": "billing.phone",
    "locale": lambda values: "en" if meta(values, "locale").startswith("en") else "nl",
    **_address("billing"),
}


def _customer(values: Values) -> list[Values]:
    if "line_items" not in values:
        return [tabled({"external_id": lambda found: str(found["id"]), **_PERSON}, values)]
    if at(values, "status") in _NO_ORDERS:
        raise LeftOut
    return [tabled({"external_id": _guest, **_PERSON}, values)]


def _order_address(of: str) -> Table:
    parts = (f"{of}.first_name", f"{of}.last_name")
    return {
        "name": lambda values: (
            " ".join(str(text) for path in parts if (text := at(values, path))) or at(values, f"{of}.company")
        ),
        **_address(of),
    }


def _shipping(values: Values) -> str:
    """Where an order goes: to the billing address where there is no other one."""
    return "shipping" if at(values, "shipping.address_1") else "billing"


_ORDER: Table = {
    "external_id": lambda values: str(values["id"]),
    "customer": lambda values: str(at(values, "customer_id") or _guest(values)),
    "order_number": lambda values: str(values["number"]),
    "country_code": lambda values: at(values, f"{_shipping(values)}.country"),
    "ordered_at": lambda values: f"{values['date_created_gmt']}Z",
    "*": contents,
    "shipping_address": lambda values: tabled(_order_address(_shipping(values)), values),
    "billing_address": lambda values: tabled(_order_address("billing"), values),
}


def _order(values: Values) -> list[Values]:
    if at(values, "status") in _NO_ORDERS:
        raise LeftOut
    return [tabled(_ORDER, values)]


_PRODUCT: Table = {
    "external_id": lambda values: str(values["id"]),
    "sku": lambda values: at(values, "sku") or str(values["id"]),
    "name": lambda values: values["name"],
    "kind": lambda values: product_kind(values) or "accessory",
    "price": lambda values: at(values, "price") or "0",
    "stock": lambda values: max(0, int(at(values, "stock_quantity") or 0)),
    "on_sale": lambda values: at(values, "status") == "publish",
    "image": lambda values: at((at(values, "images") or [{}])[0], "src"),
}


def _product(values: Values) -> list[Values]:
    if at(values, "status") in _NO_ORDERS:
        raise LeftOut
    return [tabled(_PRODUCT, values)]


WOOCOMMERCE = Adapter({"customers": _customer, "orders": _order, "products": _product}, _objects)
