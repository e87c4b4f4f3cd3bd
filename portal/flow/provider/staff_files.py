"""Files that staff send with a message, or take of what arrived. They are judged as files of customers are."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import StaffMember, StaffSessions
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.models import Document
from portal.flow.api import StaffFilesApi, Upload, UploadPlace, UploadStart
from portal.flow.provider.facts import upload_of
from portal.flow.provider.queries import UploadQueries
from portal.flow.provider.uploads import FileReceiver, arriving_or_complete, complete, preview_of
from portal.kernel.codes import Code
from portal.tables.drafts import UploadState
from portal.tables.staff import StaffRow
from portal.vocabulary.files import StaffFileUse


class StaffFilesService(Service, StaffFilesApi):
    """Implements `StaffFilesApi`. A person has only the own files that were not sent."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)
        self._receiver = FileReceiver(context)

    async def begin(
        self, session: AsyncSession, member: StaffMember, customer_id: int, draft: str, start: UploadStart
    ) -> UploadPlace:
        """Announce a file, after the subject has checked what the person may do. Raises `InvalidInput`."""
        use = _use(start.field)
        if use is None:
            raise InvalidInput(Code.FILE_PARAMS_MISSING)
        await self._receiver.check_announced(start)
        uploads = UploadQueries.of_staff(session, member.id, self._context.clock())
        # The lock keeps two files from both passing the limits.
        await session.exec(select(StaffRow.id).where(StaffRow.id == member.id).with_for_update())
        row = await self._receiver.announce(
            session, uploads, draft, start, most=use.most, customer_id=customer_id, staff_id=member.id
        )
        return UploadPlace(upload_id=row.public_id)

    @override
    async def staff_files(self, token: str, draft: str) -> list[Upload]:
        async with self._staff.reading(token, StaffFilesApi.staff_files) as (member, session):
            uploads = UploadQueries.of_staff(session, member.id, self._context.clock())
            return [upload_of(row) for row in await uploads.complete(draft)]

    @override
    async def receive_staff_file(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        async with self._staff.reading(token, StaffFilesApi.receive_staff_file) as (member, session):
            row = await self._own(session, member).get(upload_id, UploadState.RECEIVING)
        use = _use(row.field)
        if use is None:
            raise NotFound
        queries = partial(_of, member.id)
        try:
            found = await self._receiver.receive(member.id, queries, row, {kind.value for kind in use.kinds}, body)
            async with self._context.database.transaction() as session:
                stored = await self._own(session, member).get(upload_id, UploadState.RECEIVING, lock=True)
                complete(stored, found)
                await session.flush()
                return upload_of(stored)
        except BaseException:
            # Cleans up after a cancelled upload, too.
            await asyncio.shield(self._receiver.discard(queries, row))
            raise

    @override
    async def remove_staff_file(self, token: str, upload_id: str) -> None:
        async with self._staff.changing(token, StaffFilesApi.remove_staff_file) as (member, session):
            row = await arriving_or_complete(self._own(session, member), upload_id)
            if row.request_key is not None:
                raise NotFound
            row.state = UploadState.REMOVED
        await self._receiver.delete(row)

    @override
    async def staff_file_preview(self, token: str, upload_id: str) -> Document:
        async with self._staff.reading(token, StaffFilesApi.staff_file_preview) as (member, session):
            row = await self._own(session, member).get(upload_id, UploadState.COMPLETE)
        return await preview_of(self._receiver.store, row)

    def _own(self, session: AsyncSession, member: StaffMember) -> UploadQueries:
        return _of(member.id, session, self._context.clock())


def _of(staff_id: int, session: AsyncSession, now: datetime) -> UploadQueries:
    return UploadQueries.of_staff(session, staff_id, now)


def _use(field: str) -> StaffFileUse | None:
    """What a file is for, from its field, such as 'unit-3'."""
    name = field.partition("-")[0]
    return StaffFileUse(name) if name in set(StaffFileUse) else None
