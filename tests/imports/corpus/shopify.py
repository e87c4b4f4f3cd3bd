"""Writes the corpus as exports of Shopify's Admin GraphQL API: flat with `__parentId`, or nested in edges."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from tests.imports.corpus.orders import ARTICLES, NUMBERS, ORDERS, PEOPLE, Item, Order, Parcel, Person

Values = dict[str, Any]


def orders(today: date) -> list[Values]:
    """The orders, each with its lines in edges."""
    return [_order(order, today) for order in ORDERS if "s" in order.shops]


def customers() -> list[Values]:
    """Who ordered."""
    known = {order.person for order in ORDERS if "s" in order.shops}
    return [_customer(person) for person in PEOPLE.values() if person.key in known]


def products() -> list[Values]:
    """The articles, each with a variant in edges."""
    return [
        {
            "id": f"gid://shopify/Product/{900 + place}",
            "title": name,
            "status": "ACTIVE",
            "kind": None if kind == "accessory" else {"value": kind},
            "featuredMedia": None,
            "variants": {
                "edges": [
                    {
                        "node": {
                            "id": f"gid://shopify/ProductVariant/{950 + place}",
                            "sku": sku,
                            "price": price,
                            "inventoryQuantity": 5,
                            "selectedOptions": [{"name": "Title", "value": "Default Title"}],
                            "image": None,
                        }
                    }
                ]
            },
        }
        for place, (sku, (name, kind, price)) in enumerate(ARTICLES.items())
    ]


def flat(objects: list[Values]) -> list[Values]:
    """As a bulk operation writes them: connections of an object are lines of their own."""
    return [line for found in objects for line in _flat(found)]


def _flat(found: Values) -> Iterator[Values]:
    for parcel in found.get("fulfillments") or ():
        # A bulk operation does not go into a list.
        parcel.pop("fulfillmentLineItems", None)
    children = {name: value for name, value in found.items() if isinstance(value, dict) and "edges" in value}
    yield {name: value for name, value in found.items() if name not in children}
    for connection in children.values():
        yield from ({**edge["node"], "__parentId": found["id"]} for edge in connection["edges"])


def _customer(person: Person) -> Values:
    alone = person.key == "leeg"
    return {
        "id": f"gid://shopify/Customer/{7_001_000 + NUMBERS[person.key]}",
        "firstName": person.first_name or None,
        "lastName": person.last_name or None,
        "email": person.email,
        "phone": person.e164 if alone else None,
        "locale": "nl-NL",
        "defaultAddress": None if alone else {**_address(person), "phone": person.phone},
    }


def _address(person: Person) -> Values:
    name = " ".join(part for part in (person.first_name, person.last_name) if part)
    return {
        "name": name or person.company,
        "company": person.company or None,
        "address1": person.line1,
        "address2": person.line2 or None,
        "zip": person.post_code,
        "city": person.city,
        "countryCodeV2": person.country_code,
    }


def _moment(today: date, days: int, clock: time) -> str:
    return f"{datetime.combine(today - timedelta(days=days), clock).isoformat()}Z"


def _money(amount: Decimal, currency: str = "EUR") -> Values:
    text = f"{amount.normalize():f}"
    return {"shopMoney": {"amount": text if "." in text else f"{text}.0", "currencyCode": currency}}


def _financial(order: Order) -> str:
    if not order.received:
        return "VOIDED" if order.state == "cancelled" else "PAID" if not order.total else "PENDING"
    if order.refunded:
        return "REFUNDED" if order.refunded == order.received else "PARTIALLY_REFUNDED"
    return "PAID" if order.received >= order.total else "PARTIALLY_PAID"


def _fulfillment(order: Order) -> str:
    sent = [parcel for parcel in order.sent if parcel.status != "CANCELED"]
    if not sent:
        return "UNFULFILLED"
    # One of two was refunded before it was sent; nothing of the order is left to be sent.
    if order.number == 52 or any(parcel.contents is None for parcel in sent):
        return "FULFILLED"
    gone = sum(sum((parcel.contents or {}).values()) for parcel in sent)
    return "FULFILLED" if gone == sum(item.quantity for item in order.lines) else "PARTIALLY_FULFILLED"


def _order(order: Order, today: date) -> Values:
    address = _address(PEOPLE[order.person])
    return {
        "id": f"gid://shopify/Order/{6_240_000 + order.number}",
        "name": f"#{order.order_number}",
        "createdAt": _moment(today, order.ordered, time(10)),
        "processedAt": _moment(today, order.ordered, time(10)),
        "cancelledAt": _moment(today, order.at, time(9)) if order.state == "cancelled" else None,
        "displayFinancialStatus": _financial(order),
        "displayFulfillmentStatus": _fulfillment(order),
        "paymentGatewayNames": order.method.split(", "),
        "transactions": [
            {"kind": "SALE", "status": "SUCCESS", "paymentId": f"r{order.number}.1"}
            for _ in range(bool(order.received))
        ],
        "currencyCode": order.currency,
        "totalDiscountsSet": _money(order.discount, order.currency),
        "totalShippingPriceSet": _money(order.shipping, order.currency),
        "totalReceivedSet": _money(order.received, order.currency),
        "totalRefundedSet": _money(order.refunded, order.currency),
        "totalPriceSet": _money(order.total, order.currency),
        "shippingLine": {"code": "Standaard"},
        "customer": None if order.number == 95 else {"id": _customer(PEOPLE[order.person])["id"]},
        "shippingAddress": address,
        "billingAddress": address,
        "fulfillments": [_parcel(order, parcel, today) for parcel in order.sent],
        "lineItems": {"edges": [{"node": _line(order, place, item)} for place, item in enumerate(order.lines, 1)]},
    }


def _line_id(order: Order, place: int) -> str:
    return f"gid://shopify/LineItem/{15_100_000 + 10 * order.number + place}"


def _line(order: Order, place: int, item: Item) -> Values:
    gone = [parcel.contents or {place: item.quantity} for parcel in order.sent if parcel.status != "CANCELED"]
    sent = min(item.quantity, sum(contents.get(place, 0) for contents in gone))
    kind = None if item.kind == "accessory" or order.number == 83 else {"value": item.kind}
    return {
        "id": _line_id(order, place),
        "name": item.name,
        "sku": item.sku,
        "quantity": item.quantity,
        "currentQuantity": 1 if order.number == 52 else item.quantity,
        "unfulfilledQuantity": item.quantity - sent - (order.number == 52),
        "originalUnitPriceSet": _money(item.costs / item.quantity, order.currency),
        "product": {"id": f"gid://shopify/Product/{900 + list(ARTICLES).index(item.sku)}", "kind": kind},
    }


def _parcel(order: Order, parcel: Parcel, today: date) -> Values:
    scheme = "https" if parcel.secure else "http"
    inside = [
        {"node": {"quantity": quantity, "lineItem": {"id": _line_id(order, place)}}}
        for place, quantity in (parcel.contents or {}).items()
    ]
    return {
        "createdAt": _moment(today, parcel.shipped, time(8)),
        "deliveredAt": None if parcel.delivered is None else _moment(today, parcel.delivered, time(13)),
        "status": "CANCELLED" if parcel.status == "CANCELED" else "SUCCESS",
        "displayStatus": parcel.status,
        "trackingInfo": [
            {"company": "Kwiekpost", "number": code, "url": f"{scheme}://volg.kwiekpost.example/{code}"}
            for code in parcel.codes
        ],
        **({"fulfillmentLineItems": {"edges": inside}} if inside else {}),
    }
