"""The copy of a customer's data: a ZIP file with JSON and the uploaded files, made by a job (part-1 §13)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import Store, in_thread, store_of, tidy_name
from portal.backend.letter import day
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.contract.models import Locale
from portal.kernel import terms
from portal.kernel.days import local_day
from portal.kernel.texts import N_, gettext_for
from portal.orders.provider.invoice_document import InvoiceDocument
from portal.orders.provider.invoices import InvoiceQueries, invoice_content, invoice_file_name
from portal.privacy.provider.inventory import INVENTORY
from portal.tables.customers import CustomerRow, DataExportRow, PrivacyEventRow
from portal.tables.drafts import UploadRow, UploadState
from portal.vocabulary.actions import Topic
from portal.vocabulary.customers import PrivacyActor, PrivacyEventKind

KIND = "data export"
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
