"""Records of a small shop, as a shop would send them."""

from typing import Any

from portal.imports.rules.reading import RawRecord

ADDRESS: dict[str, Any] = {
    "street": "Kade",
    "house_number": "38",
    "house_number_addon": "2 hoog",
    "post_code": "3511 AB",
    "city": "Utrecht",
    "country_code": "NL",
}


def customer(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A customer."""
    return {
        "external_id": f"c{number}",
        "first_name": "Noor",
        "last_name": f"Jansen {number}",
        "email": f"noor{number}@example.com",
        "phone": "06 12345678",
        **ADDRESS,
        **changes,
    }


def order(number: int = 1, customer_number: int = 1, **changes: Any) -> dict[str, Any]:
    """An order of a bike and two locks, sent in one parcel each."""
    return {
        "external_id": f"o{number}",
        "customer": f"c{customer_number}",
        "order_number": f"{870000000 + number}",
        "country_code": "NL",
        "ordered_at": "2026-03-01T10:00:00+01:00",
        "delivery_status": "order_being_processed",
        "payment_status": "paid",
        "payment_method": "ideal",
        "delivery_method": "parcel",
        "paid": "1049.90",
        "lines": [
            {"name": "Kuststreek", "sku": "KS-1", "kind": "city_bike", "unit_price": "999.00"},
            {"name": "Lock", "sku": "L-1", "kind": "accessory", "quantity": 2, "unit_price": "25.45"},
        ],
        "shipping_address": {"name": "Noor Jansen", **ADDRESS},
        "shipments": [
            {"carrier": "Kwiekpost", "lines": [{"position": 1}]},
            {"carrier": "Kwiekpost", "lines": [{"position": 2, "quantity": 2}]},
        ],
        **changes,
    }


def bike(number: int = 1, order_number: int = 1, **changes: Any) -> dict[str, Any]:
    """The bike of an order."""
    return {
        "external_id": f"b{number}",
        "order": f"o{order_number}",
        "position": 1,
        "name": "Kuststreek",
        "brand": "Bovenbuis",
        "kind": "city_bike",
        "frame_number": f"BB{1000000 + number}",
        **changes,
    }


def raw(*records: dict[str, Any]) -> list[RawRecord]:
    """Records as they are read from a file, one a line."""
    return [RawRecord(line, record) for line, record in enumerate(records, 1)]
