"""The SQL on drafts and their files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, true
from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.bike_names import HAS_EQUAL, bike_name
from portal.backend.database import find_one
from portal.backend.security import reader
from portal.contract.errors import NotFound
from portal.contract.models import mapped
from portal.flow.facts import FileFacts, UploadedFile
from portal.kernel.validation import is_short_id
from portal.tables.bikes import BikeRow, PictureRow
from portal.tables.customers import DataExportRow
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.tables.exchange import ImportRunRow
from portal.tables.orders import InvoiceDocumentRow
from portal.vocabulary.files import FileKind


@dataclass(frozen=True, slots=True)
class Usage:
    """Number and size of a person's files, including uploads in progress.

    `of_draft`: bytes of the draft.
    `of_owner`: bytes of all drafts.
    """

    in_field: int
    arriving: int
    of_draft: int
    of_owner: int


class UploadQueries:
    """The uploaded files of one customer, or of one member of staff."""

    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._now = now
        self._owned: tuple[ColumnElement[bool], ...] = (
            col(UploadRow.customer_id) == customer_id,
            col(UploadRow.staff_id).is_(None),
        )

    @classmethod
    def of_staff(cls, session: AsyncSession, staff_id: int, now: datetime) -> UploadQueries:
        """The files that a person of staff uploaded."""
        found = cls(session, 0, now)
        found._owned = (col(UploadRow.staff_id) == staff_id,)
        return found

    async def get(self, public_id: str, state: UploadState, *, lock: bool = False) -> UploadRow:
        """Get one file. Raises `NotFound`."""
        if not is_short_id(public_id):
            raise NotFound
        query = self._own().where(col(UploadRow.public_id) == public_id, col(UploadRow.state) == state)
        return await find_one(self._session, query, lock=lock)

    async def complete(self, draft: str) -> Sequence[UploadRow]:
        """The complete files of a draft that belong to no request yet, in upload order."""
        query = self._own().where(
            col(UploadRow.draft) == draft,
            col(UploadRow.state) == UploadState.COMPLETE,
            col(UploadRow.request_key).is_(None),
        )
        return (await self._session.exec(query.order_by(col(UploadRow.id)))).all()

    async def usage(self, draft: str, field: str) -> Usage:
        """Count files and bytes for the limits. Files whose upload timed out do not count."""
        arriving = and_(col(UploadRow.state) == UploadState.RECEIVING, col(UploadRow.expires_at) > self._now)
        query = select(UploadRow.draft, UploadRow.field, UploadRow.state, UploadRow.size).where(
            *self._owned,
            col(UploadRow.request_key).is_(None),
            or_(col(UploadRow.state) == UploadState.COMPLETE, arriving),
        )
        # A person has a few dozen rows at most.
        rows = (await self._session.exec(query)).all()
        return Usage(
            in_field=sum((row_draft, row_field) == (draft, field) for row_draft, row_field, _, _ in rows),
            arriving=sum(state is UploadState.RECEIVING for _, _, state, _ in rows),
            of_draft=sum(size for row_draft, _, _, size in rows if row_draft == draft),
            of_owner=sum(size for *_, size in rows),
        )

    async def extend(self, public_id: str, until: datetime) -> None:
        """Give an arriving file more time."""
        await self._session.exec(
            update(UploadRow)
            .where(
                *self._owned,
                col(UploadRow.public_id) == public_id,
                col(UploadRow.state) == UploadState.RECEIVING,
            )
            .values(expires_at=until)
        )

    async def attach(
        self, draft: str, public_ids: Collection[str], request_key: str, *, shared_with: int | None = None
    ) -> int:
        """Assign files to a request or message; return how many. Those of staff are `shared_with` a customer."""
        if not public_ids:
            return 0
        statement = (
            update(UploadRow)
            .where(
                *self._owned,
                col(UploadRow.draft) == draft,
                col(UploadRow.public_id).in_(public_ids),
                col(UploadRow.state) == UploadState.COMPLETE,
                col(UploadRow.request_key).is_(None),
            )
            .values(request_key=request_key)
        )
        if shared_with is not None:
            statement = statement.where(col(UploadRow.customer_id) == shared_with).values(shared=True)
        return (await self._session.exec(statement)).rowcount

    async def remove_unsent(self, draft: str) -> None:
        """Mark the files of a draft that belong to no request as removed."""
        await self._session.exec(
            update(UploadRow)
            .where(
                *self._owned,
                col(UploadRow.draft) == draft,
                col(UploadRow.request_key).is_(None),
            )
            .values(state=UploadState.REMOVED)
        )

    def _own(self) -> Any:
        return select(UploadRow).where(*self._owned)


async def readable_upload(session: AsyncSession, customer_id: int, public_id: str) -> UploadRow:
    """A complete file that a customer may open: an own one, or one that staff sent to this customer.

    Raises `NotFound`.
    """
    if not is_short_id(public_id):
        raise NotFound
    query = select(UploadRow).where(
        UploadRow.customer_id == customer_id,
        UploadRow.public_id == public_id,
        UploadRow.state == UploadState.COMPLETE,
        or_(col(UploadRow.staff_id).is_(None), col(UploadRow.shared)),
    )
    return await find_one(session, query)


STAFF_FILES_WAIT = timedelta(days=1)
"""How long a file of staff that was not sent is kept."""


def file_facts(rows: Iterable[UploadRow]) -> FileFacts:
    """The facts about complete files."""
    return FileFacts(
        files=[mapped(UploadedFile, row, id=row.public_id, photo=FileKind(row.kind).photo) for row in rows]
    )


async def remove_orphans(session: AsyncSession, now: datetime) -> None:
    """Mark files as removed whose upload timed out or whose draft is gone, and those that staff did not send."""
    open_drafts = select(DraftRow.public_id).where(col(DraftRow.expires_at) > now, col(DraftRow.sent_at).is_(None))
    late = and_(col(UploadRow.state) == UploadState.RECEIVING, col(UploadRow.expires_at) < now)
    without_draft = and_(col(UploadRow.staff_id).is_(None), col(UploadRow.draft).not_in(open_drafts))
    unsent = and_(col(UploadRow.staff_id).is_not(None), col(UploadRow.created_at) < now - STAFF_FILES_WAIT)
    orphan = and_(col(UploadRow.request_key).is_(None), or_(without_draft, unsent))
    await session.exec(
        update(UploadRow)
        .where(col(UploadRow.state) != UploadState.REMOVED, or_(late, orphan))
        .values(state=UploadState.REMOVED)
    )


async def removed_files(session: AsyncSession, limit: int) -> list[tuple[int, str]]:
    """Removed files that may still be in the store: primary key of the row, and key in the store."""
    query = select(UploadRow.id, UploadRow.key).where(col(UploadRow.state) == UploadState.REMOVED).limit(limit)
    return [(row_id or 0, key) for row_id, key in await session.exec(query)]


async def sent_uploads(session: AsyncSession, customer_id: int, request_key: str | None) -> Sequence[UploadRow]:
    """The files that a customer sent with a request, in the order in which they came; none of staff."""
    if not request_key:
        return ()
    query = select(UploadRow).where(
        UploadRow.customer_id == customer_id,
        UploadRow.request_key == request_key,
        UploadRow.state == UploadState.COMPLETE,
        col(UploadRow.staff_id).is_(None),
    )
    return (await session.exec(query.order_by(col(UploadRow.id)))).all()


async def delete_uploads(session: AsyncSession, row_ids: Collection[int]) -> None:
    """Delete the rows of files that are no longer in the store."""
    await session.exec(delete(UploadRow).where(col(UploadRow.id).in_(row_ids)))


STORED: Sequence[tuple[Any, ColumnElement[bool]]] = (
    (UploadRow.key, col(UploadRow.state) == UploadState.COMPLETE),
    (DataExportRow.key, col(DataExportRow.ready_at).is_not(None)),
    (InvoiceDocumentRow.key, true()),
    (PictureRow.key, true()),
    (ImportRunRow.key, col(ImportRunRow.key) != ""),
)
"""Columns with keys of the store, each with the condition under which the store has the file."""


async def known_keys(session: AsyncSession, keys: Collection[str]) -> set[str]:
    """The keys of the store, among these, that belong to a row."""
    queries = [select(column).where(col(column).in_(keys)) for column, _ in STORED]
    return {key for query in queries for key in await session.exec(query)}


class DraftQueries:
    """The drafts of one customer. Expired drafts count as missing."""

    def __init__(self, session: AsyncSession, customer_id: int, now: datetime) -> None:
        self._session = session
        self._customer_id = customer_id
        self._now = now

    async def get(self, public_id: str, *, lock: bool = False) -> DraftRow:
        """Get one draft, sent or not. Raises `NotFound`."""
        query = self._own().where(DraftRow.public_id == public_id)
        return await find_one(self._session, query, lock=lock)

    async def expired_flow(self, public_id: str) -> str:
        """The flow of an expired draft that is not deleted yet; empty if there is none."""
        query = select(DraftRow.flow).where(
            DraftRow.customer_id == self._customer_id,
            DraftRow.public_id == public_id,
            col(DraftRow.sent_at).is_(None),
            col(DraftRow.expires_at) <= self._now,
        )
        return (await self._session.exec(query)).one_or_none() or ""

    async def open(self, flow: str, subject: str) -> DraftRow | None:
        """The unsent draft of a flow and a subject, if there is one."""
        query = self._own().where(DraftRow.flow == flow, DraftRow.subject == subject, col(DraftRow.sent_at).is_(None))
        return (await self._session.exec(query)).one_or_none()

    async def unsent(self, flow: str | None = None) -> list[tuple[DraftRow, str]]:
        """The unsent drafts, newest first, each with the name of its bike or item."""
        query = (
            select(DraftRow, BikeRow, HAS_EQUAL)
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
        return [
            (row, bike_name(bike, reader(), has_equal=has_equal) if bike else _item_name(row))
            for row, bike, has_equal in rows
        ]

    async def last_sent(self, flow: str) -> DraftRow | None:
        """The draft of a flow that was sent last."""
        query = self._own().where(DraftRow.flow == flow, col(DraftRow.sent_at).is_not(None))
        return (await self._session.exec(query.order_by(col(DraftRow.sent_at).desc()).limit(1))).one_or_none()

    async def remove(self, *, public_id: str) -> bool:
        """Delete an unsent draft, and return whether it existed."""
        statement = delete(DraftRow).where(
            col(DraftRow.customer_id) == self._customer_id,
            col(DraftRow.public_id) == public_id,
            col(DraftRow.sent_at).is_(None),
        )
        return bool((await self._session.exec(statement)).rowcount)

    async def delete_expired(self, flow: str, subject: str) -> None:
        """Delete the expired draft of a flow and a subject: these are unique among unsent drafts."""
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


def _item_name(row: DraftRow) -> str:
    """Name of the order item that is the subject of a draft, from its stored facts; empty if there is none."""
    items = row.facts.get("items", ()) if row.subject else ()
    return next((str(entry["name"]) for entry in items if entry["id"] == row.subject), "")
