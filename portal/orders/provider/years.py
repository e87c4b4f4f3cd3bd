"""The years of a customer's orders and invoices, and the time that one of them takes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.kernel.days import local_day, start_of_day

_EVER = date(1, 1, 2), date(9999, 12, 30)


def days_of(year: int) -> tuple[date, date]:
    """The first day of a year and that of the next; all time if the year is 0."""
    return (date(year, 1, 1), date(min(year + 1, 9999), 1, 1)) if year else _EVER


def moments_of(year: int) -> tuple[datetime, datetime]:
    """The first moment of a local year and that of the next; all time if the year is 0."""
    first, last = days_of(year)
    # The first midnight of all in Amsterdam is before the calendar in UTC.
    first = max(first, _EVER[0])
    return start_of_day(first), start_of_day(last)


async def years_of(session: AsyncSession, column: Any, own: Any) -> list[int]:
    """The years from the newest entry of a customer back to the oldest."""
    query: Any = select(func.min(column), func.max(column)).where(own)
    days = [local_day(value) if isinstance(value, datetime) else value for value in (await session.exec(query)).one()]
    return list(range(days[1].year, days[0].year - 1, -1)) if days[0] else []
