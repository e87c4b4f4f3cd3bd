"""The service that receives, inspects, stores, serves and removes the files of a draft."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection
from contextlib import aclosing, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.files.checks import BadFile, FileFindings
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import Inspection
from portal.backend.files.store import Store, store_of, tidy_name
from portal.backend.sessions import Service, Sessions
from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused, TooMany, Unavailable
from portal.contract.models import WHOLE_FILE, Content, Document, FilePart
from portal.flow.api import FlowApi, Upload, UploadPlace, UploadStart
from portal.flow.provider.cleanup import PREVIEW, delete_stored
from portal.flow.provider.facts import DRAFT_LIFETIME, handler_of, locked_draft, rule_of, set_files, upload_of
from portal.flow.provider.queries import DraftQueries, UploadQueries, delete_uploads, file_facts, readable_upload
from portal.flow.rules import MAX_REQUEST_BYTES
from portal.kernel.codes import Code
from portal.kernel.ranges import Part, part_of
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.vocabulary.files import LARGEST_FILE, FileKind

CUSTOMER_FILES = 2 * 1024**3
"""Bytes that one customer may use for files not yet sent with a request."""

RECEIVING_TIME = timedelta(seconds=60)
"""Timeout of an upload; extended while data arrives."""

MAX_ARRIVING = 10
"""Most files of one person that may arrive at the same time."""

_RETRY_SECONDS = 10

QueriesOf = Callable[[AsyncSession, datetime], UploadQueries]
"""Makes the queries of the files of one person."""


class FileReceiver:
    """Receives files."""

    def __init__(self, context: Context) -> None:
        self.store: Store = store_of(context.settings)
        self._context = context
        self._incoming = IncomingFiles(context.settings.data_dir)
        self._inspection = Inspection()
        self._free_space = CUSTOMER_FILES

    async def check_announced(self, start: UploadStart) -> None:
        """Refuse a file that cannot be received whatever it is for. Raises `InvalidInput` or `Unavailable`."""
        if start.size == 0:
            raise InvalidInput(Code.FILE_EMPTY)
        if start.size > LARGEST_FILE:
            raise InvalidInput(Code.MAX_UPLOAD_SIZE_REACHED)
        if not await self._incoming.has_space(start.size):
            raise Unavailable(Code.UPLOAD_FAILED)

    async def announce(
        self,
        session: AsyncSession,
        uploads: UploadQueries,
        draft: str,
        start: UploadStart,
        *,
        most: int,
        customer_id: int,
        staff_id: int | None = None,
    ) -> UploadRow:
        """Check the limits of a person, and make the row of an announced file. Raises `Refused` or `TooMany`.

        The transaction holds a lock, or two files could both pass the limits. `customer_id` is whose file it is, or
        whose case it is about.
        """
        now = self._context.clock()
        used = await uploads.usage(draft, start.field)
        if used.in_field >= most:
            raise Refused(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if used.of_draft + start.size > MAX_REQUEST_BYTES or used.of_owner + start.size > self._free_space:
            raise Refused(Code.UPLOAD_QUOTA_REACHED)
        if used.arriving >= MAX_ARRIVING:
            raise TooMany(Code.UPLOADS_TOO_MANY_AT_ONCE, retry_at=now + timedelta(seconds=_RETRY_SECONDS))
        row = UploadRow(
            customer_id=customer_id,
            staff_id=staff_id,
            draft=draft,
            field=start.field,
            name=tidy_name(start.name),
            key=secrets.token_hex(16),
            size=start.size,
            created_at=now,
            expires_at=now + RECEIVING_TIME,
        )
        session.add(row)
        await session.flush()
        return row

    async def receive(
        self, turn: int, queries: QueriesOf, row: UploadRow, kinds: Collection[str], body: AsyncIterator[bytes]
    ) -> FileFindings:
        """Write, inspect and store the body of an announced file. Raises `InvalidInput` or `Unavailable`."""

        async def renew() -> None:
            now = self._context.clock()
            async with self._context.database.transaction() as session:
                await queries(session, now).extend(row.public_id, now + RECEIVING_TIME)

        place = await self._incoming.receive(row.key, row.size, body, renew)
        preview = place.with_suffix(".preview")
        await renew()
        try:
            found = await self._inspection.look(turn, place, kinds, preview)
        except BadFile as error:
            raise InvalidInput(error.code) from None
        await renew()
        try:
            await self.store.keep(row.key, place)
            if found.preview:
                await self.store.keep(row.key + PREVIEW, preview)
        except Exception as error:
            raise Unavailable(Code.UPLOAD_FAILED) from error
        return found

    async def discard(self, queries: QueriesOf, row: UploadRow) -> None:
        """Forget a file that did not arrive."""
        await self._incoming.forget(row.key)
        async with self._context.database.transaction() as session:
            with suppress(NotFound):
                found = await queries(session, self._context.clock()).get(
                    row.public_id, UploadState.RECEIVING, lock=True
                )
                found.state = UploadState.REMOVED
        await self.delete(row)

    async def delete(self, row: UploadRow) -> None:
        """Delete the stored file and its row. If the store fails, the hourly cleanup tries again."""
        try:
            await delete_stored(self.store, row.key)
        except Exception:
            return
        async with self._context.database.transaction() as session:
            await delete_uploads(session, [row.id])


def complete(row: UploadRow, found: FileFindings) -> None:
    """Write to the row of a file that it was received and stored."""
    row.state, row.kind, row.media_type = UploadState.COMPLETE, found.kind, found.media_type
    row.stored_size, row.sha256, row.has_preview = found.size, found.sha256, found.preview


async def arriving_or_complete(uploads: UploadQueries, public_id: str) -> UploadRow:
    """Lock and return a file that is to be removed. Raises `NotFound`."""
    try:
        return await uploads.get(public_id, UploadState.COMPLETE, lock=True)
    except NotFound:
        return await uploads.get(public_id, UploadState.RECEIVING, lock=True)


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
        """Lock and return the draft of a file. Raises `Conflict`."""
        drafts = DraftQueries(session, customer_id, self._context.clock())
        draft = await locked_draft(drafts, draft_id)
        if draft.sent_at is not None:
            raise Conflict(handler_of(draft.flow).flow.refusals.sent)
        return draft

    async def _refresh_files(self, session: AsyncSession, customer_id: int, draft: DraftRow) -> None:
        now = self._context.clock()
        rows = await UploadQueries(session, customer_id, now).complete(draft.public_id)
        draft.facts = {**draft.facts, **file_facts(rows).stored()}
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
    """The preview of a photo. Raises `NotFound`."""
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
