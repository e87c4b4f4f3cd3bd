"""The demonstration shop: consistent, repeatable, never old."""

from datetime import date
from functools import lru_cache

from portal.demo.build import BuiltCustomer, BuiltOrder, build_customer
from portal.demo.plans import Days, luhn_digit
from portal.demo.shop import CUSTOMERS
from portal.kernel import validation
from portal.kernel.address import Country


def _built(day: date) -> list[BuiltCustomer]:
    days = Days(day)
    return [build_customer(plan, days) for plan in CUSTOMERS]


_shop = lru_cache(maxsize=2)(_built)
"""The same, for tests that only look at it."""


def _orders(day: date) -> list[BuiltOrder]:
    return [order for customer in _shop(day) for order in customer.orders]


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
