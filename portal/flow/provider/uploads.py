"""The service that receives, inspects, stores, serves and removes the files of a draft."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from datetime import datetime
from functools import partial
from pathlib import PurePosixPath

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.files.checks import FileFindings
from portal.backend.files.store import Store
from portal.backend.sessions import Service, Sessions
from portal.contract.errors import Conflict, NotFound, ProviderError, Unavailable
from portal.contract.models import WHOLE_FILE, Content, Document, FilePart
from portal.flow.api import FlowApi, Upload, UploadPlace, UploadStart
from portal.flow.provider.cleanup import PREVIEW
from portal.flow.provider.facts import DRAFT_LIFETIME, handler_of, locked_draft, rule_of, set_files, upload_of
from portal.flow.provider.queries import DraftQueries, UploadQueries, fact, readable_upload
from portal.flow.provider.receiving import FileReceiver, arriving_or_complete, complete
from portal.flow.rules import FILES
from portal.kernel.ranges import Part, part_of
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.vocabulary.files import FileKind


class UploadService(Service, FlowApi):
    """The operations on files."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._receiver = FileReceiver(context)

    @override
    async def begin_upload(self, token: str, draft_id: str, start: UploadStart) -> UploadPlace:
        owner = await self._sessions.owner(token)
        return await self._announce(owner.customer_id, draft_id, start)

    async def _announce(
        self, customer_id: int, draft_id: str, start: UploadStart, phone_link_id: int | None = None
    ) -> UploadPlace:
        await self._receiver.check_announced(start)
        async with self._context.database.transaction() as session:
            # The lock keeps two files from both passing the limits.
            draft = await self._draft(session, customer_id, draft_id)
            row = await self._receiver.announce(
                session,
                UploadQueries(session, customer_id, self._context.clock()),
                draft_id,
                start,
                most=rule_of(draft, start.field).maximum,
                customer_id=customer_id,
            )
            row.phone_link_id = phone_link_id
            return UploadPlace(upload_id=row.public_id)

    @override
    async def receive_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        async with self._sessions.reading(token) as (owner, session):
            row, kinds = await self._announced(session, owner.customer_id, upload_id)
        return await self._receive(owner.customer_id, row, kinds, body)

    async def _announced(self, session: AsyncSession, customer_id: int, upload_id: str) -> tuple[UploadRow, set[str]]:
        """An announced file, and the kinds that its field takes."""
        now = self._context.clock()
        row = await UploadQueries(session, customer_id, now).get(upload_id, UploadState.RECEIVING)
        draft = await DraftQueries(session, customer_id, now).get(row.draft)
        return row, {kind.value for kind in rule_of(draft, row.field).kinds}

    async def _receive(self, customer_id: int, row: UploadRow, kinds: set[str], body: AsyncIterator[bytes]) -> Upload:
        queries = partial(_of, customer_id)
        try:
            found = await self._receiver.receive(customer_id, queries, row, kinds, body)
            return await self._complete(customer_id, row, found)
        except BaseException:
            # Cleans up after a cancelled upload, too.
            await asyncio.shield(self._receiver.discard(queries, row))
            raise

    async def _complete(self, customer_id: int, row: UploadRow, found: FileFindings) -> Upload:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            draft = await self._draft(session, customer_id, row.draft)
            uploads = UploadQueries(session, customer_id, now)
            stored = await uploads.get(row.public_id, UploadState.RECEIVING, lock=True)
            await self._before_completion(session, stored)
            complete(stored, found)
            await session.flush()
            if stored.field in draft.answers:
                # The step was answered before: the new file joins the answer.
                set_files(draft, stored.field, [*draft.answers[stored.field], stored.public_id])
            await self._refresh_files(session, customer_id, draft)
            return upload_of(stored)

    async def _before_completion(self, session: AsyncSession, row: UploadRow) -> None:
        """Hook: called with a file that has arrived, in the transaction that completes it."""

    @override
    async def remove_upload(self, token: str, upload_id: str) -> None:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            row = await self._remove_file(session, owner.customer_id, upload_id)
        await self._receiver.delete(row)

    async def _remove_file(self, session: AsyncSession, customer_id: int, upload_id: str) -> UploadRow:
        uploads = UploadQueries(session, customer_id, self._context.clock())
        row = await arriving_or_complete(uploads, upload_id)
        draft = await self._draft(session, customer_id, row.draft)
        row.state = UploadState.REMOVED
        await session.flush()
        if row.field in draft.answers:
            remaining = [identifier for identifier in draft.answers[row.field] if identifier != row.public_id]
            set_files(draft, row.field, remaining)
        await self._refresh_files(session, customer_id, draft)
        return row

    @override
    async def upload_content(self, token: str, upload_id: str, part: FilePart = WHOLE_FILE) -> Content:
        return content_of(self._receiver.store, await self._readable(token, upload_id), part)

    @override
    async def upload_preview(self, token: str, upload_id: str) -> Document:
        return await preview_of(self._receiver.store, await self._readable(token, upload_id))

    async def _readable(self, token: str, upload_id: str) -> UploadRow:
        async with self._sessions.reading(token) as (owner, session):
            return await readable_upload(session, owner.customer_id, upload_id)

    async def _draft(self, session: AsyncSession, customer_id: int, draft_id: str) -> DraftRow:
        """Lock and return the draft of a file.

        Raises:
            Conflict: the draft was sent.
        """
        drafts = DraftQueries(session, customer_id, self._context.clock())
        draft = await locked_draft(drafts, draft_id)
        if draft.sent_at is not None:
            raise Conflict(handler_of(draft.flow).flow.refusals.sent)
        return draft

    async def _refresh_files(self, session: AsyncSession, customer_id: int, draft: DraftRow) -> None:
        """Update the files in the facts of the draft."""
        now = self._context.clock()
        rows = await UploadQueries(session, customer_id, now).complete(draft.public_id)
        draft.facts = {**draft.facts, FILES: [fact(row) for row in rows]}
        draft.updated_at, draft.expires_at = now, now + DRAFT_LIFETIME
        await session.flush()


def _of(customer_id: int, session: AsyncSession, now: datetime) -> UploadQueries:
    return UploadQueries(session, customer_id, now)


def content_of(store: Store, row: UploadRow, asked: FilePart = WHOLE_FILE) -> Content:
    """The stored content of a complete file, or a part of it, in chunks."""
    name = row.name
    if row.kind == FileKind.HEIC:
        name = str(PurePosixPath(name).with_suffix(".jpg"))
    part = part_of(row.stored_size, asked.first, asked.last)
    chunks = _read(store, row.key, part)
    return Content(name=name, media_type=row.media_type, size=row.stored_size, chunks=chunks, part=part)


async def preview_of(store: Store, row: UploadRow) -> Document:
    """The preview of a photo.

    Raises:
        NotFound: the file has none.
    """
    if not row.has_preview:
        raise NotFound
    async with aclosing(_read(store, row.key + PREVIEW)) as chunks:
        content = b"".join([chunk async for chunk in chunks])
    return Document(name="preview.jpg", media_type="image/jpeg", content=content)


async def _read(store: Store, key: str, part: Part | None = None) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in store.read(key, part):
            yield chunk
    except ProviderError:
        raise
    except Exception as error:
        raise Unavailable from error
