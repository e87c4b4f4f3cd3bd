"""Views of the page of an order: amounts, links, preferred week, addresses, returns."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from portal.kernel.address import Country
from portal.kernel.terms import RETURN_DAYS, WITHDRAWAL_DAYS
from portal.orders.api import NamedAddress, Order, Shipment
from portal.overview.pages.order_views import order_view
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus

HOME = NamedAddress(
    name="Sanne Dijkstra", post_code="3512 PH", house_number="38", street="Lange Nieuwstraat", city="Utrecht",
    country_code=Country.NL,
)  # fmt: skip


def an_order(**values: object) -> Order:
    """Make an order with the given values."""
    amounts = dict.fromkeys(
        ("subtotal", "discount", "shipping_costs", "service_costs", "insurance_costs", "total", "paid", "due"),
        Decimal("0.00"),
    )
    plain = {
        "order_number": "900000001",
        "ordered_at": datetime(2026, 6, 1, 12, tzinfo=UTC),
        "order_date": date(2026, 6, 1),
        "invoiced_at": None,
        "delivery_status": None,
        "payment_status": PaymentStatus.PAID,
        "payment_method": "iDEAL",
        "delivery_method": "",
        "shipments": [],
        "lines": [],
        "shipping_address": HOME,
        "billing_address": HOME,
        "invoices": [],
        "return_days": RETURN_DAYS,
        "withdrawal_days": WITHDRAWAL_DAYS,
    }
    return Order.model_validate(amounts | plain | values)


def test_amounts_are_exact_decimal_texts() -> None:
    shown = order_view(an_order(subtotal="0.10", discount="0.20", total="1234567.89", due="0.30"))
    assert (shown.total, shown.due) == ("1234567.89", "0.30")
    assert [(step.key, step.amount) for step in shown.amounts] == [
        ("subtotal", "0.10"),
        ("discount", "-0.20"),
        ("shipping", "0.00"),
    ]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "http://carrier.example/1", "//evil.example", ""])
def test_only_an_https_address_becomes_a_link(address: str) -> None:
    parcel = Shipment(carrier="Kwiekpost", tracking_code="1", tracking_url=address)
    assert order_view(an_order(shipments=[parcel])).shipments[0].url == ""


@pytest.mark.parametrize(
    ("week", "shown"),
    [
        ("2026-W24", ("24", "2026-06-08")),
        ("2026-W53", ("53", "2026-12-28")),
        ("2025-W53", ("2025-W53", "")),
        ("half juni", ("half juni", "")),
        ("", ("", "")),
    ],
)
def test_the_preferred_week_has_its_monday(week: str, shown: tuple[str, str]) -> None:
    order = order_view(an_order(preferred_week=week))
    assert (order.preferred_week, order.preferred_from) == shown


def test_the_billing_address_is_compared_with_the_shipping_address() -> None:
    assert order_view(an_order()).same_address
    assert not order_view(an_order(billing_address=HOME.model_copy(update={"house_number": "40"}))).same_address


@pytest.mark.parametrize(
    ("status", "shipped", "expected"),
    [
        (DeliveryStatus.ORDER_DELIVERED, [(3, 1)], ("open", "2026-06-09")),
        (DeliveryStatus.ORDER_DELIVERED, [(2, 28)], ("over", "2026-06-08")),
        (DeliveryStatus.ORDER_DELIVERED, [(1, 5), (3, 1)], ("open", "2026-06-09")),
        (DeliveryStatus.ORDER_ASSEMBLED, [(1, 5), None], ("open", "2026-04-15")),
        (DeliveryStatus.ORDER_ASSEMBLED, [], ("not_shipped", "")),
        (DeliveryStatus.ORDER_PICKED_UP, [], ("open", "")),
        (None, [], ("open", "")),
        (DeliveryStatus.ORDER_CANCELLED, [(3, 1)], ("cancelled", "2026-06-09")),
    ],
)
def test_the_page_of_an_order_offers_a_return_only_while_one_is_possible(
    status: DeliveryStatus | None, shipped: list[tuple[int, int] | None], expected: tuple[str, str]
) -> None:
    moments = [datetime(2026, *day, 12, tzinfo=UTC) if day else None for day in shipped]
    parcels = [Shipment(carrier="Kwiekpost", shipped_at=moment) for moment in moments]
    shown = order_view(an_order(delivery_status=status, shipments=parcels), date(2026, 6, 9))
    assert (shown.returning, shown.return_until) == expected
