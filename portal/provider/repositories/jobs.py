"""Queries about jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import and_, col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.outbox import JobRow


def _due(kinds: Sequence[str], now: datetime, running: Collection[int]) -> ColumnElement[bool]:
    """Its time has come and nobody is at it."""
    free = or_(col(JobRow.leased_until).is_(None), col(JobRow.leased_until) <= now)
    return and_(col(JobRow.kind).in_(kinds), col(JobRow.due_at) <= now, free, col(JobRow.id).not_in(running))


async def is_due(session: AsyncSession, kinds: Sequence[str], now: datetime, running: Collection[int] = ()) -> bool:
    """Whether there is anything to do."""
    return (await session.exec(select(JobRow.id).where(_due(kinds, now, running)).limit(1))).first() is not None


async def take(
    session: AsyncSession,
    kinds: Sequence[str],
    now: datetime,
    until: datetime,
    most: int,
    lease: str,
    running: Collection[int] = (),
) -> list[JobRow]:
    """Take up to `most` jobs under a lease, the longest waiting first. No two workers get the same one.

    Those `running` in this process are left alone, also when a stall let their lease run out.
    PostgreSQL skips rows another worker holds; on SQLite the write lock of the transaction does the same.
    """
    query = select(JobRow).where(_due(kinds, now, running)).order_by(col(JobRow.due_at)).limit(most)
    jobs = list((await session.exec(query.with_for_update(skip_locked=True))).all())
    for job in jobs:
        job.lease, job.leased_until, job.tries = lease, until, job.tries + 1
    await session.flush()
    return jobs


def _mine(job: JobRow) -> ColumnElement[Any]:
    return and_(col(JobRow.id) == job.id, col(JobRow.lease) == job.lease)


async def renew(session: AsyncSession, job: JobRow, until: datetime) -> None:
    """Keep the job for longer."""
    await session.exec(update(JobRow).where(_mine(job)).values(leased_until=until))


async def put_off(session: AsyncSession, job: JobRow, due_at: datetime) -> None:
    """Try again later."""
    await session.exec(update(JobRow).where(_mine(job)).values(leased_until=None, due_at=due_at))


async def remove(session: AsyncSession, job: JobRow) -> None:
    """Done, or given up."""
    await session.exec(delete(JobRow).where(_mine(job)))
