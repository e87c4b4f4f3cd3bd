"""What is still to be paid for an order, and whether its amounts can be relied on."""

from decimal import Decimal
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col

from portal.tables.columns import ZERO
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import PaymentStatus

UNCLEAR: Any = or_(col(OrderRow.unexplained) != ZERO, col(OrderRow.refunded) > col(OrderRow.paid))
"""SQL: `adds_up` is false."""

OWED: Any = and_(
    col(OrderRow.delivery_status).is_distinct_from(DeliveryStatus.ORDER_CANCELLED),
    col(OrderRow.payment_status) != PaymentStatus.REFUNDED,
    ~UNCLEAR,
    col(OrderRow.total) > col(OrderRow.paid) + col(OrderRow.settled),
)
"""SQL: `open_amount` is more than zero."""

REFUNDED: Any = or_(
    col(OrderRow.payment_status) == PaymentStatus.REFUNDED,
    and_(col(OrderRow.paid) > ZERO, col(OrderRow.refunded) >= col(OrderRow.paid)),
)
"""SQL: `refunded_in_full`."""


def adds_up(order: OrderRow) -> bool:
    """Whether the amounts of the shop can be relied on. If not, nobody is asked for money, and a person decides."""
    return not order.unexplained and order.refunded <= order.paid


def refunded_in_full(order: OrderRow) -> bool:
    """Whether the shop paid back everything that was paid."""
    return order.payment_status is PaymentStatus.REFUNDED or ZERO < order.paid <= order.refunded


def unpaid(order: OrderRow) -> Decimal:
    """What was not paid, which a return is set off against; below zero if too much was paid."""
    if order.payment_status is PaymentStatus.REFUNDED or not adds_up(order):
        return ZERO
    return order.total - order.paid - order.settled


def open_amount(order: OrderRow) -> Decimal:
    """What is still to be paid: nothing once it was cancelled, or withdrawn before it was sent."""
    return ZERO if order.delivery_status is DeliveryStatus.ORDER_CANCELLED else unpaid(order)


def deductions(order: OrderRow) -> Decimal:
    """What the customer paid less than the price of the lines, not below zero."""
    less = [amount for entry in order.adjustments if (amount := Decimal(entry["amount"])) < 0]
    return order.discount - sum(less, ZERO) + max(-order.unexplained, ZERO)


def surcharges(order: OrderRow) -> Decimal:
    """What the customer paid besides the lines and the named costs."""
    return sum((amount for entry in order.adjustments if (amount := Decimal(entry["amount"])) > 0), ZERO)
