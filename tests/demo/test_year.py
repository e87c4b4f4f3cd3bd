"""Every story of the demonstration holds together on the days of a year.

The plans are built without a database, so that many days are checked. `test_stories` loads the shop on a few of them.
"""

import itertools
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest

from portal.deliveries.rules import is_working_day
from portal.demo.build import BuiltOrder, build_customer
from portal.demo.plans import CustomerPlan, Days
from portal.demo.shop import CUSTOMERS
from portal.demo.travelling import history
from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM, local_day
from portal.settings import Settings
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import ARRIVED, DELIVERIES, FINISHED_DELIVERY, DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus, PaymentStatus
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, names_day

YEAR = 2028
"""A leap year; nothing is delivered from Sunday 24 to Tuesday 26 December."""

SUNDAY = 6
COUNTRIES = (Country.NL, Country.BE)

SETTINGS = Settings()


def days_of(month: int) -> list[date]:
    """Every eighth day of a month, and all days near a public holiday."""
    first = date(YEAR, month, 1)
    days = [day for place in range(31) if (day := first + timedelta(days=place)).month == month]
    return [day for day in days if day.toordinal() % 8 == 0 or _near_a_holiday(day)]


def _near_a_holiday(day: date) -> bool:
    around = (day + timedelta(days=apart) for apart in range(-3, 4))
    return any(
        near.weekday() != SUNDAY and not is_working_day(near, country) for near in around for country in COUNTRIES
    )


def orders_on(day: date) -> list[list[BuiltOrder]]:
    """The orders of each customer."""
    days = Days(day, SETTINGS)
    return [build_customer(plan, days).orders for plan in CUSTOMERS]


@pytest.mark.parametrize("month", range(1, 13))
def test_every_order_holds_together_on_every_day(month: int) -> None:
    for day in days_of(month):
        for plan, orders in zip(CUSTOMERS, orders_on(day), strict=True):
            check_sequence(plan, orders, day, f"{plan.person.email} on {day}")
            for order in orders:
                name = f"{order.row.order_number} on {day}"
                check_dates(order, day, name)
                check_amounts(order, name)
                check_bikes(order, day, name)
                check_history(order, day, name)


def check_sequence(plan: CustomerPlan, orders: list[BuiltOrder], today: date, name: str) -> None:
    """Lists show the orders as they were placed, whatever holidays do to their parcels."""
    placed = {order.number: order.placed for order in plan.orders}
    newest_first = sorted(orders, key=lambda order: order.row.ordered_at, reverse=True)
    days = [placed[order.row.order_number] for order in newest_first]
    assert days == sorted(days), name
    if plan.person.email == "noor@example.com":
        shipped = orders[0].shipments[0].shipped_at
        assert shipped
        assert 101 <= (today - local_day(shipped)).days <= 105, "more than 100 days ago, whatever the season"


def check_dates(order: BuiltOrder, day: date, name: str) -> None:
    """Nothing happens before its order, in the future, or on a day without deliveries."""
    row, country = order.row, order.row.country_code
    ordered = local_day(row.ordered_at)
    assert ordered <= day, name
    for parcel in order.shipments:
        assert parcel.shipped_at, name
        left = local_day(parcel.shipped_at)
        assert ordered < left <= day, name
        assert is_working_day(left, country), f"{name}: left on {left:%A}"
        if parcel.delivered_at:
            arrived = local_day(parcel.delivered_at)
            assert left < arrived <= day, name
            assert is_working_day(arrived, country), f"{name}: arrived on {arrived:%A}"
    arrived_all = bool(order.shipments) and all(parcel.delivered_at for parcel in order.shipments)
    assert row.delivery_status not in ARRIVED or arrived_all, name
    if row.scheduled_day:
        assert row.scheduled_day > day, f"{name}: still planned for the past"
        assert is_working_day(row.scheduled_day, country), name
        assert row.delivery_status not in FINISHED_DELIVERY, name
        assert row.scheduled_from, name
        assert row.scheduled_from < row.scheduled_until, name


