"""Reads the export of Shopify's bulk operations: JSON Lines in which nested objects stand below their parent.

A line with `__parentId` belongs to the object with that id, somewhere above it. The answer of a query, with edges or
nodes, is read as well. Customers, orders and products are read; see `docs/connect.md` for the query to export. Source:
https://shopify.dev/docs/api/usage/bulk-operations/queries
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

from portal.imports.rules.adapting import Adapter, LeftOut, Table, Values, at, tabled
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import Reason
from portal.imports.rules.shopify_orders import contents, global_id, product_kind
from portal.vocabulary.exchange import Rejection

_CHILDREN = {"LineItem": "lineItems", "Fulfillment": "fulfillments", "ProductVariant": "variants"}


def _objects(_kind: str, lines: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """Join the lines of an export to objects with their children in lists, in the order of the file."""
    current: RawRecord | None = None
    for line in _grouped(lines):
        parent = line.values.get("__parentId")
        if line.error:
            yield line
        elif parent is None:
            if current:
                yield current
            current = line
        elif current is None or parent != current.values.get("id"):
            yield RawRecord(line.line, {}, Reason(Rejection.NO_PARENT), str(parent))
        else:
            name = _CHILDREN.get(_type(line.values), "others")
            current.values.setdefault(name, []).append(line.values)
    if current:
        yield current


def _grouped(lines: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """The lines with children right below their parent, as `groupObjects` writes them; others have them at the end."""
    with closing(sqlite3.connect("")) as database:  # a file of its own, as large as it has to be
        database.execute("CREATE TABLE lines (place INTEGER PRIMARY KEY, id, parent, line)")
        rows = ((str(line.values.get("id")), line.values.get("__parentId"), pickle.dumps(line)) for line in lines)
        database.executemany("INSERT INTO lines (id, parent, line) VALUES (?, CAST(? AS TEXT), ?)", rows)
        database.execute("CREATE INDEX ids ON lines (id)")
        for (line,) in database.execute(
            "SELECT line FROM lines ORDER BY ifnull((SELECT max(place) FROM lines above"
            " WHERE above.id = lines.parent AND above.place < lines.place), place), place"
        ):
            yield pickle.loads(line)  # noqa: S301 - written above


def _type(values: Values) -> str:
    """The type in a global id, such as 'LineItem' in 'gid://shopify/LineItem/1'."""
    parts = str(values.get("id", "")).split("/")
    return parts[-2] if len(parts) > 1 else ""


def _address(of: str) -> Table:
    # Shops in the Netherlands and Belgium write street and number in one line, and the addition in the next.
    return {
        "street": f"{of}.address1",
        "house_number_addon": f"{of}.address2",
        "post_code": f"{of}.zip",
        "city": f"{of}.city",
        "country_code": f"{of}.countryCodeV2 {of}.country_code",
    }


_CUSTOMER: Table = {
    "external_id": lambda values: global_id(values["id"]),
    "first_name": "firstName defaultAddress.firstName",
    "last_name": "lastName defaultAddress.lastName defaultAddress.company",
    "email": "email defaultEmailAddress.emailAddress",
    "phone": "phone defaultPhoneNumber.phoneNumber defaultAddress.phone",
    "locale": lambda values: "en" if str(at(values, "locale")).startswith("en") else "nl",
    **_address("defaultAddress"),
}


def _customer(values: Values) -> list[Values]:
    return [tabled(_CUSTOMER, values)]


def _shipping(values: Values) -> str:
    return "shippingAddress" if at(values, "shippingAddress") else "billingAddress"


_ORDER: Table = {
    "external_id": lambda values: global_id(values["id"]),
    # Nobody for a sale at the counter without a customer, which is rejected for that.
    "*": lambda values: {"customer": global_id(values["customer"]["id"])} if at(values, "customer") else {},
    "order_number": lambda values: values["name"].lstrip("#"),
    "country_code": lambda values: tabled(_address(_shipping(values)), values)["country_code"],
    "ordered_at": lambda values: values["createdAt"],
    "shipping_address": lambda values: tabled(_order_address(_shipping(values)), values),
    "billing_address": lambda values: (
        tabled(_order_address("billingAddress"), values) if at(values, "billingAddress") else None
    ),
}


def _order_address(of: str) -> Table:
    return {"name": f"{of}.name {of}.company", **_address(of)}


def _order(values: Values) -> list[Values]:
    return [{**tabled(_ORDER, values), **tabled({"*": contents}, values)}]


def _product(values: Values) -> list[Values]:
    if at(values, "status") == "DRAFT":
        raise LeftOut
    return [tabled(_VARIANT, {"of": values, **variant}) for variant in at(values, "variants") or ()]


_VARIANT: Table = {
    "external_id": lambda variant: global_id(variant["id"]),
    "sku": lambda variant: at(variant, "sku") or global_id(variant["id"]),
    "name": lambda variant: variant["of"]["title"],
    "kind": lambda variant: product_kind(variant["of"]) or "accessory",
    "item_color": lambda variant: _option(variant, {"color", "colour", "kleur"}),
    "frame_size": lambda variant: _option(variant, {"size", "frame size", "framemaat", "maat"}),
    "price": lambda variant: str(variant["price"]),
    "stock": lambda variant: max(0, int(at(variant, "inventoryQuantity") or 0)),
    "on_sale": lambda variant: at(variant, "of.status") == "ACTIVE",
    # The image of the variant, or else that of the product.
    "image": "image.url of.featuredMedia.preview.image.url",
}


def _option(variant: Values, names: set[str]) -> str:
    return next(
        (option["value"] for option in at(variant, "selectedOptions") or () if option["name"].lower() in names), ""
    )


SHOPIFY = Adapter({"customers": _customer, "orders": _order, "products": _product}, _objects)
