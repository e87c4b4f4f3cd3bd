"""What the page of an order computes: links and addresses."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

from portal.kernel.address import Country
from portal.kernel.terms import RETURN_DAYS, WITHDRAWAL_DAYS
from portal.orders.api import NamedAddress, Order
from portal.overview.pages.order_views import shown_order
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


def test_the_billing_address_is_compared_with_the_shipping_address() -> None:
    assert shown_order(an_order(), []).same_address
    assert not shown_order(an_order(billing_address=HOME.model_copy(update={"house_number": "40"})), []).same_address
