"""Writes the corpus as answers of WooCommerce's REST API, version 3."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tests.imports.corpus.orders import ARTICLES, NUMBERS, ORDERS, PEOPLE, ZERO, Item, Order, Person

Values = dict[str, Any]

_VAT = Decimal("1.21")
_EMPTY = dict.fromkeys(
    ("first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country", "state"), ""
)


def orders(today: date) -> list[Values]:
    """All orders that the shop answers, drafts among them."""
    return [_order(order, today) for order in ORDERS if "w" in order.shops]


def customers() -> list[Values]:
    """Those with an account."""
    return [
        {
            "id": 100 + NUMBERS[person.key],
            "email": person.email,
            "first_name": person.first_name,
            "last_name": person.last_name,
            "role": "customer",
            "username": person.key,
            "billing": _billing(person),
            "shipping": dict(_EMPTY),
            "is_paying_customer": True,
            "meta_data": [{"id": 1, "key": "locale", "value": "nl_NL"}],
        }
        for person in PEOPLE.values()
        if person.account
    ]


def products() -> list[Values]:
    """The articles. That of the bakery bike says its kind only here."""
    return [
        {
            "id": 900 + place,
            "name": name,
            "type": "simple",
            "status": "publish",
            "sku": sku,
            "price": price,
            "regular_price": price,
            "manage_stock": True,
            "stock_quantity": 5,
            "images": [],
            "meta_data": [] if kind == "accessory" else [{"id": 2, "key": "kind", "value": kind}],
        }
        for place, (sku, (name, kind, price)) in enumerate(ARTICLES.items())
    ]


def _billing(person: Person) -> Values:
    return {
        "first_name": person.first_name,
        "last_name": person.last_name,
        "company": person.company,
        "address_1": person.line1,
        "address_2": person.line2,
        "city": person.city,
        "postcode": person.post_code,
        "country": person.country_code,
        "state": "",
        "email": person.email,
        "phone": person.phone,
    }


def _moment(today: date, days: int, clock: time) -> str:
    return datetime.combine(today - timedelta(days=days), clock).isoformat()


def _net(gross: Decimal, places: str = "0.01") -> Decimal:
    return (gross / _VAT).quantize(Decimal(places), ROUND_HALF_UP)


def _status(order: Order) -> str:
    known = {"delivered": "completed", "open": "processing" if order.received else "on-hold"}
    return known.get(order.state, order.state)


def _order(order: Order, today: date) -> Values:
    person = PEOPLE[order.person]
    places = "0.000001" if order.number == 22 else "0.01"
    sold = [_line(order, place, item, places) for place, item in enumerate(order.lines, 1)]
    discount = _net(order.discount, places)
    shipping = _net(order.shipping, places)
    written: Values = {
        "id": 7000 + order.number,
        "parent_id": 0,
        "status": _status(order),
        "currency": order.currency,
        "version": "9.4.2",
        "prices_include_tax": True,
        "date_created_gmt": _moment(today, order.ordered, time(10)),
        "date_modified_gmt": _moment(today, order.at, time(11)),
        "discount_total": str(discount),
        "discount_tax": str(order.discount - discount),
        "shipping_total": str(shipping),
        "shipping_tax": str(order.shipping - shipping),
        "total": str(order.total),
        "total_tax": str(order.total - _net(order.total)),
        "customer_id": 100 + NUMBERS[person.key] if person.account else 0,
        "order_key": f"wc_order_{order.number}",
        "billing": _billing(person),
        "shipping": {**_EMPTY, "phone": ""},
        "payment_method": order.method,
        "payment_method_title": "iDEAL",
        "transaction_id": f"tr_{order.number}" if order.received else "",
        "date_paid_gmt": _moment(today, order.ordered, time(10, 1)) if order.paid is None else None,
        "date_completed_gmt": _moment(today, order.at, time(9)) if order.sent else None,
        "number": order.order_number,
        "meta_data": [],
        "line_items": sold,
        "tax_lines": [{"id": 1, "rate_code": "NL-BTW-21-1", "label": "BTW", "compound": False}],
        "shipping_lines": [
            {
                "id": 1,
                "method_title": "Verzending",
                "method_id": "flat_rate",
                "total": str(shipping),
                "total_tax": str(order.shipping - shipping),
                "meta_data": [],
            }
        ],
        "fee_lines": [
            {
                "id": place,
                "name": name,
                "tax_status": "taxable",
                "total": str(_net(amount)),
                "total_tax": str(amount - _net(amount)),
                "meta_data": [],
            }
            for place, (name, amount) in enumerate(order.fees.items(), 1)
        ],
        "coupon_lines": [{"id": 1, "code": "najaar", "discount": str(discount)}] if discount else [],
        "refunds": [
            {"id": 9000 + place, "reason": "", "total": f"-{amount}"} for place, amount in enumerate(order.refunds)
        ],
        "needs_payment": not order.received and order.state == "open",
        "currency_symbol": "€",
    }
    _TWISTS.get(order.number, lambda _written: None)(written)
    return written


def _line(order: Order, place: int, item: Item, places: str) -> Values:
    net = _net(item.costs, places)
    off = order.discount * item.costs / order.subtotal if order.subtotal else ZERO
    left = _net(item.costs - off, places)
    return {
        "id": 100 * order.number + place,
        "name": item.name,
        "product_id": 900 + list(ARTICLES).index(item.sku),
        "variation_id": 0,
        "quantity": item.quantity,
        "tax_class": "",
        "subtotal": str(net),
        "subtotal_tax": str(item.costs - net),
        "total": str(left),
        "total_tax": str((item.costs - off - left).quantize(Decimal(places))),
        "taxes": [{"id": 1, "total": "", "subtotal": ""}],
        "meta_data": [] if item.kind == "accessory" else [{"id": 7, "key": "kind", "value": item.kind}],
        "sku": item.sku,
        "price": float(left / item.quantity) if item.quantity else 0,
        "image": {"id": "", "src": ""},
        "parent_name": None,
    }


def _as_php(written: Values) -> None:
    """PHP writes an empty object as a list, and a list with gaps as an object."""
    written["shipping"] = []
    written["line_items"] = {str(line["id"]): line for line in written["line_items"]}
    for line in written["line_items"].values():
        line["meta_data"] = {str(entry["id"]): entry for entry in line["meta_data"]}


def _as_html(written: Values) -> None:
    written["line_items"][0]["name"] = "Fietstas &#8211; zwart &amp; grijs"
    written["billing"]["city"] = html.escape(written["billing"]["city"]).replace("’", "&#8217;")


def _without_plugins(written: Values) -> None:
    written.update(shipping_lines=[], fee_lines=None, refunds=None, payment_method="", coupon_lines=None)


def _number_in_meta(written: Values) -> None:
    written["meta_data"] = [
        {"id": 1, "key": "_billing_house_number", "value": "12"},
        {"id": 2, "key": "_billing_house_number_suffix", "value": "bis"},
    ]


def _first_line(**values: Any) -> Callable[[Values], None]:
    return lambda written: written["line_items"][0].update(values)


def _with(**values: Any) -> Callable[[Values], None]:
    return lambda written: written.update(values)


_TWISTS: dict[int, Callable[[Values], None]] = {
    35: _first_line(quantity="0.5"),
    59: _first_line(quantity="2"),
    60: _without_plugins,
    61: _with(date_completed_gmt=None),
    62: _with(date_paid_gmt=None, payment_method="cod"),
    63: _with(date_created_gmt=None),
    71: _as_php,
    72: _as_html,
    82: _number_in_meta,
    # The kind of this one is known to the product only.
    83: _first_line(meta_data=[]),
    90: lambda written: written["billing"].update(email="GIJS.gast@example.nl", address_1="Oude Weg 1"),
}
"""What a shop, a plugin or PHP does to the answer, by number of the order."""
