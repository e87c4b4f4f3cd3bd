"""The demonstration shop: consistent, repeatable, never old."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

import holidays
import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.demo.build import BuiltCustomer, BuiltOrder, build_customer, build_order
from portal.demo.many import generated
from portal.demo.partners import partners
from portal.demo.plans import EVA, Days, luhn_digit
from portal.demo.shop import CUSTOMERS
from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM, local_day
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus, PaymentStatus

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

ANY_DAY = st.dates(date(2025, 1, 1), date(2030, 12, 31))
_A_FEW_DAYS = settings(max_examples=15)
"""Each of them builds the whole shop; other runs try other days."""


def _built(day: date) -> list[BuiltCustomer]:
    days = Days(day)
    return [build_customer(plan, days) for plan in CUSTOMERS]


_shop = lru_cache(maxsize=2)(_built)
"""The same, for tests that only look at it."""


def _orders(day: date) -> list[BuiltOrder]:
    return [order for customer in _shop(day) for order in customer.orders]


def _dumped(customers: list[BuiltCustomer]) -> str:
    return str([asdict(customer) for customer in customers])


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


def test_every_delivery_status_is_shown_by_somebody() -> None:
    shown = {order.row.delivery_status for order in _orders(date(2026, 5, 1))}
    assert shown == set(DeliveryStatus) - {DeliveryStatus.UNKNOWN}


def test_every_payment_status_is_shown_by_somebody() -> None:
    assert {order.row.payment_status for order in _orders(date(2026, 5, 1))} >= set(PaymentStatus) - {"unknown"}


def _check_amounts(order: BuiltOrder) -> None:
    row = order.row
    costs = row.shipping_costs + row.service_costs + row.insurance_costs
    assert row.subtotal == sum(line.price for line in order.lines)
    assert all(line.price == line.unit_price * line.quantity for line in order.lines)
    assert row.subtotal - row.discount + costs == row.total
    assert Decimal(0) <= row.paid <= row.total
    assert (row.payment_status is PaymentStatus.OPEN) == (row.paid == 0)
    assert (row.payment_status is PaymentStatus.PARTLY_PAID) == (0 < row.paid < row.total)
    if not order.invoices:
        assert row.invoiced_at is None
        return
    for amount in ("subtotal", "discount", "shipping_costs", "service_costs", "insurance_costs", "total", "paid"):
        assert sum(getattr(invoice.row, amount) for invoice in order.invoices) == getattr(row, amount), amount
    for invoice in order.invoices:
        part = invoice.row
        extra = part.shipping_costs + part.service_costs + part.insurance_costs
        assert part.subtotal == sum(line.price for line in invoice.lines)
        assert part.subtotal - part.discount + extra == part.total > 0
        assert (part.status is InvoiceStatus.PAID) <= (part.paid == part.total)


@_A_FEW_DAYS
@given(ANY_DAY)
def test_on_any_day_amounts_add_up_and_nothing_is_planned_in_the_past_or_has_happened_in_the_future(day: date) -> None:
    orders = _orders(day)
    for order in orders:
        _check_amounts(order)
    _check_plans(orders, day)
    _check_moments(orders, day)
    _check_noor(orders, day)


@given(st.text(min_size=1, max_size=20))
def test_generated_orders_add_up_too(name: str) -> None:
    for place, plan in enumerate(generated(name, 12)):
        _check_amounts(build_order(plan, EVA, Days(date(2026, 5, 1))))
        assert plan.placed == 1 + 2 * place


def _check_plans(orders: list[BuiltOrder], day: date) -> None:
    """No delivery is planned in the past, on a Sunday or on a holiday."""
    planned = [order.row for order in orders if order.row.scheduled_day]
    assert len(planned) >= 4
    for row in planned:
        assert row.scheduled_day
        assert row.scheduled_day > day
        assert row.scheduled_day.isoweekday() != 7
        assert row.scheduled_day not in holidays.country_holidays(row.country_code.value)


def _check_moments(orders: list[BuiltOrder], day: date) -> None:
    """Nothing has happened in the future, or before its order."""
    end = datetime.combine(day + timedelta(days=1), datetime.min.time(), AMSTERDAM).astimezone(UTC)
    for order in orders:
        assert order.row.ordered_at < end
        for parcel in order.shipments:
            assert parcel.shipped_at
            assert order.row.ordered_at < parcel.shipped_at < end
            assert parcel.delivered_at is None or parcel.shipped_at < parcel.delivered_at < end
        for invoice in order.invoices:
            assert local_day(order.row.ordered_at) <= invoice.row.invoice_date <= day
        for bike in order.bikes:
            for request in bike.requests:
                assert order.row.ordered_at < request.row.created_at < end


def _check_noor(orders: list[BuiltOrder], day: date) -> None:
    """Noor was shipped more than 100 days ago, whatever the season."""
    (order,) = [order for order in orders if order.row.order_number == "900000005"]
    assert order.shipments[0].shipped_at
    assert 101 <= (day - local_day(order.shipments[0].shipped_at)).days <= 105, "shops ship on working days only"


def test_the_same_day_gives_the_same_shop() -> None:
    assert _dumped(_built(date(2026, 5, 1))) == _dumped(_built(date(2026, 5, 1)))


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


@pytest.mark.parametrize(
    "name",
    [
        "invoiced_at", "preferred_week", "scheduled_day", "service_package", "insurance", "discount", "shipping_costs",
        "service_costs", "insurance_costs", "features", "paid",
    ],
)  # fmt: skip
def test_what_an_order_can_have_is_there_and_missing(name: str) -> None:
    assert min(_have([order.row for order in _orders(date(2026, 5, 1))], name)) > 0


@pytest.mark.parametrize(
    "name",
    [
        "frame_number", "engine_brand", "battery_number", "imei_number", "key_number_1", "key_number_3", "service_card",
        "service_package", "insurance", "policy_number", "mileage", "pin_code",
    ],
)  # fmt: skip
def test_what_a_bike_can_have_is_there_and_missing(name: str) -> None:
    assert min(_have([bike.row for order in _orders(date(2026, 5, 1)) for bike in order.bikes], name)) > 0
