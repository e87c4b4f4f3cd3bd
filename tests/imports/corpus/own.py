"""Writes the corpus as files of one's own: records for JSON Lines, and rows for CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from tests.imports.corpus.orders import ARTICLES, ORDERS, PEOPLE, ZERO, Order, Parcel, Person

Values = dict[str, Any]


def orders(today: date) -> list[Values]:
    return [_order(order, today) for order in ORDERS if "o" in order.shops]


def customers() -> list[Values]:
    known = {order.person for order in ORDERS if "o" in order.shops}
    return [
        {
            "external_id": person.key,
            "first_name": person.first_name,
            "last_name": person.last_name,
            "email": person.email,
            "phone": person.phone,
            **_address(person),
        }
        for person in PEOPLE.values()
        if person.key in known
    ]


def products() -> list[Values]:
    return [
        {"external_id": sku, "sku": sku, "name": name, "kind": kind, "price": price, "stock": 5}
        for sku, (name, kind, price) in ARTICLES.items()
    ]


def rows(records: Iterable[Values]) -> list[dict[str, str]]:
    """The rows of a CSV file: the entries of a list stand below each other. What is in which parcel gets lost."""
    return [row for record in records for row in _rows(record)]


def _rows(record: Values) -> Iterator[dict[str, str]]:
    lists = {name: value for name, value in record.items() if isinstance(value, list)}
    flat = {name: value for name, value in record.items() if name not in lists}
    for place in range(max([1, *map(len, lists.values())])):
        row = dict(_cells("", flat)) if place == 0 else {"external_id": record["external_id"]}
        for name, entries in lists.items():
            if place < len(entries):
                row |= _cells(f"{name}.", {key: value for key, value in entries[place].items() if key != "lines"})
        yield row


def _cells(prefix: str, values: Values) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _cells(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", str(value)


def _address(person: Person) -> Values:
    names = ("street", "house_number", "house_number_addon", "post_code", "city", "country_code")
    return {name: getattr(person, name) for name in names}


def _moment(today: date, days: int, clock: time) -> str:
    return f"{datetime.combine(today - timedelta(days=days), clock).isoformat()}+00:00"


def _delivery(order: Order) -> str:
    if order.state in ("cancelled", "delivered"):
        return f"order_{order.state}"
    if order.state == "refunded":
        return "order_delivered"
    units = sum(item.quantity for item in order.lines)
    gone = sum(sum((parcel.contents or {0: units}).values()) for parcel in order.sent)
    return "handover_to_parcel_service" if gone >= units else "order_being_processed"


def _payment(order: Order) -> str:
    if order.refunded and order.refunded == order.received:
        return "refunded"
    if order.received >= order.total:
        return "paid"
    return "partly_paid" if order.received else "open"


def _order(order: Order, today: date) -> Values:
    person = PEOPLE[order.person]
    address = {"name": f"{person.first_name} {person.last_name}".strip(), **_address(person)}
    written: Values = {
        "external_id": str(order.number),
        "customer": person.key,
        "order_number": order.order_number,
        "country_code": person.country_code,
        "ordered_at": _moment(today, order.ordered, time(10)),
        "delivery_status": _delivery(order),
        "payment_status": _payment(order),
        "payment_method": order.method,
        "delivery_method": "parcel",
        "currency": order.currency,
        "adjustments": [{"name": name, "amount": str(amount)} for name, amount in order.fees.items()],
        "total": str(order.total),
        "discount": str(order.discount),
        "shipping_costs": str(order.shipping),
        "paid": str(order.received),
        "refunded": str(order.refunded),
        "lines": [
            {
                "name": item.name,
                "sku": item.sku,
                "kind": item.kind,
                "quantity": item.quantity,
                "unit_price": str((item.costs / item.quantity).quantize(ZERO)),
                "price": str(item.costs),
            }
            for item in order.lines
        ],
        "shipping_address": address,
        "shipments": [found for parcel in order.sent for found in _parcels(parcel, today)],
    }
    if order.number == 63:
        written["ordered_at"] = ""
    if order.number == 65:
        written["shipments"] = []
    return written


def _parcels(parcel: Parcel, today: date) -> list[Values]:
    return [
        {
            "carrier": "Kwiekpost",
            "tracking_code": code,
            "tracking_url": f"http{'s' * parcel.secure}://volg.kwiekpost.example/{code}" if code else "",
            "shipped_at": _moment(today, parcel.shipped, time(8)),
            "delivered_at": "" if parcel.delivered is None else _moment(today, parcel.delivered, time(13)),
            "lines": [{"position": place, "quantity": count} for place, count in (parcel.contents or {}).items()],
        }
        for code in parcel.codes or ("",)
    ]
