"""Reads the export of Shopify's bulk operations: JSON Lines in which nested objects stand below their parent.

A line with `__parentId` belongs to the object with that id, which stands above it. The answer of a query, with edges or
nodes, is read as well. Customers, orders and products are read; see `docs/connect.md` for the query to export. Source:
https://shopify.dev/docs/api/usage/bulk-operations/queries
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from portal.imports.rules.adapting import Adapter, LeftOut, Table, at, kind_of, tabled
from portal.imports.rules.reading import RawRecord, Values
from portal.imports.rules.reasons import Reason
from portal.vocabulary.exchange import Rejection

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


def contents(values: Mapping[str, Any]) -> Values:
    """What was bought, paid and sent."""
    lines = [entry for entry in nodes(values["lineItems"]) if entry["quantity"] != 0]
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


def metafield(values: Mapping[str, Any], name: str, default: str = "") -> str:
    """The value of a metafield."""
    return str((values.get(name) or {}).get("value") or default)


def product_kind(values: Mapping[str, Any] | None) -> str:
    """The kind of a product: its metafield, else what its type, category and tags say; empty if nothing does."""
    product = values or {}
    category = (product.get("category") or {}).get("name")
    return metafield(product, "kind") or kind_of([product.get("productType"), category, *(product.get("tags") or ())])


def nodes(connection: Any) -> list[Any]:
    """The entries of a list or of a GraphQL connection, which has edges or nodes."""
    if isinstance(connection, Mapping):
        edges = connection.get("edges")
        return [edge["node"] for edge in edges] if edges is not None else list(connection.get("nodes") or ())
    return list(connection or ())


def _money(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return (values.get(name) or {}).get("shopMoney") or {}


def _amount(values: Mapping[str, Any], name: str) -> str:
    return str(_money(values, name).get("amount") or "0")


def _payment_reference(transactions: Iterable[Mapping[str, Any]]) -> str:
    """By which the payment provider finds the payment; empty if the export does not say."""
    paid = (entry for entry in transactions if entry.get("status") == "SUCCESS" and entry.get("kind") in _PAID_BY)
    return str(next((entry["paymentId"] for entry in paid if entry.get("paymentId")), ""))


def _line(values: Mapping[str, Any]) -> Values:
    quantity, left = values["quantity"], values.get("currentQuantity")
    return {
        "name": values["name"],
        "sku": values.get("sku") or global_id(values["id"]),
        "kind": product_kind(values.get("product")),
        "quantity": quantity,
        "unit_price": str(values["originalUnitPriceSet"]["shopMoney"]["amount"]),
        "returned": 0 if left is None else quantity - left,
    }


def _shipments(values: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> list[Values]:
    """The parcels of the fulfilments that were not cancelled, one for each tracking number."""
    positions = {entry["id"]: position for position, entry in enumerate(lines, 1)}
    entries = [
        entry
        for entry in nodes(values.get("fulfillments"))
        if entry.get("displayStatus") not in _NO_PARCEL and entry.get("status") not in _NO_PARCEL
    ]
    # Of fulfilments whose contents are not told, the last to arrive has everything: no period ends too early.
    last = ([entry for entry in entries if not entry.get("deliveredAt")] or entries)[-1:]
    found = []
    for entry in entries:
        numbers = entry.get("trackingInfo") or [{}]
        inside = [
            {"position": positions[item["lineItem"]["id"]], "quantity": item["quantity"]}
            for item in nodes(entry.get("fulfillmentLineItems"))
            if item["lineItem"]["id"] in positions
        ]
        if "fulfillmentLineItems" not in entry and entry in last:
            inside = _sent(lines)
        for place, tracking in enumerate(numbers):
            # Shopify does not say what is in which parcel of a fulfilment. They travel together.
            there = inside if place == 0 else [{**item, "quantity": 0} for item in inside]
            found.append({**_journey(entry, tracking), "lines": there})
    return found


def _sent(lines: Sequence[Mapping[str, Any]]) -> list[Values]:
    """What was sent in all, by which an export tells of the fulfilments that it does not go into."""
    if any("unfulfilledQuantity" not in entry for entry in lines):
        return []
    sent = [entry.get("currentQuantity", entry["quantity"]) - entry["unfulfilledQuantity"] for entry in lines]
    return [{"position": place, "quantity": count} for place, count in enumerate(sent, 1) if count > 0]


def _journey(values: Mapping[str, Any], tracking: Mapping[str, Any]) -> Values:
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


_CHILDREN = {"LineItem": "lineItems", "Fulfillment": "fulfillments", "ProductVariant": "variants"}


def _objects(_kind: str, lines: Iterable[RawRecord]) -> Iterator[RawRecord]:
    """Join the lines of an export to objects with their children in lists, in the order of the file."""
    current: RawRecord | None = None
    for line in lines:
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
