"""Queries on requests that are being filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, tuple_, update
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.drafts import DraftRow

_ITEMS = "items"
_TABLE: Any = DraftRow.__table__  # pyright: ignore[reportAttributeAccessIssue] - set by SQLModel


class DraftRepository:
    """The drafts of one customer. What has expired is not there any more."""

    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._customer_id = customer_id
        self._now = now

    async def get(self, public_id: str, *, lock: bool = False) -> DraftRow:
        """One draft, sent or not.

        Args:
            public_id: of the draft.
            lock: let nobody else change it until the end of the transaction.

        Raises:
            NotFound: there is none with this id, or it is somebody else's.
        """
        query = self._own().where(DraftRow.public_id == public_id)
        row = (await self._session.exec(query.with_for_update() if lock else query)).one_or_none()
        if row is None:
            raise NotFound
        return row

    async def expired(self, public_id: str) -> str:
        """Name of the flow of a draft that was left alone too long and is still in its place; empty when none is."""
        query = select(DraftRow.flow).where(
            DraftRow.customer_id == self._customer_id,
            DraftRow.public_id == public_id,
            col(DraftRow.sent_at).is_(None),
            col(DraftRow.expires_at) <= self._now,
        )
        return (await self._session.exec(query)).one_or_none() or ""

    async def open(self, flow: str, subject: str) -> DraftRow | None:
        """The draft that was begun in this flow for this subject."""
        query = self._own().where(DraftRow.flow == flow, DraftRow.subject == subject, col(DraftRow.sent_at).is_(None))
        return (await self._session.exec(query)).one_or_none()

    async def unsent(self, flow: str | None = None) -> list[tuple[DraftRow, str]]:
        """What was begun and not sent, with the name of the bike or item it is about; the last one first."""
        query = (
            select(DraftRow, BikeRow.name)
            .outerjoin(
                BikeRow,
                (col(BikeRow.public_id) == DraftRow.subject) & (col(BikeRow.customer_id) == self._customer_id),
            )
            .where(
                DraftRow.customer_id == self._customer_id,
                col(DraftRow.expires_at) > self._now,
                col(DraftRow.sent_at).is_(None),
            )
            .order_by(col(DraftRow.updated_at).desc(), col(DraftRow.id).desc())
        )
        rows = await self._session.exec(query if flow is None else query.where(DraftRow.flow == flow))
        return [(row, name or _item_name(row)) for row, name in rows]

    async def last_sent(self, flow: str) -> DraftRow | None:
        """The draft of this flow that was sent last."""
        query = self._own().where(DraftRow.flow == flow, col(DraftRow.sent_at).is_not(None))
        return (await self._session.exec(query.order_by(col(DraftRow.sent_at).desc()).limit(1))).one_or_none()

    async def remove(self, *, public_id: str) -> bool:
        """Delete a draft that was not sent; whether there was one."""
        statement = delete(DraftRow).where(
            col(DraftRow.customer_id) == self._customer_id,
            col(DraftRow.public_id) == public_id,
            col(DraftRow.sent_at).is_(None),
        )
        return bool((await self._session.exec(statement)).rowcount)

    async def make_room(self, flow: str, subject: str) -> None:
        """Delete what has expired in this place; it would be in the way of another draft."""
        await self._session.exec(
            delete(DraftRow).where(
                col(DraftRow.customer_id) == self._customer_id,
                col(DraftRow.flow) == flow,
                col(DraftRow.subject) == subject,
                col(DraftRow.sent_at).is_(None),
                col(DraftRow.expires_at) <= self._now,
            )
        )

    def _own(self) -> Any:
        return select(DraftRow).where(DraftRow.customer_id == self._customer_id, col(DraftRow.expires_at) > self._now)


@dataclass(frozen=True, slots=True)
class Change:
    """New contents of a draft that is locked."""

    id: int
    customer_id: int
    answers: dict[str, Any]
    completed: list[str]
    version: int


_MANY = (
    select(_TABLE)
    .where(
        tuple_(_TABLE.c.customer_id, _TABLE.c.public_id).in_(bindparam("pairs", expanding=True)),
        _TABLE.c.expires_at > bindparam("now"),
    )
    .order_by(_TABLE.c.id)
    .with_for_update()
)
_CHANGE = (
    update(_TABLE)
    .where(_TABLE.c.id == bindparam("row_id"), _TABLE.c.customer_id == bindparam("owner_id"))
    .values(
        answers=bindparam("new_answers"),
        completed=bindparam("new_completed"),
        version=bindparam("new_version"),
        updated_at=bindparam("new_updated_at"),
        expires_at=bindparam("new_expires_at"),
    )
)


async def lock_many(session: AsyncSession, pairs: Iterable[tuple[int, str]], now: datetime) -> Sequence[Row[Any]]:
    """The drafts with these pairs of customer and public id, locked, in one statement."""
    connection = await session.connection()
    return (await connection.execute(_MANY, {"pairs": sorted(set(pairs)), "now": now})).all()


async def write_many(session: AsyncSession, changes: Sequence[Change], *, now: datetime, expires_at: datetime) -> None:
    """Write the contents of drafts that are locked, in one statement."""
    connection = await session.connection()
    await connection.execute(
        _CHANGE,
        [
            {
                "row_id": change.id,
                "owner_id": change.customer_id,
                "new_answers": change.answers,
                "new_completed": change.completed,
                "new_version": change.version,
                "new_updated_at": now,
                "new_expires_at": expires_at,
            }
            for change in changes
        ],
    )


def _item_name(row: DraftRow) -> str:
    """Name of the item of an order that a draft is about, as it was looked up last."""
    items = row.facts.get(_ITEMS, ()) if row.subject else ()
    return next((str(entry["name"]) for entry in items if entry["id"] == row.subject), "")
