"""Receives a file: writes it to disk, inspects it, and stores it. The same for files of customers and of staff."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.checks import BadFile, FileFindings
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import Inspection
from portal.backend.files.store import Store, store_of, tidy_name
from portal.contract.errors import InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.flow.api import UploadStart
from portal.flow.provider.cleanup import PREVIEW, delete_stored
from portal.flow.provider.queries import UploadQueries, delete_uploads
from portal.flow.rules import LARGEST_TOGETHER
from portal.kernel.codes import Code
from portal.tables.drafts import UploadRow, UploadState
from portal.vocabulary.files import LARGEST_FILE

RECEIVING_TIME = timedelta(seconds=60)
"""Timeout of an upload; extended while data arrives."""

MOST_ARRIVING = 10
"""Most files of one person that may arrive at the same time."""

_RETRY_SECONDS = 10

QueriesOf = Callable[[AsyncSession, datetime], UploadQueries]
"""Makes the queries of the files of one person."""


class FileReceiver:
    """Receives files."""

    def __init__(self, context: Context) -> None:
        """Use the disk, the store and the database of the context."""
        self.store: Store = store_of(context.settings)
        self._context = context
        self._incoming = IncomingFiles(context.settings.data_dir)
        self._inspection = Inspection()
        self._free_space = int(context.settings.customer_files_gb * 1024**3)

    async def check_announced(self, start: UploadStart) -> None:
        """Refuse a file that cannot be received whatever it is for.

        Raises:
            InvalidInput: it is empty or too large.
            Unavailable: the disk is full.
        """
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
        """Check the limits of a person, and make the row of an announced file.

        Args:
            session: of the transaction; it holds a lock that keeps two files from both passing the limits.
            uploads: the files of the person.
            draft: what the file belongs to.
            start: the announcement.
            most: most files in the field.
            customer_id: the customer whose file it is, or whose case it is about.
            staff_id: the person of staff who sends it.

        Raises:
            Refused: too many files or bytes.
            TooMany: too many files at the same time.
        """
        now = self._context.clock()
        used = await uploads.usage(draft, start.field)
        if used.in_field >= most:
            raise Refused(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if used.of_draft + start.size > LARGEST_TOGETHER or used.of_owner + start.size > self._free_space:
            raise Refused(Code.UPLOAD_QUOTA_REACHED)
        if used.arriving >= MOST_ARRIVING:
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
        """Write, inspect and store the body of an announced file.

        Args:
            turn: whose turn it is; persons take turns.
            queries: of the files of the person.
            row: the announced file.
            kinds: the allowed kinds.
            body: the chunks.

        Raises:
            InvalidInput: it was cut, or it cannot be used.
            Unavailable: it cannot be stored.
        """

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
    """Lock and return a file that is to be removed.

    Raises:
        NotFound: there is no such file.
    """
    try:
        return await uploads.get(public_id, UploadState.COMPLETE, lock=True)
    except NotFound:
        return await uploads.get(public_id, UploadState.RECEIVING, lock=True)
