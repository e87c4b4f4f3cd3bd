"""Reads the export of Shopify's bulk operations: JSON Lines in which nested objects stand below their parent.

A line with `__parentId` belongs to the object with that id, which stands above it. Customers, orders and products are
read; see `docs/connect.md` for the query to export. Source: https://shopify.dev/docs/api/usage/bulk-operations/queries
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import Reason, other_form
from portal.imports.rules.shopify_orders import contents, global_id, product_kind
from portal.vocabulary.exchange import Rejection

_NUMBER = re.compile(r"[0-9]+")
_CHILDREN = {"LineItem": "lineItems", "Fulfillment": "fulfillments", "ProductVariant": "variants"}


def objects(records: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """Join the lines of an export to objects with their children in lists, in the order of the file."""
    current: RawRecord | None = None
    for record in records:
        parent = record.values.get("__parentId")
        if record.error:
            yield record
        elif parent is None:
            if current:
                yield current
            current = record
        elif current is None or parent != current.values.get("id"):
            yield RawRecord(record.line, {}, Reason(Rejection.NO_PARENT), str(parent))
        else:
            name = _CHILDREN.get(_type(record.values), "others")
            current.values.setdefault(name, []).append(record.values)
    if current:
        yield current


def _type(values: dict[str, Any]) -> str:
    """The type in a global id, such as 'LineItem' in 'gid://shopify/LineItem/1'."""
    parts = str(values.get("id", "")).split("/")
    return parts[-2] if len(parts) > 1 else ""


def records(kind: str, lines: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """Translate an export into records of a kind.

    Raises:
        KeyError: Shopify does not export this kind.
    """
    translate = TRANSLATIONS[kind]
    for found in objects(lines):
        if found.error:
            yield found
            continue
        try:
            translated = translate(found.values)
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
            reason = other_form(error)
            yield RawRecord(
                found.line, {"external_id": global_id(found.values.get("id"))}, reason, str(found.values)[:1000]
            )
            continue
        for record in translated:
            yield RawRecord(found.line, record)


def _address(values: dict[str, Any]) -> dict[str, Any]:
    # Shops in the Netherlands and Belgium write street and number in one line, and the addition in the next.
    street, number, addon = split_street(str(values.get("address1") or ""))
    return {
        "street": street,
        "house_number": number,
        "house_number_addon": " ".join(part for part in (addon, str(values.get("address2") or "")) if part),
        "post_code": str(values.get("zip") or ""),
        "city": str(values.get("city") or ""),
        "country_code": str(values.get("countryCodeV2") or values.get("country_code") or ""),
    }


def split_street(line: str) -> tuple[str, str, str]:
    """Split 'Oudegracht 38 A' or 'Veldstraat 82 bus 3' into street, number and addition.

    The number is empty if there is none.
    """
    words = line.split()
    for place in range(1, len(words)):
        number = _NUMBER.match(words[place])
        following = words[place + 1] if place + 1 < len(words) else ""
        # In 'Plein 1940 12' the first number is part of the name.
        if number and not following[:1].isdigit():
            rest = [words[place][number.end() :].lstrip("-/"), *words[place + 1 :]]
            return " ".join(words[:place]), number[0], " ".join(part for part in rest if part)
    return line, "", ""


def _customer(values: dict[str, Any]) -> list[dict[str, Any]]:
    address = _address(values["defaultAddress"] or {})
    return [
        {
            "external_id": global_id(values["id"]),
            "first_name": values.get("firstName") or "",
            "last_name": values.get("lastName") or "",
            "email": values["email"],
            "phone": values.get("phone") or (values["defaultAddress"] or {}).get("phone") or "",
            "locale": "en" if str(values.get("locale") or "nl").startswith("en") else "nl",
            **address,
        }
    ]


def _order(values: dict[str, Any]) -> list[dict[str, Any]]:
    address = values["shippingAddress"] or values["billingAddress"]
    billing = values.get("billingAddress")
    return [
        {
            "external_id": global_id(values["id"]),
            **_of_customer(values.get("customer")),
            "order_number": values["name"].lstrip("#"),
            "country_code": _address(address)["country_code"],
            "ordered_at": values["createdAt"],
            **contents(values),
            "shipping_address": {"name": address["name"], **_address(address)},
            "billing_address": {"name": billing["name"], **_address(billing)} if billing else None,
        }
    ]


def _of_customer(customer: dict[str, Any] | None) -> dict[str, str]:
    """Whose order it is; nothing for a sale at the counter without a customer, which is rejected for that."""
    return {"customer": global_id(customer["id"])} if customer else {}


def _product(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "external_id": global_id(variant["id"]),
            "sku": variant.get("sku") or global_id(variant["id"]),
            "name": values["title"],
            "kind": product_kind(values) or "accessory",
            "item_color": _option(variant, {"color", "colour", "kleur"}),
            "frame_size": _option(variant, {"size", "frame size", "framemaat", "maat"}),
            "price": str(variant["price"]),
            "stock": max(0, int(variant.get("inventoryQuantity") or 0)),
            "on_sale": values.get("status") == "ACTIVE",
            "image": _image(values, variant),
        }
        for variant in values.get("variants") or ()
    ]


def _image(product: dict[str, Any], variant: dict[str, Any]) -> str:
    """The image of the variant, or else that of the product."""
    media = ((product.get("featuredMedia") or {}).get("preview") or {}).get("image") or {}
    return str((variant.get("image") or {}).get("url") or media.get("url") or "")


def _option(variant: dict[str, Any], names: set[str]) -> str:
    return next(
        (option["value"] for option in variant.get("selectedOptions") or () if option["name"].lower() in names), ""
    )


TRANSLATIONS: dict[str, Callable[[dict[str, Any]], list[dict[str, Any]]]] = {
    "customers": _customer,
    "orders": _order,
    "products": _product,
}
"""Kinds that Shopify exports, each with the function that translates an object into records."""
