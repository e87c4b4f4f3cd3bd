"""The service that receives, inspects, stores, serves and removes the files of a draft."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from datetime import timedelta
from pathlib import PurePosixPath

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.files.checks import FileFindings
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import Inspection
from portal.backend.files.kinds import BadFile
from portal.backend.files.store import Store, store_of, tidy_name
from portal.backend.service import Service
from portal.backend.sessions import Owner, Sessions
from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused, TooMany, Unavailable
from portal.contract.models import Content, Document
from portal.flow.api import FlowApi, Upload, UploadPlace, UploadStart
from portal.flow.provider.cleanup import PREVIEW, delete_stored
from portal.flow.provider.facts import DRAFT_LIFETIME, handler_of, locked_draft, rule_of, set_files, upload_of
from portal.flow.provider.queries import DraftRepository, UploadRepository, delete_uploads, fact
from portal.flow.rules import FILES, LARGEST_TOGETHER, Files
from portal.kernel.codes import Code
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.vocabulary.files import LARGEST_FILE, FileKind

RECEIVING_TIME = timedelta(seconds=60)
"""Timeout of an upload; extended while data arrives."""

MOST_ARRIVING = 10
"""Most files of one customer that may arrive at the same time."""

_RETRY_SECONDS = 10


class UploadService(Service, FlowApi):
    """The operations on files."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._incoming = IncomingFiles(context.settings.data_dir)
        self._inspection = Inspection()
        self._store: Store = store_of(context.settings)
        self._free_space = int(context.settings.customer_files_gb * 1024**3)

    @override
    async def close(self) -> None:
        await self._inspection.close()
        await super().close()

    @override
    async def begin_upload(self, token: str, draft_id: str, start: UploadStart) -> UploadPlace:
        owner = await self._sessions.owner(token)
        name = tidy_name(start.name)
        if start.size == 0:
            raise InvalidInput(Code.FILE_EMPTY)
        if start.size > LARGEST_FILE:
            raise InvalidInput(Code.MAX_UPLOAD_SIZE_REACHED)
        if not await self._incoming.has_space(start.size):
            raise Unavailable(Code.UPLOAD_FAILED)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            # The lock keeps two files from both passing the limits.
            draft = await self._draft(session, owner, draft_id)
            rule = rule_of(draft, start.field)
            uploads = UploadRepository(session, owner.customer_id, now)
            used = await uploads.usage(draft_id, start.field)
            if used.in_field >= rule.maximum:
                raise Refused(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
            if used.of_draft + start.size > LARGEST_TOGETHER or used.of_customer + start.size > self._free_space:
                raise Refused(Code.UPLOAD_QUOTA_REACHED)
            if used.arriving >= MOST_ARRIVING:
                raise TooMany(Code.UPLOADS_TOO_MANY_AT_ONCE, retry_at=now + timedelta(seconds=_RETRY_SECONDS))
            row = UploadRow(
                customer_id=owner.customer_id,
                draft=draft_id,
                field=start.field,
                name=name,
                key=secrets.token_hex(16),
                size=start.size,
                created_at=now,
                expires_at=now + RECEIVING_TIME,
            )
            session.add(row)
            await session.flush()
            return UploadPlace(upload_id=row.public_id)

    @override
    async def receive_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        async with self._sessions.reading(token) as (owner, session):
            now = self._context.clock()
            row = await UploadRepository(session, owner.customer_id, now).get(upload_id, UploadState.RECEIVING)
            draft = await DraftRepository(session, owner.customer_id, now).get(row.draft)
        try:
            return await self._receive(owner, row, rule_of(draft, row.field), body)
        except BaseException:
            # Cleans up after a cancelled upload, too.
            await asyncio.shield(self._discard(owner, row))
            raise

    async def _receive(self, owner: Owner, row: UploadRow, rule: Files, body: AsyncIterator[bytes]) -> Upload:
        async def renew() -> None:
            now = self._context.clock()
            async with self._context.database.transaction() as session:
                await UploadRepository(session, owner.customer_id, now).extend(row.public_id, now + RECEIVING_TIME)

        place = await self._incoming.receive(row.key, row.size, body, renew)
        preview = place.with_suffix(".preview")
        await renew()
        try:
            kinds = {kind.value for kind in rule.kinds}
            found = await self._inspection.look(owner.customer_id, place, kinds, preview)
        except BadFile as error:
            raise InvalidInput(error.code) from None
        await renew()
        try:
            await self._store.keep(row.key, place)
            if found.preview:
                await self._store.keep(row.key + PREVIEW, preview)
        except Exception as error:
            raise Unavailable(Code.UPLOAD_FAILED) from error
        return await self._complete(owner, row, found)

    async def _complete(self, owner: Owner, row: UploadRow, found: FileFindings) -> Upload:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            draft = await self._draft(session, owner, row.draft)
            uploads = UploadRepository(session, owner.customer_id, now)
            stored = await uploads.get(row.public_id, UploadState.RECEIVING, lock=True)
            stored.state, stored.kind, stored.media_type = UploadState.COMPLETE, found.kind, found.media_type
            stored.stored_size, stored.sha256, stored.has_preview = found.size, found.sha256, found.preview
            await session.flush()
            if stored.field in draft.answers:
                # The step was answered before: the new file joins the answer.
                set_files(draft, stored.field, [*draft.answers[stored.field], stored.public_id])
            await self._refresh_files(session, owner, draft)
            return upload_of(stored)

    @override
    async def remove_upload(self, token: str, upload_id: str) -> None:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            uploads = UploadRepository(session, owner.customer_id, now)
            try:
                row = await uploads.get(upload_id, UploadState.COMPLETE, lock=True)
            except NotFound:
                row = await uploads.get(upload_id, UploadState.RECEIVING, lock=True)
            draft = await self._draft(session, owner, row.draft)
            row.state = UploadState.REMOVED
            await session.flush()
            if row.field in draft.answers:
                remaining = [identifier for identifier in draft.answers[row.field] if identifier != row.public_id]
                set_files(draft, row.field, remaining)
            await self._refresh_files(session, owner, draft)
        await self._delete(row)

    @override
    async def upload_content(self, token: str, upload_id: str) -> Content:
        return content_of(self._store, await self._complete_upload(token, upload_id))

    @override
    async def upload_preview(self, token: str, upload_id: str) -> Document:
        return await preview_of(self._store, await self._complete_upload(token, upload_id))

    async def _complete_upload(self, token: str, upload_id: str) -> UploadRow:
        async with self._sessions.reading(token) as (owner, session):
            uploads = UploadRepository(session, owner.customer_id, self._context.clock())
            return await uploads.get(upload_id, UploadState.COMPLETE)

    async def _draft(self, session: AsyncSession, owner: Owner, draft_id: str) -> DraftRow:
        """Lock and return the draft of a file.

        Raises:
            Conflict: the draft was sent.
        """
        drafts = DraftRepository(session, owner.customer_id, self._context.clock())
        draft = await locked_draft(drafts, draft_id)
        if draft.sent_at is not None:
            raise Conflict(handler_of(draft.flow).flow.refusals.sent)
        return draft

    async def _refresh_files(self, session: AsyncSession, owner: Owner, draft: DraftRow) -> None:
        """Update the files in the facts of the draft."""
        now = self._context.clock()
        rows = await UploadRepository(session, owner.customer_id, now).complete(draft.public_id)
        draft.facts = {**draft.facts, FILES: [fact(row) for row in rows]}
        draft.updated_at, draft.expires_at = now, now + DRAFT_LIFETIME
        await session.flush()

    async def _discard(self, owner: Owner, row: UploadRow) -> None:
        await self._incoming.forget(row.key)
        async with self._context.database.transaction() as session:
            uploads = UploadRepository(session, owner.customer_id, self._context.clock())
            with suppress(NotFound):
                found = await uploads.get(row.public_id, UploadState.RECEIVING, lock=True)
                found.state = UploadState.REMOVED
        await self._delete(row)

    async def _delete(self, row: UploadRow) -> None:
        """Delete the stored file and its row. If the store fails, the hourly cleanup tries again."""
        try:
            await delete_stored(self._store, row.key)
        except Exception:
            return
        async with self._context.database.transaction() as session:
            await delete_uploads(session, [row.id or 0])


def content_of(store: Store, row: UploadRow) -> Content:
    """The stored content of a complete file, in chunks."""
    name = row.name
    if row.kind == FileKind.HEIC:
        name = str(PurePosixPath(name).with_suffix(".jpg"))
    return Content(name=name, media_type=row.media_type, size=row.stored_size, chunks=_read(store, row.key))


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


async def _read(store: Store, key: str) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in store.read(key):
            yield chunk
    except ProviderError:
        raise
    except Exception as error:
        raise Unavailable from error
