"""Reads what WooCommerce's REST API (version 3) answers: customers, orders and products as JSON.

Amounts of order lines are net of tax there, so tax is added. Who ordered without an account is no customer there: read
as customers, an answer with orders gives these. See `docs/connect.md` for the calls. Source:
https://woocommerce.github.io/woocommerce-rest-api-docs/
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from portal.imports.rules.adapting import Adapter, LeftOut, Table, at, tabled
from portal.imports.rules.reading import RawRecord, Values
from portal.imports.rules.woocommerce_orders import contents, meta, product_kind

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
