"""The end of unsent drafts about bikes and orders that left their customer."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.departures import Departed
from portal.tables.drafts import DraftRow
from portal.tables.orders import OrderLineRow, OrderRow


async def remove_drafts(_context: Context, session: AsyncSession, departed: Departed) -> None:
    """Delete drafts about the bikes, about items of which none is left, and about an order of which nothing is."""
    subjects = {bike.public_id for bike in departed.bikes}
    whole = departed.order if departed.units is None else None
    lines = [bike.order_line_id for bike in departed.bikes if bike.order_line_id]
    query: Any = select(OrderLineRow, OrderRow.order_number).join(OrderRow, col(OrderRow.id) == OrderLineRow.order_id)
    own = col(OrderLineRow.order_id) == whole.id if whole else col(OrderLineRow.id).in_(lines)
    for line, number in (await session.exec(query.where(own))).all():
        if whole or line.quantity <= lines.count(line.id):
            subjects.add(f"{number}-{line.position}")
    if whole:
        subjects.add(whole.order_number)
    await session.exec(
        delete(DraftRow).where(
            col(DraftRow.customer_id) == departed.customer_id,
            col(DraftRow.subject).in_(subjects),
            col(DraftRow.sent_at).is_(None),
        )
    )
