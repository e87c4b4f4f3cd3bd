"""Queries on deliveries: changes of the day, places left on a day, shipments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.kernel.address import Country
from portal.tables.deliveries import DateChangeRow, DeliveryDayRow, DeliveryEventRow
from portal.tables.orders import OrderRow, ShipmentLineRow, ShipmentRow
from portal.vocabulary.deliveries import PENDING, DateChangeStatus


async def full_days(session: AsyncSession, country: Country, days: Sequence[date], usual: int) -> set[date]:
    """The days of these on which no place is left.

    Args:
        session: of the database.
        country: whose days they are.
        days: of which to tell.
        usual: places on a day without a number of its own.
    """
    query = select(DeliveryDayRow).where(DeliveryDayRow.country_code == country, col(DeliveryDayRow.day).in_(days))
    known = {row.day: row.capacity - row.taken for row in await session.exec(query)}
    return {day for day in days if known.get(day, usual) <= 0}


async def without_places(session: AsyncSession, since: date) -> set[tuple[Country, date]]:
    """The days from one on, by country, on which the van is full."""
    query = select(DeliveryDayRow).where(
        col(DeliveryDayRow.day) >= since, col(DeliveryDayRow.capacity) <= col(DeliveryDayRow.taken)
    )
    return {(row.country_code, row.day) for row in await session.exec(query)}


async def take(session: AsyncSession, country: Country, day: date, usual: int) -> bool:
    """Take a place; whether there was one. In one statement, whoever else asks at the same moment."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    fresh = insert(DeliveryDayRow).values(country_code=country, day=day, capacity=usual, taken=0)
    await session.exec(fresh.on_conflict_do_nothing(index_elements=["country_code", "day"]))
    statement = (
        update(DeliveryDayRow)
        .where(
            col(DeliveryDayRow.country_code) == country,
            col(DeliveryDayRow.day) == day,
            col(DeliveryDayRow.taken) < col(DeliveryDayRow.capacity),
        )
        .values(taken=DeliveryDayRow.taken + 1)
    )
    return (await session.exec(statement)).rowcount == 1


async def give_back(session: AsyncSession, country: Country, day: date) -> None:
    """Leave a place to somebody else."""
    await session.exec(
        update(DeliveryDayRow)
        .where(
            col(DeliveryDayRow.country_code) == country, col(DeliveryDayRow.day) == day, col(DeliveryDayRow.taken) > 0
        )
        .values(taken=DeliveryDayRow.taken - 1)
    )


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
            await give_back(session, change.country_code, change.new_day)
        await move(session, change, DateChangeStatus.CANCELLED, holds_place=False, decided_at=now)


class ShipmentRepository:
    """The shipments of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def all(self, order: OrderRow) -> Sequence[ShipmentRow]:
        """The shipments of an order, in the order of their numbers."""
        query = select(ShipmentRow).where(col(ShipmentRow.order_id).in_(self._own(order))).order_by(col(ShipmentRow.id))
        return (await self._session.exec(query)).all()

    async def contents(self, order: OrderRow) -> dict[int, dict[int, int]]:
        """How many units of which line are in which shipment: by shipment, by line."""
        query = (
            select(ShipmentLineRow)
            .join(ShipmentRow, col(ShipmentRow.id) == ShipmentLineRow.shipment_id)
            .where(col(ShipmentRow.order_id).in_(self._own(order)))
        )
        found: dict[int, dict[int, int]] = defaultdict(dict)
        for row in await self._session.exec(query):
            found[row.shipment_id][row.order_line_id] = row.quantity
        return found

    async def events(self, order: OrderRow) -> Sequence[DeliveryEventRow]:
        """What happened, oldest first."""
        query = (
            select(DeliveryEventRow)
            .where(col(DeliveryEventRow.order_id).in_(self._own(order)))
            .order_by(col(DeliveryEventRow.happened_at), col(DeliveryEventRow.id))
        )
        return (await self._session.exec(query)).all()

    def _own(self, order: OrderRow) -> Any:
        """The key of the order, as long as it is the customer's."""
        return select(OrderRow.id).where(OrderRow.customer_id == self._customer_id, OrderRow.id == order.id)
