"""How a return goes on: one place that changes a status, with its history, bills and text messages."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import live
from portal.backend.context import Context
from portal.backend.text_messages import TextMessages, TextTemplate
from portal.kernel.days import AMSTERDAM
from portal.kernel.validation import in_groups
from portal.orders.provider.queries import put_back
from portal.returns.provider import queries
from portal.returns.rules.settlement import ComputedSettlement
from portal.tables.columns import ZERO
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnEventRow, ReturnRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import HOURS
from portal.vocabulary.orders import PaymentStatus
from portal.vocabulary.returns import GIVES_BACK, ReturnMethod, ReturnStatus


def text_subject(row: ReturnRow) -> str:
    """What text messages about a return are filed under."""
    return f"return/{row.reference}"


async def enter(session: AsyncSession, row: ReturnRow, status: ReturnStatus, now: datetime, note: str = "") -> None:
    """Write a status down, with a line in the history; pages that show returns hear of it."""
    row.status, row.updated_at = status, now
    session.add(ReturnEventRow(return_id=row.id or 0, status=status, note=note, created_at=now))
    await session.flush()
    await live.publish(session, row.customer_id, Topic.RETURNS, now)


async def move(context: Context, session: AsyncSession, row: ReturnRow, status: ReturnStatus, note: str = "") -> None:
    """Move a return that is held by the transaction; the graph was asked before.

    What is rejected, cancelled or not confirmed gives its units back, and the article that was promised for it. A text
    message about its pick-up does not leave then, nor when it has arrived already.
    """
    now = context.clock()
    await enter(session, row, status, now, note)
    if status in GIVES_BACK or status is ReturnStatus.RECEIVED:
        await TextMessages(context).call_off(session, text_subject(row), row.customer_id)
    if status in GIVES_BACK:
        await queries.release(session, row, now)
        if row.product and row.product.get("id"):
            await put_back(session, str(row.product["id"]))


async def expire(context: Context, session: AsyncSession, customer_id: int | None = None) -> None:
    """Write down which returns were not confirmed in time; the database then lets others have their units."""
    for row in await queries.stale(session, context.clock(), customer_id):
        await move(context, session, row, ReturnStatus.EXPIRED)


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
    amounts = ComputedSettlement.from_json(row.settlement).set_off if row.settlement.get("lines") else {}
    query = select(OrderRow).where(OrderRow.customer_id == row.customer_id, col(OrderRow.order_number).in_(amounts))
    for order in (await session.exec(query.with_for_update())).all() if amounts else ():
        credit(order, amounts[order.order_number])
    await session.flush()


TEXT_AT = time(12)
"""Local time of the text message on the day before."""


async def plan_text(context: Context, session: AsyncSession, row: ReturnRow, locale: Any) -> None:
    """Have a text message sent the day before the pick-up."""
    if row.method is not ReturnMethod.PICK_UP or row.pickup_day is None or row.pickup_window is None or not row.phone:
        return
    start, end = HOURS[row.pickup_window]
    await TextMessages(context).plan(
        session,
        TextTemplate.PICKUP_TOMORROW,
        phone=row.phone,
        locale=locale,
        subject=text_subject(row),
        due_at=_day_before(row.pickup_day),
        customer_id=row.customer_id,
        details={"from": f"{start:%H:%M}", "until": f"{end:%H:%M}", "reference": in_groups(row.reference)},
    )


def _day_before(day: date) -> datetime:
    return datetime.combine(day - timedelta(days=1), TEXT_AT, AMSTERDAM).astimezone(UTC)
