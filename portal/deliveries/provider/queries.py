"""Queries on wishes for another delivery day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.repositories import delivery_days
from portal.provider.tables.deliveries import DateChangeRow
from portal.provider.tables.orders import OrderRow
from portal.vocabulary.deliveries import PENDING, DateChangeStatus


class DateChangeRepository:
    """The wishes of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def order(self, order_number: str) -> OrderRow | None:
        """An order of the customer; nobody else changes it until the end of the transaction."""
        query = select(OrderRow).where(OrderRow.customer_id == self._customer_id, OrderRow.order_number == order_number)
        return (await self._session.exec(query.with_for_update())).one_or_none()

    async def latest(self, order: OrderRow) -> DateChangeRow | None:
        """The last wish for an order."""
        query = (
            select(DateChangeRow)
            .where(DateChangeRow.customer_id == self._customer_id, DateChangeRow.order_id == order.id)
            .order_by(col(DateChangeRow.id).desc())
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def all(self, order: OrderRow) -> Sequence[DateChangeRow]:
        """Every wish for an order, oldest first."""
        query = (
            select(DateChangeRow)
            .where(DateChangeRow.customer_id == self._customer_id, DateChangeRow.order_id == order.id)
            .order_by(col(DateChangeRow.id))
        )
        return (await self._session.exec(query)).all()

    async def by_key(self, key: int) -> tuple[DateChangeRow, OrderRow] | None:
        """A wish by its primary key, with its order; nobody else changes either until the end of the transaction."""
        query = (
            select(DateChangeRow, OrderRow)
            .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
            .where(
                DateChangeRow.id == key,
                DateChangeRow.customer_id == self._customer_id,
                OrderRow.customer_id == self._customer_id,
            )
            .with_for_update()
        )
        return (await self._session.exec(query)).one_or_none()


async def move(session: AsyncSession, change: DateChangeRow, target: DateChangeStatus, **values: object) -> bool:
    """Give a wish another status, unless it has moved meanwhile. Whether it was done."""
    statement = (
        update(DateChangeRow)
        .where(col(DateChangeRow.id) == change.id, col(DateChangeRow.status) == change.status)
        .values(status=target, **values)
    )
    return (await session.exec(statement)).rowcount == 1


async def cancel_pending(session: AsyncSession, order: OrderRow, now: datetime) -> None:
    """What was asked for an order can no longer be done: give its places back."""
    query = select(DateChangeRow).where(
        DateChangeRow.order_id == order.id, col(DateChangeRow.status).in_(sorted(PENDING))
    )
    for change in (await session.exec(query)).all():
        if change.holds_place:
            await delivery_days.give_back(session, change.country_code, change.new_day)
        await move(session, change, DateChangeStatus.CANCELLED, holds_place=False, decided_at=now)
