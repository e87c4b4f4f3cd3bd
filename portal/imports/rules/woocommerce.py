"""Reads what WooCommerce's REST API (version 3) answers: customers, orders and products as JSON.

Amounts of order lines are net of tax there, so tax is added. Who ordered without an account is no customer there: read
as customers, an answer with orders gives these. See `docs/connect.md` for the calls. Source:
https://woocommerce.github.io/woocommerce-rest-api-docs/
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import Reason, WrongFile, other_form
from portal.imports.rules.shopify import split_street
from portal.imports.rules.woocommerce_orders import contents, meta, product_kind
from portal.vocabulary.exchange import Rejection


def read_answers(path: Path) -> Iterator[RawRecord]:
    """Read one answer of the API, which is a list of objects.

    Raises:
        WrongFile: the file is not a list in JSON.
        OSError: the file cannot be read.
    """
    try:
        answer = json.loads(path.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise WrongFile(Reason(Rejection.NOT_UTF8), path.name) from None
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, list):
        raise WrongFile(Reason(Rejection.NOT_A_LIST_OF_ANSWERS), path.name)
    for place, values in enumerate(answer, 1):
        known = isinstance(values, dict)
        yield RawRecord(place, values if known else {}, None if known else Reason(Rejection.NOT_AN_OBJECT))


def records(kind: str, answers: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """Translate the objects of an answer into records of a kind.

    Raises:
        KeyError: WooCommerce does not answer this kind.
    """
    translate = TRANSLATIONS[kind]
    guests: dict[str, tuple[str, RawRecord]] = {}
    for found in answers:
        if found.error:
            yield found
            continue
        try:
            if kind != "customers" or "line_items" not in found.values:
                yield RawRecord(found.line, translate(found.values))
            elif not found.values["customer_id"]:
                ordered_at, guest = found.values["date_created_gmt"], _guest(found.values)
                if ordered_at >= guests.get(guest["external_id"], ("", None))[0]:
                    guests[guest["external_id"]] = ordered_at, RawRecord(found.line, guest)
        except (KeyError, TypeError, AttributeError, IndexError, ArithmeticError) as error:
            reason = other_form(error)
            yield RawRecord(found.line, {"external_id": str(found.values.get("id", ""))}, reason)
    # Somebody who ordered several times lives where the last order says.
    yield from (record for _, record in guests.values())


def _address(values: dict[str, Any]) -> dict[str, Any]:
    street, number, addon = split_street(str(values.get("address_1") or ""))
    return {
        "street": street,
        "house_number": number,
        "house_number_addon": " ".join(part for part in (addon, str(values.get("address_2") or "")) if part),
        "post_code": values.get("postcode") or "",
        "city": values.get("city") or "",
        "country_code": values.get("country") or "",
    }


def _customer(values: dict[str, Any]) -> dict[str, Any]:
    billing = values["billing"]
    return {
        "external_id": str(values["id"]),
        "first_name": values.get("first_name") or billing.get("first_name") or "",
        "last_name": values.get("last_name") or billing.get("last_name") or "",
        "email": values["email"],
        "phone": billing.get("phone") or "",
        "locale": "en" if meta(values, "locale", "nl").startswith("en") else "nl",
        **_address(billing),
    }


def _guest_id(values: dict[str, Any]) -> str:
    """The id of who ordered without an account. All orders with one e-mail address are of one customer."""
    return f"guest-{hashlib.sha256(values['billing']['email'].strip().lower().encode()).hexdigest()[:16]}"


def _guest(order: dict[str, Any]) -> dict[str, Any]:
    billing = order["billing"]
    return _customer({"id": _guest_id(order), "email": billing["email"], "billing": billing})


def _order(values: dict[str, Any]) -> dict[str, Any]:
    billing = values["billing"]
    shipping = values["shipping"] if values["shipping"].get("address_1") else billing
    return {
        "external_id": str(values["id"]),
        "customer": str(values["customer_id"] or _guest_id(values)),
        "order_number": str(values["number"]),
        "country_code": shipping["country"],
        "ordered_at": f"{values['date_created_gmt']}Z",
        **contents(values),
        "shipping_address": _order_address(shipping),
        "billing_address": _order_address(billing),
    }


def _order_address(values: dict[str, Any]) -> dict[str, Any]:
    name = " ".join(part for part in (values.get("first_name"), values.get("last_name")) if part)
    return {"name": name, **_address(values)}


def _product(values: dict[str, Any]) -> dict[str, Any]:
    return {
        "external_id": str(values["id"]),
        "sku": values.get("sku") or str(values["id"]),
        "name": values["name"],
        "kind": product_kind(values) or "accessory",
        "price": values["price"] or "0",
        "stock": max(0, int(values.get("stock_quantity") or 0)),
        "on_sale": values.get("status") == "publish",
        "image": (values.get("images") or [{}])[0].get("src") or "",
    }


TRANSLATIONS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "customers": _customer,
    "orders": _order,
    "products": _product,
}
"""Kinds that WooCommerce answers, each with the function that translates an object into a record."""
