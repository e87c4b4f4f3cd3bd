"""Bills and what comes back: what is set off, or goes over to a new item, lowers a bill without being a payment."""

from __future__ import annotations

from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.returns.settlement import Settlement
from portal.provider.tables.columns import ZERO
from portal.provider.tables.orders import OrderRow
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.orders import PaymentStatus


def credit(order: OrderRow, amount: Decimal) -> None:
    """Lower what is to be paid for an order."""
    order.settled += amount
    if order.payment_status in (PaymentStatus.OPEN, PaymentStatus.PARTLY_PAID):
        if order.paid + order.settled >= order.total:
            order.payment_status = PaymentStatus.PAID
        elif order.paid + order.settled > ZERO:
            order.payment_status = PaymentStatus.PARTLY_PAID


async def set_off(session: AsyncSession, row: ReturnRow) -> None:
    """Write down what a return that is closed now has paid of its orders instead of paying it out."""
    amounts = Settlement.from_json(row.settlement).set_off if row.settlement.get("lines") else {}
    query = select(OrderRow).where(OrderRow.customer_id == row.customer_id, col(OrderRow.order_number).in_(amounts))
    for order in (await session.exec(query.with_for_update())).all() if amounts else ():
        credit(order, amounts[order.order_number])
    await session.flush()
