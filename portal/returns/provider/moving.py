"""How a return goes on: one place that changes a status, with its history and what follows from it."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.context import Context
from portal.provider.repositories import changes, products
from portal.provider.repositories import returns as rows
from portal.provider.tables.returns import ReturnEventRow, ReturnRow
from portal.provider.text_messages import TextMessages
from portal.vocabulary.actions import Topic
from portal.vocabulary.returns import GIVES_BACK, ReturnStatus


def text_subject(row: ReturnRow) -> str:
    """What text messages about a return are filed under."""
    return f"return/{row.reference}"


async def enter(session: AsyncSession, row: ReturnRow, status: ReturnStatus, now: datetime, note: str = "") -> None:
    """Write a status down, with a line in the history; pages that show returns hear of it."""
    row.status, row.updated_at = status, now
    session.add(ReturnEventRow(return_id=row.id or 0, status=status, note=note, created_at=now))
    await session.flush()
    await changes.tell(session, row.customer_id, Topic.RETURNS, now)


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
        await rows.release(session, row, now)
        if row.product and row.product.get("id"):
            await products.put_back(session, str(row.product["id"]))


async def expire(context: Context, session: AsyncSession, customer_id: int | None = None) -> None:
    """Write down which returns were not confirmed in time; the database then lets others have their units."""
    for row in await rows.stale(session, context.clock(), customer_id):
        await move(context, session, row, ReturnStatus.EXPIRED)
