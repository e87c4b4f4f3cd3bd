"""Queries on files that customers sent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_
from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import NotFound
from portal.domain.flow.files import FileKind
from portal.domain.identifiers import is_short_id
from portal.provider.tables.drafts import DraftRow
from portal.provider.tables.uploads import UploadRow, UploadState


@dataclass(frozen=True, slots=True)
class Taken:
    """What is there or on its way already: files of the field, files on their way, bytes of the draft and in all."""

    in_field: int
    arriving: int
    of_draft: int
    of_customer: int


class UploadRepository:
    """The files of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._customer_id = customer_id
        self._now = now

    async def get(self, public_id: str, state: UploadState, *, lock: bool = False) -> UploadRow:
        """One file.

        Raises:
            NotFound: there is none with this id in this state, or it is somebody else's.
        """
        if not is_short_id(public_id):
            raise NotFound
        query = self._own().where(col(UploadRow.public_id) == public_id, col(UploadRow.state) == state)
        row = (await self._session.exec(query.with_for_update() if lock else query)).one_or_none()
        if row is None:
            raise NotFound
        return row

    async def complete(self, draft: str) -> Sequence[UploadRow]:
        """The files of a draft that arrived and were not sent with a request, in order."""
        query = self._own().where(
            col(UploadRow.draft) == draft,
            col(UploadRow.state) == UploadState.COMPLETE,
            col(UploadRow.request_key).is_(None),
        )
        return (await self._session.exec(query.order_by(col(UploadRow.id)))).all()

    async def taken(self, draft: str, field: str) -> Taken:
        """What is there already, for the limits. What did not arrive in time does not count."""
        arriving = and_(col(UploadRow.state) == UploadState.RECEIVING, col(UploadRow.expires_at) > self._now)
        query = select(UploadRow.draft, UploadRow.field, UploadRow.state, UploadRow.size).where(
            UploadRow.customer_id == self._customer_id,
            col(UploadRow.request_key).is_(None),
            or_(col(UploadRow.state) == UploadState.COMPLETE, arriving),
        )
        # A customer has some dozens at most.
        rows = (await self._session.exec(query)).all()
        return Taken(
            in_field=sum((where, name) == (draft, field) for where, name, _, _ in rows),
            arriving=sum(state is UploadState.RECEIVING for _, _, state, _ in rows),
            of_draft=sum(size for where, _, _, size in rows if where == draft),
            of_customer=sum(size for *_, size in rows),
        )

    async def extend(self, public_id: str, until: datetime) -> None:
        """Let a file go on arriving."""
        await self._session.exec(
            update(UploadRow)
            .where(
                col(UploadRow.customer_id) == self._customer_id,
                col(UploadRow.public_id) == public_id,
                col(UploadRow.state) == UploadState.RECEIVING,
            )
            .values(expires_at=until)
        )

    async def attach(self, draft: str, public_ids: Collection[str], request_key: str) -> int:
        """Let files belong to a request; how many could."""
        if not public_ids:
            return 0
        statement = (
            update(UploadRow)
            .where(
                col(UploadRow.customer_id) == self._customer_id,
                col(UploadRow.draft) == draft,
                col(UploadRow.public_id).in_(public_ids),
                col(UploadRow.state) == UploadState.COMPLETE,
                col(UploadRow.request_key).is_(None),
            )
            .values(request_key=request_key)
        )
        return (await self._session.exec(statement)).rowcount

    async def drop_rest(self, draft: str) -> None:
        """What a draft has and its request did not get goes."""
        await self._session.exec(
            update(UploadRow)
            .where(
                col(UploadRow.customer_id) == self._customer_id,
                col(UploadRow.draft) == draft,
                col(UploadRow.request_key).is_(None),
            )
            .values(state=UploadState.REMOVED)
        )

    def _own(self) -> Any:
        return select(UploadRow).where(UploadRow.customer_id == self._customer_id)


def fact(row: UploadRow) -> dict[str, Any]:
    """A complete file as an entry of the facts."""
    return {
        "id": row.public_id,
        "field": row.field,
        "name": row.name,
        "size": row.size,
        "kind": row.kind,
        "photo": FileKind(row.kind).photo,
    }


async def forget_orphans(session: AsyncSession, now: datetime) -> None:
    """Mark what did not arrive in time, and what lost its draft, as removed."""
    alive = select(DraftRow.public_id).where(col(DraftRow.expires_at) > now, col(DraftRow.sent_at).is_(None))
    late = and_(col(UploadRow.state) == UploadState.RECEIVING, col(UploadRow.expires_at) < now)
    orphan = and_(col(UploadRow.request_key).is_(None), col(UploadRow.draft).not_in(alive))
    await session.exec(
        update(UploadRow)
        .where(col(UploadRow.state) != UploadState.REMOVED, or_(late, orphan))
        .values(state=UploadState.REMOVED)
    )


async def removed(session: AsyncSession, most: int) -> list[tuple[int, str]]:
    """Files that are removed and may still be stored: primary key of the row and where."""
    query = select(UploadRow.id, UploadRow.key).where(col(UploadRow.state) == UploadState.REMOVED).limit(most)
    return [(number or 0, key) for number, key in await session.exec(query)]


async def erase(session: AsyncSession, numbers: Collection[int]) -> None:
    """Delete rows of which nothing is stored any more."""
    await session.exec(delete(UploadRow).where(col(UploadRow.id).in_(numbers)))


async def known_keys(session: AsyncSession, keys: Collection[str]) -> set[str]:
    """Which of these places belong to a row."""
    return set(await session.exec(select(UploadRow.key).where(col(UploadRow.key).in_(keys))))
