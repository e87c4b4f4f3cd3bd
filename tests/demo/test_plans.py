"""The demonstration shop: consistent, repeatable, never old."""

from dataclasses import asdict
from datetime import date
from functools import lru_cache
from typing import Any

import phonenumbers

from portal.demo.build import BuiltCustomer, BuiltOrder, build_customer
from portal.demo.partners import partners
from portal.demo.plans import Days, luhn_digit
from portal.demo.shop import CUSTOMERS
from portal.kernel import validation
from portal.kernel.address import Country
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus

NINE = {
    "900000001": "sanne@example.com",
    "900000002": "joris@example.com",
    "900000003": "amber@example.com",
    "900000004": "pieter@example.org",
    "900000005": "noor@example.com",
    "900000006": "lease@example.com",
    "900000007": "lars@example.net",
    "900000008": "eva@example.com",
    "900000009": "max@example.com",
}


def _built(day: date) -> list[BuiltCustomer]:
    days = Days(day)
    return [build_customer(plan, days) for plan in CUSTOMERS]


_shop = lru_cache(maxsize=2)(_built)
"""The same, for tests that only look at it."""


def _orders(day: date) -> list[BuiltOrder]:
    return [order for customer in _shop(day) for order in customer.orders]


def test_the_nine_customers_are_there() -> None:
    found = {
        order.row.order_number: customer.row.email for customer in _shop(date(2026, 5, 1)) for order in customer.orders
    }
    assert NINE.items() <= found.items()
    assert found["900000013"] == "amber@example.com"


def test_max_has_25_orders_40_invoices_3_bikes() -> None:
    (customer,) = [customer for customer in _shop(date(2026, 5, 1)) if customer.row.email == "max@example.com"]
    assert len(customer.orders) == 25
    assert sum(len(order.invoices) for order in customer.orders) == 40
    assert sum(len(order.bikes) for order in customer.orders) == 3


def test_every_status_is_shown_by_somebody() -> None:
    rows = [order.row for order in _orders(date(2026, 5, 1))]
    assert {row.delivery_status for row in rows} == set(DeliveryStatus) - {DeliveryStatus.UNKNOWN}
    assert {row.payment_status for row in rows} >= set(PaymentStatus) - {"unknown"}


def test_the_same_day_gives_the_same_shop() -> None:
    day = date(2026, 5, 1)
    assert [asdict(customer) for customer in _built(day)] == [asdict(customer) for customer in _built(day)]


def test_ids_do_not_depend_on_the_day() -> None:
    def ids(day: date) -> list[str]:
        return [
            name
            for order in _orders(day)
            for name in (
                order.row.order_number,
                *(invoice.row.public_id for invoice in order.invoices),
                *(bike.row.public_id for bike in order.bikes),
                *(request.row.reference for bike in order.bikes for request in bike.requests),
            )
        ]

    first = ids(date(2026, 5, 1))
    assert first == ids(date(2028, 2, 29))
    assert len(first) == len(set(first))


def test_people_have_addresses_and_phones_that_validate() -> None:
    for customer in _shop(date(2026, 5, 1)):
        row = customer.row
        country = Country(row.country_code)
        assert validation.postcode(row.post_code, country) == row.post_code
        assert validation.house_number(row.house_number) == row.house_number
        assert validation.email(row.email) == row.email
        assert row.email.rpartition("@")[2] in {"example.com", "example.org", "example.net"}
        assert not row.phone or validation.phone(row.phone, country) == row.phone


def test_partners_have_phones_that_validate() -> None:
    for partner in partners(Days(date(2026, 5, 1))).values():
        assert phonenumbers.is_valid_number(phonenumbers.parse(partner.phone))
        assert validation.postcode(partner.post_code, Country(partner.country_code)) == partner.post_code


def test_numbers_of_bikes_have_the_forms_of_real_ones() -> None:
    bikes = [bike.row for order in _orders(date(2026, 5, 1)) for bike in order.bikes]
    known = [bike for bike in bikes if bike.frame_number]
    assert 0 < len(known) < len(bikes)
    assert len({bike.frame_number for bike in known}) == len(known)
    for bike in known:
        assert validation.frame_number(bike.frame_number or "") == bike.frame_number
    tracked = [bike.imei_number for bike in bikes if bike.imei_number]
    assert 0 < len(tracked) < len(bikes)
    for imei in tracked:
        assert len(imei) == 15
        assert luhn_digit(imei[:-1]) == imei[-1]


def test_the_check_digit_is_that_of_a_known_number() -> None:
    assert luhn_digit("49015420323751") == "8"


def _have(rows: list[Any], name: str) -> tuple[int, int]:
    filled = sum(bool(getattr(row, name)) for row in rows)
    return filled, len(rows) - filled


def test_what_an_order_and_a_bike_can_have_is_there_and_missing() -> None:
    orders = _orders(date(2026, 5, 1))
    _check_filled(
        [order.row for order in orders],
        "invoiced_at preferred_week scheduled_day service_package insurance discount shipping_costs service_costs "
        "insurance_costs features paid",
    )
    _check_filled(
        [bike.row for order in orders for bike in order.bikes],
        "frame_number engine_brand battery_number imei_number key_number_1 key_number_3 service_card service_package "
        "insurance policy_number mileage pin_code",
    )


def _check_filled(rows: list[Any], names: str) -> None:
    for name in names.split():
        assert {bool(getattr(row, name)) for row in rows} == {True, False}, name
