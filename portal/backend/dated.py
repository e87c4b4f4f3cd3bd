"""Prices and numbers that hold from a day on. A table of them has a row for each announced change.

Whoever reads such a table asks for a day: today for a price that is shown or charged, the day of the delivery for its
places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import date
from typing import Any, Protocol, TypeVar

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession


class Dated(Protocol):
    """A row with the first local day on which it holds."""

    valid_from: date


RowT = TypeVar("RowT", bound=Dated)
KeyT = TypeVar("KeyT", bound=Hashable)


async def in_force(
    session: AsyncSession, table: type[RowT], day: date, key: Callable[[RowT], KeyT], *conditions: Any
) -> dict[KeyT, RowT]:
    """Return the rows that hold on a day, by key.

    Args:
        session: database session.
        table: a table with the column `valid_from`.
        day: the local day.
        key: what a row is about; of several rows the latest that has begun holds.
        *conditions: which rows are read.
    """
    query = select(table).where(col(table.valid_from) <= day, *conditions).order_by(col(table.valid_from))
    return {key(row): row for row in await session.exec(query)}
