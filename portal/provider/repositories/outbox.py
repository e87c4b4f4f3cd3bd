"""Queries about the outbox."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.outbox import OutboxMail


async def get(session: AsyncSession, mail_id: int) -> OutboxMail | None:
    """One mail."""
    return (await session.exec(select(OutboxMail).where(OutboxMail.id == mail_id))).one_or_none()


async def close(session: AsyncSession, mail_id: int, *, sent_at: datetime | None, dropped_at: datetime | None) -> None:
    """Sent or dropped: what it said is erased."""
    await session.exec(
        update(OutboxMail)
        .where(col(OutboxMail.id) == mail_id)
        .values(sent_at=sent_at, dropped_at=dropped_at, details={}, sealed="")
    )
