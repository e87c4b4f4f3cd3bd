"""The operations of staff on imports."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from pathlib import PurePath
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import find_one, part_of
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.store import store_of
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound, Unavailable
from portal.contract.models import Content, Page, mapped
from portal.contract.operations import CSV
from portal.imports.api import (
    MAX_FILE_NAME,
    MAX_RECORD,
    SOURCE_FORM,
    CorrectedRecord,
    Correction,
    Differences,
    DifferenceSearch,
    ImportLine,
    ImportRun,
    ImportRunReport,
    ImportsApi,
    ImportSearch,
    ImportStart,
    RejectedChoice,
    RejectedContent,
    RejectedRecord,
    Settlement,
    UnclearOrder,
    WaitingRecord,
)
from portal.imports.provider import differences
from portal.imports.provider.importer import Importer
from portal.imports.provider.rejections import keep_repaired
from portal.imports.provider.report import written
from portal.imports.provider.runs import wait
from portal.imports.rules.files import FORMS
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import reason_texts
from portal.imports.rules.records import RECORDS
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.orders.provider.money import UNCLEAR
from portal.tables.customers import CustomerRow
from portal.tables.exchange import ImportRunRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderRow
from portal.tables.staff import StaffRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import ImportForm, ImportState, ImportWay
from portal.vocabulary.files import LARGEST_FILE

RUN, RECORD, DIFFERENCE = "import", "rejected record", "import difference"
"""Kinds of records in the audit."""

ENDED = col(ImportRunRow.state).in_((ImportState.DONE, ImportState.FAILED))

SUFFIXES = {
    ImportForm.OWN: (".csv", ".jsonl", ".ndjson"),
    ImportForm.SHOPIFY: (".jsonl", ".ndjson"),
    ImportForm.WOOCOMMERCE: (".json", ".jsonl", ".ndjson"),
}


class ImportsService(ImportsApi):
    def __init__(self, context: Context, staff: StaffSessions) -> None:
        """Use the database, the store and the clock of the context."""
        self._context = context
        self._staff = staff
        self._incoming = IncomingFiles(context.settings.data_dir)
        self._store = store_of(context.settings)

    @override
    async def imports(self, token: str, asked: ImportSearch) -> Page[ImportRun]:
        async with self._staff.reading(token, ImportsApi.imports) as (_, session):
            query = select(ImportRunRow).where(ImportRunRow.state != ImportState.RECEIVING)
            if asked.kind:
                query = query.where(ImportRunRow.kind == asked.kind)
            query = query.order_by(col(ImportRunRow.began_at).desc(), col(ImportRunRow.id).desc())
            part = await part_of(session, query, asked.page)
            names = await _names(session, [row.staff_id for row in part.rows])
        items = [_run(row, names) for row in part.rows]
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def begin_import(self, token: str, start: ImportStart) -> ImportRun:
        now = self._context.clock()
        async with self._staff.changing(token, ImportsApi.begin_import) as (member, session):
            form = _checked(start)
            if not await self._incoming.has_space(start.size):
                raise Unavailable(Code.UPLOAD_FAILED)
            row = ImportRunRow(
                source=start.source,
                kind=start.kind,
                form=form,
                way=ImportWay.PAGE,
                file=PurePath(start.name).name,
                dry_run=start.dry_run,
                state=ImportState.RECEIVING,
                key=secrets.token_hex(16),
                staff_id=member.id,
                counts={"size": start.size},
                began_at=now,
            )
            session.add(row)
            await session.flush()
            details = {"kind": row.kind, "source": row.source, "dry_run": row.dry_run}
            await write_audit(session, member, AuditAction.IMPORT_FILE, RUN, row.public_id, details=details)
            return _run(row, {member.id: member.name})

    @override
    async def receive_import(self, token: str, import_id: str, body: AsyncIterator[bytes]) -> ImportRun:
        async with self._staff.reading(token, ImportsApi.receive_import) as (member, session):
            row = await _announced(session, member, import_id)
        try:
            place = await self._incoming.receive(row.key, row.counts["size"], body, _nothing)
            try:
                await self._store.keep(row.key, place)
            except Exception as error:
                raise Unavailable(Code.UPLOAD_FAILED) from error
            async with self._staff.changing(token, ImportsApi.receive_import) as (member, session):
                stored = await _announced(session, member, import_id, lock=True)
                stored.counts = {}
                await wait(session, stored, self._context.clock())
                return _run(stored, {member.id: member.name})
        except BaseException:
            # Also after a transfer that was broken off.
            await asyncio.shield(self._incoming.forget(row.key))
            raise

    @override
    async def import_run(self, token: str, import_id: str) -> ImportRunReport:
        async with self._staff.reading(token, ImportsApi.import_run) as (_, session):
            row = await find_one(session, select(ImportRunRow).where(ImportRunRow.public_id == import_id))
            names = await _names(session, [row.staff_id])
        named: dict[bool, list[ImportLine]] = {True: [], False: []}
        for line in map(ImportLine.model_validate, row.problems):
            named[bool(line.reason)].append(line)
        return ImportRunReport(run=_run(row, names), problems=named[True], records=named[False])

    @override
    async def import_report(self, token: str, import_id: str) -> Content:
        async with self._staff.reading(token, ImportsApi.import_report) as (member, session):
            row = await find_one(session, select(ImportRunRow).where(ImportRunRow.public_id == import_id, ENDED))
        named = [ImportLine.model_validate(line) for line in row.problems]
        chunks = written(self._store, row, named, member.locale)
        name = f"import-{row.kind}-{local_day(row.began_at)}.csv"
        return Content(name=name, media_type=CSV.media_type, size=0, chunks=chunks)

    @override
    async def rejected_records(self, token: str, asked: ImportSearch) -> Page[RejectedRecord]:
        async with self._staff.reading(token, ImportsApi.rejected_records) as (_, session):
            query = (
                select(RejectedRecordRow)
                .where(RejectedRecordRow.repaired == "")
                .order_by(col(RejectedRecordRow.id).desc())
            )
            part = await part_of(session, _of_kind(query, RejectedRecordRow, asked), asked.page)
        items = [_rejected(row) for row in part.rows]
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def send_rejected_again(self, token: str, choice: RejectedChoice) -> ImportRun:
        now = self._context.clock()
        async with self._staff.changing(token, ImportsApi.send_rejected_again) as (member, session):
            if choice.kind not in RECORDS:
                raise InvalidInput(Code.INVALID_INPUT, fields={"kind": Code.INVALID_CHOICE})
            row = ImportRunRow(
                source=choice.source,
                kind=choice.kind,
                form=ImportForm.AGAIN,
                way=ImportWay.PAGE,
                state=ImportState.WAITING,
                staff_id=member.id,
                began_at=now,
            )
            session.add(row)
            await wait(session, row, now)
            details = {"kind": row.kind, "source": row.source}
            await write_audit(session, member, AuditAction.SEND_REJECTED_AGAIN, RUN, row.public_id, details=details)
            return _run(row, {member.id: member.name})

    @override
    async def rejected_record(self, token: str, record_id: str) -> RejectedContent:
        async with self._staff.changing(token, ImportsApi.rejected_record) as (member, session):
            row = await _record(session, record_id)
            await _audit(session, member, AuditAction.REJECTED_RECORD, row)
        text = row.record.get("text") if set(row.record) == {"text"} else None
        content = text if isinstance(text, str) else json.dumps(row.record, indent=2, ensure_ascii=False)
        return RejectedContent(record=_rejected(row), content=content)

    @override
    async def correct_record(self, token: str, record_id: str, corrected: CorrectedRecord) -> Correction:
        async with self._staff.changing(token, ImportsApi.correct_record) as (member, session):
            row = await _record(session, record_id)
            values = _values(corrected.content)
            await _audit(session, member, AuditAction.CORRECT_RECORD, row)
        report = await Importer(self._context, row.source).store(row.kind, [RawRecord(0, values)])
        async with self._context.database.transaction() as session:
            again = select(RejectedRecordRow).where(
                RejectedRecordRow.source == row.source,
                RejectedRecordRow.kind == row.kind,
                RejectedRecordRow.external_id == str(values["external_id"])[:100],
                RejectedRecordRow.repaired == "",
            )
            found = (await session.exec(again)).first() if report.rejected else None
            if found is None:
                await keep_repaired(session, row)
        return Correction(
            stored=not report.rejected, waiting=bool(report.waiting), record=_rejected(found) if found else None
        )

    @override
    async def discard_record(self, token: str, record_id: str) -> None:
        async with self._staff.changing(token, ImportsApi.discard_record) as (member, session):
            row = await _record(session, record_id)
            await _audit(session, member, AuditAction.DISCARD_RECORD, row)
            await session.delete(row)

    @override
    async def waiting_records(self, token: str, asked: ImportSearch) -> Page[WaitingRecord]:
        async with self._staff.reading(token, ImportsApi.waiting_records) as (_, session):
            query = select(WaitingRecordRow).order_by(col(WaitingRecordRow.id))
            part = await part_of(session, _of_kind(query, WaitingRecordRow, asked), asked.page)
        items = [mapped(WaitingRecord, row) for row in part.rows]
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def unclear_orders(self, token: str, asked: ImportSearch) -> Page[UnclearOrder]:
        async with self._staff.reading(token, ImportsApi.unclear_orders) as (_, session):
            query = select(OrderRow).where(UNCLEAR).order_by(col(OrderRow.ordered_at).desc(), col(OrderRow.id).desc())
            part = await part_of(session, query, asked.page)
            owners = select(CustomerRow.id, CustomerRow.public_id).where(
                col(CustomerRow.id).in_({row.customer_id for row in part.rows})
            )
            customers = dict((await session.exec(owners)).all())
        items = [
            mapped(
                UnclearOrder,
                row,
                ordered_on=local_day(row.ordered_at),
                customer_id=customers[row.customer_id],
                parts=row.total - row.unexplained,
            )
            for row in part.rows
        ]
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def import_differences(self, token: str, asked: DifferenceSearch) -> Differences:
        async with self._staff.changing(token, ImportsApi.import_differences) as (member, session):
            found = await differences.open_differences(session, kind=asked.kind, after=asked.after)
            if found.items:
                details = {"seen": len(found.items)}
                await write_audit(session, member, AuditAction.IMPORT_DIFFERENCES, DIFFERENCE, details=details)
            return found

    @override
    async def settle_difference(self, token: str, difference_id: str, settlement: Settlement) -> None:
        async with self._staff.changing(token, ImportsApi.settle_difference) as (member, session):
            customer = await differences.settle(self._context, session, _number(difference_id), settlement.keep)
            if customer:
                # An account that is named with the new address needs a second person.
                await write_audit(session, member, AuditAction.CORRECT_EMAIL, "customer", customer)
            details = {"keep": settlement.keep.value}
            await write_audit(
                session, member, AuditAction.SETTLE_DIFFERENCE, DIFFERENCE, difference_id, details=details
            )


def _checked(start: ImportStart) -> ImportForm:
    """The form of an announced file."""
    wrong: dict[str, Code] = {}
    form = next((form for form in FORMS if form.value == start.form), None)
    if start.kind not in RECORDS:
        wrong["kind"] = Code.INVALID_CHOICE
    if not re.fullmatch(SOURCE_FORM, start.source):
        wrong["source"] = Code.INVALID_CHOICE
    if form is None:
        wrong["form"] = Code.INVALID_CHOICE
    if not start.size:
        wrong["file"] = Code.REQUIRED
    elif start.size > LARGEST_FILE:
        wrong["file"] = Code.MAX_UPLOAD_SIZE_REACHED
    elif len(start.name) > MAX_FILE_NAME or (form and PurePath(start.name).suffix.lower() not in SUFFIXES[form]):
        wrong["file"] = Code.FILE_NOT_ALLOWED
    if wrong or form is None:
        raise InvalidInput(Code.INVALID_INPUT, fields=wrong)
    return form


def _values(content: str) -> dict[str, object]:
    """The fields of a corrected record."""
    values: Any = None
    if len(content) <= MAX_RECORD:
        try:
            values = json.loads(content)
        except (ValueError, RecursionError):
            values = None
    if not isinstance(values, dict):
        code = Code.TOO_LONG if len(content) > MAX_RECORD else Code.INVALID_INPUT
        raise InvalidInput(Code.INVALID_INPUT, fields={"content": code})
    if not isinstance(values.get("external_id"), str | int) or values["external_id"] == "":
        raise InvalidInput(Code.INVALID_INPUT, fields={"content": Code.REQUIRED})
    return values


async def _nothing() -> None:
    """An announced import needs no renewal."""


async def _announced(session: AsyncSession, member: StaffMember, import_id: str, *, lock: bool = False) -> ImportRunRow:
    """The import of this person whose file is expected."""
    query = select(ImportRunRow).where(
        ImportRunRow.public_id == import_id,
        ImportRunRow.staff_id == member.id,
        ImportRunRow.state == ImportState.RECEIVING,
    )
    return await find_one(session, query, lock=lock)


def _number(text: str) -> int:
    """A primary key in a path."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NotFound
    return int(text)


