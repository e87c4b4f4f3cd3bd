"""Queries on what changed last."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.changes import ChangeRow, one_more
from portal.vocabulary.actions import Topic


class Mark(NamedTuple):
    """The revisions of some topics together, and when the last of them rose."""

    number: int
    changed_at: datetime | None


async def tell(session: AsyncSession, customer_id: int, topic: Topic, now: datetime) -> None:
    """Let pages of this customer know, in the transaction of the change."""
    await session.exec(one_more(session.get_bind().dialect.name, customer_id, topic, now))


async def mark(session: AsyncSession, customer_id: int, topics: Collection[Topic]) -> Mark:
    """How things stand for one customer."""
    query = select(func.coalesce(func.sum(ChangeRow.revision), 0), func.max(ChangeRow.changed_at)).where(
        ChangeRow.customer_id == customer_id, col(ChangeRow.topic).in_(topics)
    )
    number, changed_at = (await session.exec(query)).one()
    return Mark(int(number), changed_at)


async def revisions(session: AsyncSession, customers: Iterable[int]) -> dict[int, dict[Topic, int]]:
    """How things stand for many customers, in one statement."""
    query = select(ChangeRow.customer_id, ChangeRow.topic, ChangeRow.revision).where(
        col(ChangeRow.customer_id).in_(list(customers))
    )
    found: dict[int, dict[Topic, int]] = {}
    for customer_id, topic, revision in await session.exec(query):
        found.setdefault(customer_id, {})[Topic(topic)] = revision
    return found
