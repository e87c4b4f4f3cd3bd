"""Operations of privacy rights (part-1 §13)."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits, transports
from portal.backend.confirmation_codes import ConfirmationCodes, typed_code
from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.limits import Limit, subject
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import SecurityEvent, note, shown_email
from portal.backend.sessions import Owner, Service, Sessions
from portal.contract.errors import Conflict, NotFound, Refused, Unavailable
from portal.contract.models import Content
from portal.kernel import terms
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.privacy.api import DataExport, ErasureCode, ErasureCodeSent, PersonalData, PrivacyApi
from portal.privacy.provider.erasure import erase, running
from portal.privacy.provider.export import GIVE_UP_AFTER
from portal.privacy.provider.export import KIND as EXPORT_KIND
from portal.tables.customers import DataExportRow, ErasureCodeRow, PrivacyEventRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.customers import ExportStatus, PrivacyActor, PrivacyEventKind

CLEANUP_KIND = "erased files"
EXPORTS_PER_DAY = 5
_DAY = timedelta(days=1)


class PrivacyService(Service, PrivacyApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)
        self._store = store_of(context.settings)
        self._codes = ConfirmationCodes(context, ErasureCodeRow)

    @override
    async def personal_data(self, token: str) -> PersonalData:
        async with self._sessions.reading(token) as (owner, session):
            return await self._state(session, owner.customer_id)

    @override
    async def ask_for_export(self, token: str) -> PersonalData:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        old_key = ""
        try:
            async with self._context.database.transaction() as session:
                row = await _export_of(session, owner.customer_id)
                if row is None or self._status(row) is not ExportStatus.WAITING:
                    held = [self._export_limit(owner)]
                    await limits.enforce(session, held, now, self._settings, customer=owner.customer_id)
                    old_key = row.key if row else ""
                    await session.exec(delete(DataExportRow).where(col(DataExportRow.customer_id) == owner.customer_id))
                    await self._begin_export(session, owner)
                state = await self._state(session, owner.customer_id)
        except IntegrityError:
            # The customer asked in two tabs at once: the first one started the copy.
            return await self.personal_data(token)
        if old_key:
            await self._store.remove(old_key)
        return state

    async def _begin_export(self, session: AsyncSession, owner: Owner) -> None:
        now = self._context.clock()
        row = DataExportRow(
            customer_id=owner.customer_id,
            key=secrets.token_hex(32),
            created_at=now,
            give_up_at=now + GIVE_UP_AFTER,
            expires_at=now + timedelta(days=terms.EXPORT_DAYS),
        )
        session.add(row)
        session.add(
            PrivacyEventRow(
                kind=PrivacyEventKind.EXPORT_ASKED,
                actor=PrivacyActor.CUSTOMER,
                customer_id=owner.customer_id,
                happened_at=now,
            )
        )
        await session.flush()
        await self._context.jobs.enqueue(session, EXPORT_KIND, row.id, give_up_at=row.give_up_at)
        await publish(session, owner.customer_id, Topic.PERSONAL_DATA, now)

    def _export_limit(self, owner: Owner) -> Limit:
        return Limit(subject(self._settings, "data-export", str(owner.customer_id)), EXPORTS_PER_DAY, _DAY)

    @override
    async def export_content(self, token: str, export_id: str) -> Content:
        async with self._sessions.reading(token) as (owner, session):
            row = await _export_of(session, owner.customer_id)
            state = await self._state(session, owner.customer_id)
        found = state.export
        if row is None or found is None or found.export_id != export_id or found.status is not ExportStatus.READY:
            raise NotFound
        day = local_day(row.created_at).isoformat()
        name = f"{'my-data' if owner.locale == 'en' else 'mijn-gegevens'}-{day}.zip"
        return Content(name=name, media_type="application/zip", size=row.size, chunks=self._read(row.key))

    async def _read(self, key: str) -> AsyncGenerator[bytes, None]:
        try:
            async for chunk in self._store.read(key):
                yield chunk
        except Exception as error:
            raise Unavailable from error

    @override
    async def request_erasure(self, token: str) -> ErasureCodeSent:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        held = [
            Limit(
                subject(self._settings, "erasure", str(owner.customer_id)),
                self._settings.codes_per_account_hour,
                gap=timedelta(seconds=self._settings.code_wait_seconds),
            )
        ]
        async with self._context.database.transaction() as session:
            if await running(session, owner.customer_id):
                raise Conflict(Code.ERASURE_NOT_POSSIBLE)
            await limits.enforce(session, held, now, self._settings, customer=owner.customer_id)
            issued = await self._codes.issue(session, owner)
            await self._outbox.post(
                session,
                Template.ERASURE_CODE,
                recipient=owner.email,
                locale=owner.locale,
                customer_id=owner.customer_id,
                code=issued.code,
                expires_at=issued.expires_at,
            )
            resend_at = await limits.next_at(session, held, now)
        return ErasureCodeSent(email=shown_email(owner.email), expires_at=issued.expires_at, resend_at=resend_at)

    @override
    async def confirm_erasure(self, token: str, entry: ErasureCode) -> None:
        owner = await self._sessions.owner(token)
        typed = typed_code(entry.code)
        export: DataExportRow | None = None
        async with self._context.database.transaction() as session:
            found = await self._codes.check(session, owner, typed)
            refusal = found if isinstance(found, Code) else None
            if refusal is None and await running(session, owner.customer_id):
                refusal = Code.ERASURE_NOT_POSSIBLE
            if refusal is None:
                export = await _export_of(session, owner.customer_id)
                await self._erase(session, owner)
        if refusal is not None:
            note(self._settings, SecurityEvent.ERASURE_FAILED, customer=owner.customer_id, why=refusal)
            raise (Conflict if refusal is Code.ERASURE_NOT_POSSIBLE else Refused)(refusal)
        note(self._settings, SecurityEvent.ERASED, customer=owner.customer_id)
        if export is not None:
            # Should this fail, the daily comparison of store and tables deletes the file.
            await self._store.remove(export.key)

    async def _erase(self, session: AsyncSession, owner: Owner) -> None:
        now = self._context.clock()
        await erase(session, owner.customer_id, now, PrivacyActor.CUSTOMER)
        if not self._settings.smtp.host:
            await asyncio.to_thread(transports.forget, self._settings.data_dir, owner.email, now)
        await self._outbox.post(
            session,
            Template.DATA_ERASED,
            recipient=owner.email,
            locale=owner.locale,
            details={"years": self._settings.retention.tax_years},
        )
        await self._context.jobs.enqueue(session, CLEANUP_KIND, owner.customer_id, give_up_at=now + 7 * _DAY)

    async def _state(self, session: AsyncSession, customer_id: int) -> PersonalData:
        row = await _export_of(session, customer_id)
        known = row is not None and (row.ready_at is None or self._context.clock() < row.expires_at)
        return PersonalData(
            export=self._export(row) if row and known else None, running=await running(session, customer_id)
        )

    def _export(self, row: DataExportRow) -> DataExport:
        return DataExport(
            export_id=row.public_id,
            status=self._status(row),
            asked_at=row.created_at,
            size=row.size,
            expires_at=row.expires_at,
        )

    def _status(self, row: DataExportRow) -> ExportStatus:
        now = self._context.clock()
        if row.ready_at:
            return ExportStatus.READY
        return ExportStatus.WAITING if now < row.give_up_at else ExportStatus.FAILED


async def _export_of(session: AsyncSession, customer_id: int) -> DataExportRow | None:
    return (await session.exec(select(DataExportRow).where(DataExportRow.customer_id == customer_id))).one_or_none()