def check_amounts(order: BuiltOrder, name: str) -> None:
    """Lines, order, invoices and payments agree."""
    row = order.row
    assert row.subtotal == sum((line.price for line in order.lines), Decimal(0)), name
    added = row.shipping_costs + row.service_costs + row.insurance_costs
    assert row.total == row.subtotal - row.discount + added, name
    assert Decimal(0) <= row.paid <= row.total, name
    assert all(line.price == line.unit_price * line.quantity for line in order.lines), name
    assert (row.payment_status is PaymentStatus.OPEN) == (row.paid == 0), name
    assert (row.payment_status is PaymentStatus.PARTLY_PAID) == (0 < row.paid < row.total), name
    assert order.invoices or row.invoiced_at is None, name
    amounts = ("subtotal", "discount", "shipping_costs", "service_costs", "insurance_costs", "total", "paid")
    for amount in amounts if order.invoices else ():
        assert sum(getattr(invoice.row, amount) for invoice in order.invoices) == getattr(row, amount), (name, amount)
    for invoice in order.invoices:
        part = invoice.row
        assert local_day(row.ordered_at) <= part.invoice_date, name
        assert part.subtotal == sum(line.price for line in invoice.lines), name
        added = part.shipping_costs + part.service_costs + part.insurance_costs
        assert part.subtotal - part.discount + added == part.total > 0, name
        assert (part.status is InvoiceStatus.PAID) <= (part.paid == part.total), name


def check_bikes(order: BuiltOrder, day: date, name: str) -> None:
    """A bike is read, insured and served after it came; a day of work is ahead while the status names it."""
    for bike in order.bikes:
        begun = bike.row.delivered_on
        assert begun is None or begun <= day, name
        if bike.row.mileage_at:
            assert begun, name
            assert begun <= bike.row.mileage_at <= day, name
        for request in bike.requests:
            assert begun, name
            assert begun < local_day(request.row.created_at) <= day, name
            moments = [event.happened_at for event in request.events]
            assert all(request.row.created_at < moment for moment in moments), name
            assert all(local_day(moment) <= day for moment in moments), name
            assert moments == sorted(set(moments)), name
            planned = request.row.planned_date
            if planned:
                assert is_working_day(planned, order.row.country_code), f"{name}: appointment on {planned:%A}"
                assert (planned > day) == names_day(request.row.status, None), name
        still_open = [request for request in bike.requests if request.row.status not in CLOSED_WORK_ORDER]
        assert len(still_open) <= 1, name


def check_history(order: BuiltOrder, day: date, name: str) -> None:
    """The history goes along the graph, from the order to its status, at moments that follow each other."""
    status = order.row.delivery_status
    if status is None or not _has_history(order.row):
        return
    parcel = order.shipments[0] if order.shipments else None
    steps = list(history(order.row, status, parcel, Days(day, SETTINGS)))
    assert steps[-1][0] is status, name
    for (before, earlier), (after, later) in itertools.pairwise(steps):
        assert after in DELIVERIES.following(before), name
        assert earlier < later, f"{name}: {before} {earlier}, {after} {later}"
    assert steps[-1][1] < datetime.combine(day, datetime.min.time(), AMSTERDAM) + timedelta(days=1), name
    tried = {DeliveryStatus.ORDER_DELIVERED, DeliveryStatus.CUSTOMER_NOT_AT_HOME, DeliveryStatus.ORDER_REFUSED_AT_DOOR}
    for step, moment in steps:
        if step in tried:
            assert is_working_day(local_day(moment), order.row.country_code), f"{name}: {step} on {moment:%A}"


def _has_history(row: OrderRow) -> bool:
    return row.order_number.startswith(("90000007", "9000007")) and not row.order_number.startswith("90000072")
