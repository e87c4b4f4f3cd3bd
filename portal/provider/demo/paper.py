"""Invoices of the demonstration: the parts of an order, cent for cent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from portal.provider.demo.days import Days
from portal.provider.demo.numbers import stable_id
from portal.provider.demo.plans import Invoicing, OrderPlan, Payment
from portal.provider.tables.columns import ZERO
from portal.provider.tables.invoices import InvoiceLineRow, InvoiceRow
from portal.provider.tables.orders import OrderLineRow, OrderRow
from portal.vocabulary.orders import InvoiceStatus

TERM = timedelta(days=14)
"""In which an invoice has to be paid."""


@dataclass(slots=True)
class BuiltInvoice:
    """An invoice with its lines."""

    row: InvoiceRow
    lines: list[InvoiceLineRow]


def invoices(plan: OrderPlan, order: OrderRow, lines: list[OrderLineRow], days: Days) -> list[BuiltInvoice]:
    """All invoices of an order, on the day of its first parcel. The first carries discount and costs."""
    if plan.invoicing is Invoicing.NOT_YET:
        return []
    parts = [lines] if plan.invoicing is Invoicing.ONCE or len(lines) == 1 else [lines[:1], lines[1:]]
    sent = max((parcel.shipped for parcel in plan.shipments), default=plan.placed)
    built = []
    # The first part that can carry the discount carries all that is not a line.
    carries = next(place for place, part in enumerate(parts) if _sum(part) >= order.discount)
    unpaid = {Payment.NOTHING: range(len(parts)), Payment.FIRST_INVOICE: range(1, len(parts))}.get(
        plan.payment, range(0)
    )
    for place, part in enumerate(parts):
        row = _invoice(order, place, part, days.ago(sent), carries=place == carries)
        row.paid = ZERO if place in unpaid else row.total
        row.status = _status(row, days.today, refunded=plan.payment is Payment.REFUNDED)
        built.append(BuiltInvoice(row, [_line(position, line) for position, line in enumerate(part, 1)]))
    return built


def _sum(lines: list[OrderLineRow]) -> Decimal:
    return sum((line.price for line in lines), ZERO)


def _invoice(order: OrderRow, place: int, lines: list[OrderLineRow], day: date, *, carries: bool) -> InvoiceRow:
    subtotal = _sum(lines)
    discount = order.discount if carries else ZERO
    shipping_costs = order.shipping_costs if carries else ZERO
    service_costs = order.service_costs if carries else ZERO
    insurance_costs = order.insurance_costs if carries else ZERO
    return InvoiceRow(
        public_id=stable_id("invoice", order.order_number, place),
        number=f"F{order.order_number}-{place + 1}",
        customer_id=0,
        order_id=0,
        invoice_date=day,
        expire_date=day + TERM,
        status=InvoiceStatus.OPEN,
        subtotal=subtotal,
        discount=discount,
        shipping_costs=shipping_costs,
        service_costs=service_costs,
        insurance_costs=insurance_costs,
        total=subtotal - discount + shipping_costs + service_costs + insurance_costs,
    )


def _status(row: InvoiceRow, today: date, *, refunded: bool) -> InvoiceStatus:
    if refunded:
        return InvoiceStatus.CANCELLED
    if row.paid == row.total:
        return InvoiceStatus.PAID
    return InvoiceStatus.OPEN if row.expire_date >= today else InvoiceStatus.UNPAID


def _line(position: int, line: OrderLineRow) -> InvoiceLineRow:
    return InvoiceLineRow(
        invoice_id=0,
        position=position,
        name=line.name,
        item_color=line.item_color,
        frame_size=line.frame_size,
        battery=line.battery,
        quantity=line.quantity,
        unit_price=line.unit_price,
        price=line.price,
    )
