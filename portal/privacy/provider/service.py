"""Operations of privacy rights (part-1 §13), and the archive with everything that is stored about a customer."""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits, transports
from portal.backend.confirmation_codes import ConfirmationCodes, typed_code
from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, in_thread, store_of, tidy_name
from portal.backend.letter import day
from portal.backend.limits import Limit, subject
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import SecurityEvent, note, shown_email
from portal.backend.sessions import Owner, Service, Sessions
from portal.contract.errors import Conflict, NotFound, Refused, Unavailable
from portal.contract.models import Content, Locale
from portal.kernel import terms
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.texts import N_, gettext_for
from portal.orders.provider.invoice_document import InvoiceDocument
from portal.orders.provider.invoices import InvoiceQueries, invoice_content, invoice_file_name
from portal.privacy.api import DataExport, ErasureCode, ErasureCodeSent, PersonalData, PrivacyApi
from portal.privacy.provider.erasure import erase, running
from portal.privacy.provider.inventory import INVENTORY
from portal.tables.customers import CustomerRow, DataExportRow, ErasureCodeRow, PrivacyEventRow
from portal.tables.drafts import UploadRow, UploadState
from portal.vocabulary.actions import Topic
from portal.vocabulary.customers import ExportStatus, PrivacyActor, PrivacyEventKind

EXPORT_KIND = "data export"
GIVE_UP_AFTER = timedelta(hours=1)
"""Time after which making a copy counts as failed."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a copy contains: rows by table, uploaded files, and invoices with the keys of the shop's own PDFs."""

    tables: dict[str, list[dict[str, object]]]
    uploads: Sequence[UploadRow]
    invoices: Sequence[tuple[InvoiceDocument, str | None]]


class Exports:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = store_of(context.settings)
        self._work = IncomingFiles(context.settings.data_dir)

    async def make(self, export_id: int) -> None:
        """Make one copy, store it and mail that it is ready. Runs as a job; a second run starts anew."""
        async with self._context.database.session() as session:
            row = (await session.exec(select(DataExportRow).where(DataExportRow.id == export_id))).one_or_none()
            if row is None or row.ready_at or self._context.clock() >= row.give_up_at:
                return
            customer = (await session.exec(select(CustomerRow).where(CustomerRow.id == row.customer_id))).one()
            tables = await customer_data(session, row.customer_id)
            uploads = await _uploads(session, row.customer_id)
            invoices = InvoiceQueries(session, row.customer_id)
            documents = [
                (await invoices.document(invoice), await invoices.document_key(invoice.public_id))
                for invoice in await invoices.all()
            ]
        file = self._work.place(f"export-{row.key}")
        try:
            await self._pack(file, Contents(tables, uploads, documents), customer)
            size = (await in_thread(file.stat)).st_size
            await self._store.keep(row.key, file)
        finally:
            await in_thread(file.unlink, missing_ok=True)
        if not await self._finish(row, size):
            await self._store.remove(row.key)

    async def _pack(self, place: Path, contents: Contents, customer: CustomerRow) -> None:
        locale, settings = _locale(customer), self._context.settings.of(customer.source)
        say = gettext_for(locale)
        archive = await in_thread(_create, place)
        try:
            await in_thread(archive.writestr, say(_READ_ME_NAME), say(_READ_ME))
            await in_thread(archive.writestr, say(_DATA_NAME), _json(contents.tables))
            for upload in contents.uploads:
                # The id keeps files of the same name apart.
                name = f"{say(_FOLDER)}/{upload.public_id}-{tidy_name(upload.name)}"
                target = await in_thread(archive.open, name, "w", force_zip64=True)
                try:
                    await _copy(self._store, upload.key, target)
                finally:
                    await in_thread(target.close)
            for document, key in contents.invoices:
                name = f"{say(_INVOICES)}/{invoice_file_name(document, locale)}"
                content = await invoice_content(settings, document, key, locale)
                await in_thread(archive.writestr, name, content)
        finally:
            await in_thread(archive.close)

    async def _finish(self, row: DataExportRow, size: int) -> bool:
        """Record that a copy is ready; False if the customer was erased or asked again in the meantime."""
        now = self._context.clock()
        expires_at = now + timedelta(days=terms.EXPORT_DAYS)
        async with self._context.database.transaction() as session:
            done = await session.exec(
                update(DataExportRow)
                .where(col(DataExportRow.id) == row.id, col(DataExportRow.ready_at).is_(None))
                .values(ready_at=now, size=size, expires_at=expires_at)
            )
            if done.rowcount == 0:
                return False
            customer = (await session.exec(select(CustomerRow).where(CustomerRow.id == row.customer_id))).one()
            session.add(
                PrivacyEventRow(
                    kind=PrivacyEventKind.EXPORT_MADE,
                    actor=PrivacyActor.PORTAL,
                    customer_id=row.customer_id,
                    happened_at=now,
                )
            )
            await publish(session, row.customer_id, Topic.PERSONAL_DATA, now)
            locale = _locale(customer)
            await Outbox(self._context).post(
                session,
                Template.DATA_READY,
                recipient=customer.email,
                locale=locale,
                customer_id=row.customer_id,
                details={"day": day(local_day(expires_at), locale)},
            )
        return True


_READ_ME_NAME, _DATA_NAME, _FOLDER, _INVOICES = N_("read-me.txt"), N_("data.json"), N_("files"), N_("invoices")
_READ_ME = N_(
    "This is a copy of everything the portal stores about you.\n\ndata.json has a list for "
    "each kind of data. The files you sent and your invoices are next to it. Hashes and "
    "internal keys are left out, because they would only weaken the protection of your "
    "account.\n"
)


async def customer_data(session: AsyncSession, customer_id: int) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for stored in INVENTORY:
        columns = stored.exported
        query = select(*columns).where(stored.rows_of(customer_id)).order_by(*stored.table.primary_key)
        rows = (await session.exec(query)).all()
        names = [column.name for column in columns]
        if rows:
            found[stored.table.name] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


async def _uploads(session: AsyncSession, customer_id: int) -> Sequence[UploadRow]:
    # Files of staff are in it once they were sent to the customer.
    query = select(UploadRow).where(
        UploadRow.customer_id == customer_id,
        UploadRow.state == UploadState.COMPLETE,
        or_(col(UploadRow.staff_id).is_(None), col(UploadRow.shared)),
    )
    return (await session.exec(query.order_by(col(UploadRow.id)))).all()


def _create(place: Path) -> ZipFile:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Nobody else on this server may read it, also not while it is being written.
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    return ZipFile(place, "w", ZIP_DEFLATED)


async def _copy(store: Store, key: str, target: Any) -> None:
    async for piece in store.read(key):
        await in_thread(target.write, piece)


def _json(tables: dict[str, list[dict[str, object]]]) -> str:
    return json.dumps(tables, default=_plain, ensure_ascii=False, indent=2)


def _plain(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _locale(customer: CustomerRow) -> Locale:
    return "en" if customer.locale == "en" else "nl"


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
