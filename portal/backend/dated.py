"""Prices that hold from a day on. A table of them has a row for each announced change.

Whoever reads such a table asks for a day and for a customer: a further shop of the installation may have prices of its
own, and where it has none, the common ones hold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import date
from typing import Any, Protocol, TypeVar

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.tables.customers import CustomerRow


class Dated(Protocol):
    """A row with the first local day on which it holds, and the shop that it belongs to; empty for all."""

    valid_from: date
    shop: str


RowT = TypeVar("RowT", bound=Dated)
KeyT = TypeVar("KeyT", bound=Hashable)


async def in_force(
    session: AsyncSession,
    table: type[RowT],
    day: date,
    key: Callable[[RowT], KeyT],
    *conditions: Any,
    customer_id: int,
) -> dict[KeyT, RowT]:
    """Return the rows that hold for a customer on a day, by key.

    Args:
        session: database session.
        table: a table with the columns `valid_from` and `shop`.
        day: the local day.
        key: what a row is about; of several rows the latest that has begun holds.
        *conditions: which rows are read.
        customer_id: a row of the customer's shop comes before a common one.
    """
    own = select(CustomerRow.source).where(CustomerRow.id == customer_id).scalar_subquery()
    query = select(table).where(col(table.valid_from) <= day, or_(col(table.shop) == "", col(table.shop) == own))
    # The common rows come first, so that a row of the shop replaces them.
    query = query.where(*conditions).order_by(col(table.shop), col(table.valid_from))
    return {key(row): row for row in await session.exec(query)}
