"""The import of records of one source: what was read is cleaned, reconciled and stored, and the report counts it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from sqlalchemy import ColumnElement, RowMapping, and_, delete, select
from sqlalchemy.exc import IntegrityError

from portal.backend.context import Context
from portal.backend.files.store import in_thread
from portal.backend.security import Purpose, keyed_hash
from portal.contract.errors import Unavailable
from portal.imports.api import ImportLine
from portal.imports.provider.attachments import ATTACHMENTS
from portal.imports.provider.completing import address_customers
from portal.imports.provider.fetching import check_address, order_file
from portal.imports.provider.kind import Kind, execute
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.merging import table_of
from portal.imports.provider.order_rows import kinds_of_articles
from portal.imports.provider.record_files import DocumentRefused, read_file_of
from portal.imports.provider.rejections import keep_rejected, repaired, sent_as
from portal.imports.provider.report import Report, problem
from portal.imports.provider.storing import CleanRecord, RecordStore, StoreOutcome
from portal.imports.rules.cleaning import RecordRefused, cleaned, tidied
from portal.imports.rules.order_records import OrderRecord
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import UNREADABLE, Reason
from portal.imports.rules.records import BikeRecord, ProductRecord
from portal.kernel.validation import InvalidValue, order_number
from portal.tables.exchange import ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.vocabulary.exchange import ImportOutcome, Rejection
from portal.vocabulary.orders import ItemKind

log = structlog.get_logger(__name__)

BATCH = 500
"""Records in one transaction."""

_line, _waiting, _imported = (table_of(row) for row in (RejectedRecordRow, WaitingRecordRow, ImportedRow))

Progress = Callable[[Report, int], None]


class _Unnamed(NamedTuple):
    """Records without an id that were rejected before: the rows of a file by line, and `sent_as` of repaired ones."""

    lines: dict[int, int]
    repaired: set[str]


class Importer:
    """Imports the records of one source.

    `folder`: where the files are that records name; None if they can name none.
    """

    def __init__(self, context: Context, source: str, *, dry_run: bool = False, folder: Path | None = None) -> None:
        self._context = context
        self._source = source
        self._dry_run = dry_run
        self._kinds: dict[str, ItemKind] = {}
        self.folder = folder
        self._number_form = context.settings.of(source).order_number
        self._store = RecordStore(context, source)
        self._rejected: list[tuple[ImportLine, dict[str, Any]]] = []
        self._unnamed: _Unnamed | None = None

    async def store(
        self,
        kind_name: str,
        records: Iterable[RawRecord],
        file: str = "",
        progress: Progress = lambda _report, _line: None,
    ) -> Report:
        """Import records of a kind."""
        kind, report = KINDS[kind_name], Report()
        self._unnamed = None
        for batch in _batches(records):
            if self._unnamed is None:
                # The first record is read before the database is asked, so that a wrong file says so.
                self._unnamed = await self._earlier_unnamed(kind, file)
            known = await self._repaired(kind, batch)
            entries: dict[str, CleanRecord] = {}
            for raw in batch:
                report.read += 1
                if known and sent_as(_sent(raw)) in known:
                    report.stored(ImportOutcome.UNCHANGED, raw.line, _shown(raw))
                elif entry := await self._cleaned(kind, raw, report):
                    if entry.record.external_id in entries:
                        # The later of two versions wins, so the earlier one is stored first.
                        await self._write(kind, list(entries.values()), file, report)
                        entries.clear()
                    entries[entry.record.external_id] = entry
            await self._write(kind, list(entries.values()), file, report)
            read = {line for raw in batch if not raw.error and _shown(raw) for line in raw.lines}
            if file:
                await self._forget(read)
            report.write()
            progress(report, batch[-1].lines[-1] if batch[-1].line else 0)
        if not self._dry_run:
            await self._sweep(report)
            async with self._context.database.transaction() as session:
                await address_customers(session, self._store.unaddressed)
                self._store.unaddressed.clear()
        report.write()
        return report

    async def again(self, kind_name: str) -> Report:
        """Import the rejected records of a kind again, as they were sent.

        What could not be read, or has no id, stays as it is: only a newer file or staff can correct it.
        """
        async with self._context.database.session() as session:
            query = select(_line).where(
                _line.c.source == self._source, _line.c.kind == kind_name, _line.c.repaired == ""
            )
            rows = (await execute(session, query.order_by(_line.c.id))).mappings().all()
        unread, readable = list[RowMapping](), list[RawRecord]()
        for row in rows:
            if row["code"] in UNREADABLE or not row["external_id"]:
                unread.append(row)
            else:
                readable.append(RawRecord(0, row["record"]))
        report = await self.store(kind_name, readable)
        for row in unread:
            report.read += 1
            found = problem(row["line"], row["external_id"], row["field"], Reason(row["code"], row["values"]))
            report.add(ImportOutcome.REJECTED, found)
        report.write()
        return report

    async def _cleaned(self, kind: Kind, raw: RawRecord, report: Report) -> CleanRecord | None:
        """Clean and reconcile a record; None if it is left out or rejected."""
        shown = _shown(raw)
        if raw.left_out and raw.error:
            report.add(ImportOutcome.LEFT_OUT, problem(raw.line, shown, "", raw.error))
            return None
        try:
            entry = self._entry(kind, raw)
            await self._attach(kind, entry)
        except RecordRefused as refused:
            self._reject(raw, shown, refused, report)
            return None
        except Unavailable:
            raise
        except Exception as error:
            log.exception("record not cleaned", kind=kind.name, source=self._source, line=raw.line)
            refused = RecordRefused("", Reason(Rejection.OTHER_FORM, {"detail": type(error).__name__}))
            self._reject(raw, shown, refused, report)
            return None
        return entry

    def _entry(self, kind: Kind, raw: RawRecord) -> CleanRecord:
        if raw.error:
            raise RecordRefused(raw.field, raw.error)
        record, notes = cleaned(kind.record, raw.values)
        if isinstance(record, OrderRecord):
            try:
                order_number(record.order_number, self._number_form)
            except InvalidValue as error:
                raise RecordRefused("order_number", Reason(error.code.value)) from None
        canonical = json.dumps(record.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        if isinstance(record, BikeRecord):  # A pin code has so few digits that trying them all finds it.
            return CleanRecord(raw, record, notes, keyed_hash(self._context.settings, Purpose.RECORD, canonical))
        return CleanRecord(raw, record, notes, hashlib.sha256(canonical.encode()).hexdigest())

    async def _attach(self, kind: Kind, entry: CleanRecord) -> None:
        """Store the file that a record names."""
        attached = ATTACHMENTS.get(kind.name)
        if attached is None or not (name := getattr(entry.record, attached.field)):
            return
        external_id = entry.record.external_id
        try:
            if "://" in name:
                check_address(self._context.settings, name)
                if not self._dry_run:
                    await order_file(self._context, attached, self._source, external_id, name, entry.raw.values)
                return
            if self.folder is None:
                raise DocumentRefused(Reason(Rejection.PATH_BY_API))
            content = await in_thread(read_file_of, self.folder, name, attached.largest)
            if self._dry_run:
                await attached.check(self._context, content)
            else:
                await attached.store(self._context, self._source, external_id, content, "")
        except DocumentRefused as refused:
            raise RecordRefused(attached.field, refused.reason) from None

    async def _write(self, kind: Kind, entries: Sequence[CleanRecord], file: str, report: Report) -> None:
        """Store records; if something goes wrong, by halves, until only the record with which it does is left out."""
        await self._keep_rejected(kind, file)
        if not entries:
            return
        try:
            outcome = await (self._store.plan if self._dry_run else self._store.write)(kind, entries)
        except Unavailable:
            raise
        except Exception as error:
            if len(entries) > 1:
                for half in (entries[: len(entries) // 2], entries[len(entries) // 2 :]):
                    await self._write(kind, half, file, report)
                return
            conflict = isinstance(error, IntegrityError)
            if not conflict:
                log.exception("record not stored", kind=kind.name, source=self._source, line=entries[0].raw.line)
            reason = Reason(Rejection.CONFLICT if conflict else Rejection.NOT_STORED)
            outcome = StoreOutcome(rejected=[(entries[0], "", reason)])
        self._count(outcome, report)
        for entry, field, reason in outcome.rejected:
            self._reject(entry.raw, entry.record.external_id, RecordRefused(field, reason), report)
        await self._keep_rejected(kind, file)
        if self._dry_run:
            await self._foresee([*outcome.created, *outcome.changed], report)
        elif outcome.created:
            ids = [entry.record.external_id for entry in outcome.created]
            await self._join(and_(_waiting.c.needs_kind == kind.name, _waiting.c.needs_id.in_(ids)), report)

    async def _foresee(self, entries: Sequence[CleanRecord], report: Report) -> None:
        """Count the lines that are bikes, and name once each article of which nobody says what it is."""
        records = [entry.record for entry in entries]
        self._kinds |= {record.sku: record.kind for record in records if isinstance(record, ProductRecord)}
        orders = [record for record in records if isinstance(record, OrderRecord)]
        async with self._context.database.session() as session:
            self._kinds |= await kinds_of_articles(session, orders)
        for entry, record in zip(entries, orders, strict=False):
            for position, line in enumerate(record.lines):
                found = line.kind or self._kinds.get(line.sku)
                report.bikes += found not in (None, ItemKind.ACCESSORY)
                if found is None:
                    self._kinds[line.sku] = ItemKind.ACCESSORY
                    reason = Reason(Rejection.KIND_UNKNOWN, {"sku": line.sku})
                    place = f"lines.{position}.kind"
                    report.name(ImportOutcome.NOTED, problem(entry.raw.line, record.external_id, place, reason))

    @staticmethod
    def _count(outcome: StoreOutcome, report: Report) -> None:
        for result, entries in (
            (ImportOutcome.CREATED, outcome.created),
            (ImportOutcome.CHANGED, outcome.changed),
            (ImportOutcome.UNCHANGED, outcome.unchanged),
        ):
            for entry in entries:
                joined = entry.waited and result is not ImportOutcome.UNCHANGED
                report.stored(ImportOutcome.JOINED if joined else result, entry.raw.line, entry.record.external_id)
        report.differences += outcome.differences
        for entry in (*outcome.created, *outcome.changed, *(entry for entry, _ in outcome.waiting)):
            line, external_id = entry.raw.line, entry.record.external_id
            if entry.waited:
                continue
            report.noted += bool(entry.notes)
            for note in entry.notes:
                report.name(ImportOutcome.NOTED, problem(line, external_id, note.field, note.reason))
            if not entry.record.adds_up:
                report.add(ImportOutcome.MISMATCHED, problem(line, external_id, "total", Reason(Rejection.MISMATCH)))
        for entry, needed in outcome.waiting:
            if not entry.waited:
                reason = Reason(Rejection.WAITS, {"id": needed.external_id, "kind": needed.kind})
                report.add(ImportOutcome.WAITING, problem(entry.raw.line, entry.record.external_id, "", reason))

    async def _join(self, condition: ColumnElement[bool], report: Report) -> None:
        """Store records that waited for something that is there now."""
        query = select(_waiting.c.kind, _waiting.c.external_id, _waiting.c.record)
        async with self._context.database.session() as session:
            found = (await execute(session, query.where(_waiting.c.source == self._source, condition))).all()
        joined: dict[str, list[CleanRecord]] = defaultdict(list)
        for row in found:
            kind, raw = KINDS[row.kind], RawRecord(0, row.record)
            try:
                joined[row.kind].append(replace(self._entry(kind, raw), waited=True))
            except RecordRefused as refused:
                # By the rules of an earlier version it was right.
                self._reject(raw, row.external_id, refused, report)
                await self._keep_rejected(kind, "")
        for name, entries in joined.items():
            for start in range(0, len(entries), BATCH):
                await self._write(KINDS[name], entries[start : start + BATCH], "", report)

    async def _sweep(self, report: Report) -> None:
        """Join what waits for something that came while it was stored, such as by another import."""
        there = select(_imported.c.id).where(
            _imported.c.source == _waiting.c.source,
            _imported.c.kind == _waiting.c.needs_kind,
            _imported.c.external_id == _waiting.c.needs_id,
        )
        await self._join(there.exists(), report)

    def _reject(self, raw: RawRecord, external_id: str, refused: RecordRefused, report: Report) -> None:
        found = problem(raw.line, external_id, refused.field, refused.reason)
        report.add(ImportOutcome.REJECTED, found)
        if not self._dry_run:
            self._rejected.append((found, _sent(raw)))

    async def _keep_rejected(self, kind: Kind, file: str) -> None:
        if not self._rejected:
            return
        async with self._context.database.transaction() as session:
            replaced = self._taken([found.line for found, _ in self._rejected if not found.external_id])
            if replaced:
                await execute(session, delete(_line).where(_line.c.id.in_(replaced)))
            await keep_rejected(session, self._source, kind.name, self._rejected, self._context.clock(), file)
            waited = (_waiting.c.source == self._source, _waiting.c.kind == kind.name)
            ids = {found.external_id for found, _ in self._rejected}
            await execute(session, delete(_waiting).where(*waited, _waiting.c.external_id.in_(ids)))
        self._rejected.clear()

    async def _repaired(self, kind: Kind, batch: Sequence[RawRecord]) -> set[str]:
        unnamed = self._unnamed.repaired if self._unnamed else set()
        if not (ids := {_shown(raw) for raw in batch} - {""}):
            return unnamed
        async with self._context.database.session() as session:
            return unnamed | await repaired(session, self._source, kind.name, ids)

    async def _earlier_unnamed(self, kind: Kind, file: str) -> _Unnamed:
        query = select(_line.c.line, _line.c.id, _line.c.file, _line.c.repaired).where(
            _line.c.source == self._source, _line.c.kind == kind.name, _line.c.external_id == ""
        )
        async with self._context.database.session() as session:
            rows = (await execute(session, query)).all()
        lines = {row.line: row.id for row in rows if row.file == file[:200] and not row.repaired}
        return _Unnamed({} if self._dry_run else lines, {row.repaired for row in rows} - {""})

    async def _forget(self, lines: set[int]) -> None:
        """Delete rejected lines that could be read this time. Their records are stored, or kept under their own id."""
        if rows := self._taken(lines):
            async with self._context.database.transaction() as session:
                await execute(session, delete(_line).where(_line.c.id.in_(rows)))

    def _taken(self, lines: Iterable[int]) -> list[int]:
        """The earlier rows of these lines, which are replaced or deleted now."""
        earlier = self._unnamed.lines if self._unnamed else {}
        return [earlier.pop(line) for line in lines if line in earlier]


def _sent(raw: RawRecord) -> dict[str, object]:
    """A record as it is kept, in signs that every database takes."""
    return tidied(raw.values) if raw.values else {"text": raw.text.replace("\x00", "")}


def _shown(raw: RawRecord) -> str:
    external_id = raw.values.get("external_id")
    return str(tidied(external_id))[:100] if isinstance(external_id, str | int) else ""


def _batches(records: Iterable[RawRecord]) -> Iterator[list[RawRecord]]:
    batch: list[RawRecord] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
