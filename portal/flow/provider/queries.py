"""Queries on drafts and their files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, tuple_
from sqlalchemy import update as sqlalchemy_update
from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, store_of
from portal.contract.errors import NotFound
from portal.kernel.validation import is_short_id
from portal.tables.bikes import BikeRow
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.vocabulary.files import FileKind


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


HOUR = 3600

PREVIEW = "-preview"
"""Behind the key of a photo: where its preview is."""

_AT_ONCE = 200


async def clean(context: Context, *, thoroughly: bool = False) -> None:
    """Delete what nobody will ask for.

    Args:
        context: the parts of the house.
        thoroughly: also look through the whole store for files without a row. Once a day is enough.
    """
    store = store_of(context.settings)
    async with context.database.transaction() as session:
        await forget_orphans(session, context.clock())
    while True:
        async with context.database.session() as session:
            rows = await removed(session, _AT_ONCE)
        for _, key in rows:
            await erase_stored(store, key)
        async with context.database.transaction() as session:
            await erase(session, [number for number, _ in rows])
        if len(rows) < _AT_ONCE:
            break
    await IncomingFiles(context.settings.data_dir).forget_old(HOUR)
    if thoroughly:
        await _sweep(context, store)


async def erase_stored(store: Store, key: str) -> None:
    """Delete a file and its preview."""
    await store.remove(key + PREVIEW)
    await store.remove(key)


async def _sweep(context: Context, store: Store) -> None:
    pending: list[str] = []
    async for name in store.keys():
        pending.append(name)
        if len(pending) >= _AT_ONCE:
            await _remove_unknown(context, store, pending)
            pending = []
    await _remove_unknown(context, store, pending)


async def _remove_unknown(context: Context, store: Store, names: list[str]) -> None:
    if not names:
        return
    async with context.database.session() as session:
        known = await known_keys(session, {name.removesuffix(PREVIEW) for name in names})
    for name in names:
        if name.removesuffix(PREVIEW) not in known:
            await store.remove(name)


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

    async def delete_oldest(self, flow: str, subject: str) -> None:
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
    sqlalchemy_update(_TABLE)
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
