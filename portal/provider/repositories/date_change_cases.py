"""Queries of the back office on wishes for another delivery day. They ask for no owner: it serves everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.customers import CustomerRow
from portal.provider.tables.deliveries import DateChangeRow
from portal.provider.tables.orders import OrderRow


class FoundChange(NamedTuple):
    """A wish for another day, with its order and customer."""

    change: DateChangeRow
    order: OrderRow
    customer: CustomerRow


async def locked_date_change(session: AsyncSession, reference: str) -> FoundChange:
    """One wish for another day; nobody else changes it until the end of the transaction. Raises NotFound."""
    query: Any = (
        select(DateChangeRow, OrderRow, CustomerRow)
        .join(OrderRow, col(OrderRow.id) == DateChangeRow.order_id)
        .join(CustomerRow, col(CustomerRow.id) == DateChangeRow.customer_id)
        .where(DateChangeRow.reference == reference)
        .with_for_update()
    )
    found = (await session.exec(query)).one_or_none()
    if found is None:
        raise NotFound
    return FoundChange(*found)


async def earlier_places(session: AsyncSession, change: DateChangeRow) -> Sequence[DateChangeRow]:
    """Earlier wishes for the same order that still hold a place."""
    query = select(DateChangeRow).where(
        DateChangeRow.order_id == change.order_id,
        DateChangeRow.id != change.id,
        col(DateChangeRow.holds_place).is_(True),
    )
    return (await session.exec(query)).all()