async def _record(session: AsyncSession, record_id: str) -> RejectedRecordRow:
    row = await session.get(RejectedRecordRow, _number(record_id))
    if row is None or row.repaired:
        raise NotFound
    return row


async def _audit(session: AsyncSession, member: StaffMember, action: AuditAction, row: RejectedRecordRow) -> None:
    details = {"source": row.source, "kind": row.kind, "external_id": row.external_id}
    await write_audit(session, member, action, RECORD, str(row.id), details=details)


def _of_kind(query: Any, table: Any, asked: ImportSearch) -> Any:
    return query.where(table.kind == asked.kind) if asked.kind else query


async def _names(session: AsyncSession, keys: list[int | None]) -> dict[int, str]:
    query = select(StaffRow.id, StaffRow.name).where(col(StaffRow.id).in_([key for key in keys if key]))
    return {key or 0: name for key, name in (await session.exec(query)).all()}


def _run(row: ImportRunRow, names: dict[int, str]) -> ImportRun:
    ended = row.state in {ImportState.DONE, ImportState.FAILED}
    return mapped(
        ImportRun,
        row,
        import_id=row.public_id,
        by=names.get(row.staff_id or 0, ""),
        failure=reason_texts(row.failure, row.failure_values)["en"] if row.failure else "",
        failure_code=row.failure,
        **(row.counts if ended else {}),
    )


def _rejected(row: RejectedRecordRow) -> RejectedRecord:
    return mapped(RejectedRecord, row, record_id=str(row.id))
