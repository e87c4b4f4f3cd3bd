"""Places on delivery days. The database counts, so that two customers never get the last one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.countries import Country
from portal.provider.tables.deliveries import DeliveryDayRow


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
