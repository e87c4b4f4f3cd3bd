"""Stores records in batches, each in a transaction of its own, and reports what became of them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError
from sqlalchemy import ColumnElement, delete, insert, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.store import in_thread
from portal.imports.api import ImportCounts, ImportLine
from portal.imports.provider.attachments import ATTACHMENTS
from portal.imports.provider.fetching import check_address, order_file
from portal.imports.provider.kind import Columns, Kind, Reference, RowReference, Rows, Stored, execute
from portal.imports.provider.kinds import KINDS
from portal.imports.provider.leaving import follow_cancelled, give_away
from portal.imports.provider.merging import Imported, Merger, plain, table_of
from portal.imports.provider.record_files import DocumentRefused, read_file_of
from portal.imports.provider.rejections import keep_rejected, problem
from portal.imports.rules.fields import ShopRecord
from portal.imports.rules.order_records import OrderRecord
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import UNREADABLE, Reason, reason_of
from portal.kernel.validation import InvalidValue, order_number
from portal.tables.exchange import ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderRow
from portal.vocabulary.exchange import Rejection

BATCH = 500
"""Records in one transaction."""

PROBLEMS = 1000
"""Most problems that a report names. The counts are complete, and every rejected record is stored."""


class Report(ImportCounts):
    """What became of the records of an import, counted while it runs.

    Attributes:
        problems: the first rejected and waiting records.
    """

    model_config = ConfigDict(frozen=False)

    problems: list[ImportLine] = Field(default_factory=list)

    def note(self, problem: ImportLine) -> None:
        """Add a problem while there is room."""
        if len(self.problems) < PROBLEMS:
            self.problems.append(problem)

    def counts(self) -> dict[str, int]:
        return self.model_dump(include=set(ImportCounts.model_fields))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A valid record on its way into the database; `waited` tells whether it had to wait for another one."""

    raw: RawRecord
    record: ShopRecord
    fingerprint: str
    waited: bool = False


@dataclass(slots=True)
class _Outcome:
    created: list[_Entry] = field(default_factory=list)
    changed: list[_Entry] = field(default_factory=list)
    unchanged: list[_Entry] = field(default_factory=list)
    waiting: list[tuple[_Entry, Reference]] = field(default_factory=list)
    rejected: list[tuple[_Entry, str, Reason]] = field(default_factory=list)
    differences: int = 0


ERASED = ""
"""Fingerprint of a record whose customer was erased."""

_line = table_of(RejectedRecordRow)

_TAKEN, _GONE, _CONFLICT = (Reason(code) for code in (Rejection.TAKEN, Rejection.ROW_GONE, Rejection.CONFLICT))


class Importer:
    """Stores the records of one source.

    Attributes:
        folder: where the files are that records name; None if they can name none.
    """

    def __init__(self, context: Context, source: str, *, dry_run: bool = False, folder: Path | None = None) -> None:
        self._context = context
        self._source = source
        self._dry_run = dry_run
        self.folder = folder
        self._shop = context.settings.shop_of(source)
        self._number_form = context.settings.of(source).order_number
        self._planned: set[Reference] = set()

    async def store(
        self,
        kind_name: str,
        records: Iterable[RawRecord],
        file: str = "",
        progress: Callable[[Report, int], None] = lambda _report, _line: None,
    ) -> Report:
        kind, report = KINDS[kind_name], Report()
        unreadable: set[int] | None = None
        for batch in _batches(records):
            if unreadable is None:
                unreadable = await self._unreadable(kind, file)
            entries: dict[str, _Entry] = {}
            readable: set[int] = set()
            for raw in batch:
                report.read += 1
                found = await self._with_file(kind, self._with_number(_parse(kind, raw)))
                if isinstance(found, ImportLine):
                    await self._reject(kind, raw, found, file, report)
                    continue
                readable |= unreadable.intersection(raw.lines)
                if found.record.external_id in entries:
                    # The later of two versions wins, so the earlier one is stored first.
                    await self._store(kind, list(entries.values()), file, report)
                    entries.clear()
                entries[found.record.external_id] = found
            await self._store(kind, list(entries.values()), file, report)
            if readable:
                await self._forget_lines(kind, file, readable)
            progress(report, batch[-1].lines[-1] if batch[-1].line else 0)
        return report

    async def _unreadable(self, kind: Kind, file: str) -> set[int]:
        """The lines of a file that could not be read in an earlier import, such as the last one of a cut file."""
        if not file or self._dry_run:
            return set()
        async with self._context.database.session() as session:
            return set((await execute(session, select(_line.c.line).where(*self._lines(kind, file)))).scalars())

    async def _forget_lines(self, kind: Kind, file: str, lines: set[int]) -> None:
        """Delete rejected lines that could be read this time. Their records are stored, or kept under their own id."""
        async with self._context.database.transaction() as session:
            await execute(session, delete(_line).where(*self._lines(kind, file), _line.c.line.in_(lines)))

    def _lines(self, kind: Kind, file: str) -> tuple[ColumnElement[bool], ...]:
        return (
            _line.c.source == self._source,
            _line.c.kind == kind.name,
            _line.c.external_id == "",
            _line.c.file == file[:200],
        )

    def _with_number(self, found: _Entry | ImportLine) -> _Entry | ImportLine:
        """Reject an order whose number has not the form of its shop."""
        if isinstance(found, _Entry) and isinstance(found.record, OrderRecord):
            try:
                order_number(found.record.order_number, self._number_form)
            except InvalidValue as error:
                reason = Reason(error.code.value)
                return problem(found.raw.line, found.record.external_id, "order_number", reason)
        return found

    async def _with_file(self, kind: Kind, found: _Entry | ImportLine) -> _Entry | ImportLine:
        """Store the file that a record names; the record is rejected if that fails."""
        attached = ATTACHMENTS.get(kind.name)
        if attached is None or isinstance(found, ImportLine) or not (name := getattr(found.record, attached.field)):
            return found
        try:
            if "://" in name:
                check_address(self._context.settings, name)
                if not self._dry_run:
                    external_id = found.record.external_id
                    await order_file(self._context, attached, self._source, external_id, name, found.raw.values)
                return found
            if self.folder is None:
                raise DocumentRefused(Reason(Rejection.PATH_BY_API))
            content = await in_thread(read_file_of, self.folder, name, attached.largest)
            if self._dry_run:
                await attached.check(self._context, content)
            else:
                await attached.store(self._context, self._source, found.record.external_id, content, "")
        except DocumentRefused as refused:
            return problem(found.raw.line, found.record.external_id, attached.field, refused.reason)
        return found

    async def again(self, kind_name: str) -> Report:
        """Store the rejected records of a kind again, as they were sent.

        What could not be read stays as it is, with its reason: only a newer file or staff can correct it.
        """
        async with self._context.database.session() as session:
            query = select(_line).where(_line.c.source == self._source, _line.c.kind == kind_name)
            rows = (await execute(session, query.order_by(_line.c.id))).mappings().all()
        unread = [row for row in rows if row["code"] in UNREADABLE]
        readable = [RawRecord(0, row["record"]) for row in rows if row["code"] not in UNREADABLE]
        report = await self.store(kind_name, readable)
        report.read += len(unread)
        report.rejected += len(unread)
        for row in unread:
            reason = Reason(row["code"], row["values"])
            report.note(problem(row["line"], row["external_id"], row["field"], reason))
        return report

    async def _store(self, kind: Kind, entries: Sequence[_Entry], file: str, report: Report) -> None:
        if not entries:
            return
        try:
            outcome = await self._written(kind, entries)
        except IntegrityError:
            if len(entries) == 1:
                entry = entries[0]
                found = problem(entry.raw.line, entry.record.external_id, "", _CONFLICT)
                await self._reject(kind, entry.raw, found, file, report)
                return
            # One record conflicts with a row of the portal. The others are stored without it.
            for entry in entries:
                await self._store(kind, [entry], file, report)
            return
        self._count(outcome, report)
        for entry, field_name, reason in outcome.rejected:
            found = problem(entry.raw.line, entry.record.external_id, field_name, reason)
            await self._reject(kind, entry.raw, found, file, report)
        if outcome.created and not self._dry_run:
            await self._join(kind, [entry.record.external_id for entry in outcome.created], report)

    def _count(self, outcome: _Outcome, report: Report) -> None:
        report.joined += sum(entry.waited for entry in (*outcome.created, *outcome.changed))
        report.created += sum(not entry.waited for entry in outcome.created)
        report.changed += sum(not entry.waited for entry in outcome.changed)
        report.unchanged += len(outcome.unchanged)
        report.differences += outcome.differences
        for entry, needed in outcome.waiting:
            if not entry.waited:
                report.waiting += 1
                reason = Reason(Rejection.WAITS, {"id": needed.external_id, "kind": needed.kind})
                report.note(problem(entry.raw.line, entry.record.external_id, "", reason))

    async def _join(self, kind: Kind, external_ids: Sequence[str], report: Report) -> None:
        """Store the records that waited for these."""
        table = table_of(WaitingRecordRow)
        query = select(table.c.kind, table.c.record).where(
            table.c.source == self._source, table.c.needs_kind == kind.name, table.c.needs_id.in_(external_ids)
        )
        async with self._context.database.session() as session:
            found = (await execute(session, query)).all()
        waiting: dict[str, list[_Entry]] = defaultdict(list)
        for row in found:
            entry = _parse(KINDS[row.kind], RawRecord(0, row.record))
            if isinstance(entry, _Entry):
                waiting[row.kind].append(_Entry(entry.raw, entry.record, entry.fingerprint, waited=True))
        for kind_name, entries in waiting.items():
            await self._store(KINDS[kind_name], entries, "", report)

    async def _reject(self, kind: Kind, raw: RawRecord, found: ImportLine, file: str, report: Report) -> None:
        report.rejected += 1
        report.note(found)
        if self._dry_run:
            return
        async with self._context.database.transaction() as session:
            record = raw.values or {"text": raw.text}
            moment = self._context.clock()
            await keep_rejected(session, self._source, kind.name, found, record, moment, file)

    async def _written(self, kind: Kind, entries: Sequence[_Entry]) -> _Outcome:
        """Store valid records in one transaction."""
        if self._dry_run:
            async with self._context.database.session() as session:
                return await self._planned_outcome(session, kind, entries)
        async with self._context.database.transaction() as session:
            outcome = _Outcome()
            known = await self._imported(session, kind, [entry.record.external_id for entry in entries])
            fresh = _fresh(entries, known, outcome)
            rows = await self._resolve(session, kind, fresh)
            ready = [entry for entry in fresh if self._is_ready(kind, entry, rows, outcome)]
            new = [entry for entry in ready if entry.record.external_id not in known]
            new, adopted = await self._without_taken(session, kind, new, rows, outcome)
            known |= adopted
            old = [entry for entry in ready if entry.record.external_id in known]
            stored = [
                *await self._insert(session, kind, new, rows),
                *await self._update(session, kind, old, known, rows, outcome),
            ]
            await self._wait(session, kind, outcome)
            await self._forget(session, kind, entries, outcome)
            if stored:
                if attached := ATTACHMENTS.get(kind.name):
                    ids = {entry.record.external_id: entry.row_id for entry in stored}
                    await attached.files.connect(session, self._source, ids)
                if kind.after:
                    await kind.after(session, stored, self._context.clock())
                await follow_cancelled(self._context, session, kind, stored)
            outcome.created += new
            return outcome

    async def _planned_outcome(self, session: AsyncSession, kind: Kind, entries: Sequence[_Entry]) -> _Outcome:
        outcome = _Outcome()
        known = await self._imported(session, kind, [entry.record.external_id for entry in entries])
        fresh = _fresh(entries, known, outcome)
        rows = await self._resolve(session, kind, fresh)
        planned = {reference: RowReference(0, 0) for reference in self._planned}
        for entry in fresh:
            if self._is_ready(kind, entry, {**planned, **rows}, outcome):
                is_known = entry.record.external_id in known
                (outcome.changed if is_known else outcome.created).append(entry)
                self._planned.add(Reference(kind.name, entry.record.external_id))
        return outcome

    async def _imported(self, session: AsyncSession, kind: Kind, external_ids: Sequence[str]) -> dict[str, Imported]:
        table = table_of(ImportedRow)
        query = select(table.c.external_id, table.c.id, table.c.row_id, table.c.fingerprint, table.c["values"]).where(
            table.c.source == self._source, table.c.kind == kind.name, table.c.external_id.in_(external_ids)
        )
        found = (await execute(session, query)).all()
        return {external_id: Imported(*rest) for external_id, *rest in found}

    async def _resolve(self, session: AsyncSession, kind: Kind, entries: Iterable[_Entry]) -> Rows:
        """Find the rows that records refer to."""
        needed: dict[str, set[str]] = defaultdict(set)
        for entry in entries:
            for reference in kind.references(entry.record):
                needed[reference.kind].add(reference.external_id)
        rows: dict[Reference, RowReference] = {}
        for name, external_ids in needed.items():
            imported = table_of(ImportedRow)
            query = select(imported.c.external_id, imported.c.row_id).where(
                imported.c.source == self._source, imported.c.kind == name, imported.c.external_id.in_(external_ids)
            )
            ids = {row.external_id: row.row_id for row in await execute(session, query)}
            owners = {row_id: row_id for row_id in ids.values()}
            if name == "orders":
                orders = table_of(OrderRow)
                found = select(orders.c.id, orders.c.customer_id).where(orders.c.id.in_(ids.values()))
                owners = {row.id: row.customer_id for row in await execute(session, found)}
            rows |= {Reference(name, key): RowReference(row_id, owners[row_id]) for key, row_id in ids.items()}
        return rows

    @staticmethod
    def _is_ready(kind: Kind, entry: _Entry, rows: Rows, outcome: _Outcome) -> bool:
        missing = [reference for reference in kind.references(entry.record) if reference not in rows]
        if missing:
            outcome.waiting.append((entry, missing[0]))
        return not missing

    async def _without_taken(
        self, session: AsyncSession, kind: Kind, entries: list[_Entry], rows: Rows, outcome: _Outcome
    ) -> tuple[list[_Entry], dict[str, Imported]]:
        """Split new records by their natural key: really new ones, and those whose row is in the database already."""
        if kind.adopt and entries:
            found = await kind.adopt(session, [entry.record for entry in entries], rows)
            return [entry for entry in entries if entry.record.external_id not in found], found
        if not kind.natural or not entries:
            return entries, {}
        table = table_of(kind.table)
        key = tuple_(*(table.c[name] for name in kind.natural))
        keys = [tuple(self._columns(kind, entry, rows)[name] for name in kind.natural) for entry in entries]
        has_id = "id" in table.c
        columns = [table.c[name] for name in kind.natural] + ([table.c.id] if has_id else [])
        existing = {
            tuple(row[: len(kind.natural)]): row[-1] if has_id else 0
            for row in (await execute(session, select(*columns).where(key.in_(keys)))).all()
        }
        imported = table_of(ImportedRow)
        taken_query = select(imported.c.row_id).where(
            imported.c.kind == kind.name, imported.c.row_id.in_(existing.values())
        )
        taken = set((await execute(session, taken_query)).scalars()) if has_id and existing else set()
        new, adopted, seen = [], {}, set()
        for entry, found in zip(entries, keys, strict=True):
            if found in seen or existing.get(found, -1) in taken:
                outcome.rejected.append((entry, kind.natural[0], _TAKEN))
            elif found in existing:
                adopted[entry.record.external_id] = Imported(None, existing[found], "adopted", None)
            else:
                new.append(entry)
            seen.add(found)
        return new, adopted

    async def _insert(self, session: AsyncSession, kind: Kind, entries: Sequence[_Entry], rows: Rows) -> list[Stored]:
        if not entries:
            return []
        table = table_of(kind.table)
        columns = [self._columns(kind, entry, rows) for entry in entries]
        own = {"source": self._source} if kind.name == "customers" else {}
        values = [{**kind.generated(), **own, **entry} for entry in columns]
        if "id" in table.c:
            statement = insert(table).returning(table.c.id, sort_by_parameter_order=True)
            ids = list((await execute(session, statement, values)).scalars())
        else:
            await execute(session, insert(table), values)
            ids = [0] * len(values)
        snapshots = [plain(entry) for entry in columns]
        for child in kind.children:
            children: list[dict[str, Any]] = []
            for entry, row_id, snapshot in zip(entries, ids, snapshots, strict=True):
                parts = child.rows(entry.record)
                snapshot[child.name] = [plain(part) for part in parts]
                children += [{**part, child.parent: row_id} for part in parts]
            if children:
                await execute(session, insert(table_of(child.table)), children)
        await execute(
            session,
            insert(table_of(ImportedRow)),
            [
                self._imported_row(kind, entry, row_id, snapshot)
                for entry, row_id, snapshot in zip(entries, ids, snapshots, strict=True)
            ],
        )
        return [
            Stored(entry.record, row_id, found.get("customer_id", 0), None)
            for entry, row_id, found in zip(entries, ids, columns, strict=True)
        ]

    def _columns(self, kind: Kind, entry: _Entry, rows: Rows) -> Columns:
        """The columns of a record. A price of a further shop holds for its customers only."""
        own = {"shop": self._shop} if kind.per_shop else {}
        return {**kind.columns(entry.record, rows), **own}

    def _imported_row(self, kind: Kind, entry: _Entry, row_id: int, snapshot: dict[str, Any]) -> dict[str, Any]:
        return {
            "source": self._source,
            "kind": kind.name,
            "external_id": entry.record.external_id,
            "row_id": row_id,
            "customer_id": row_id if kind.name == "customers" else snapshot.get("customer_id"),
            "fingerprint": entry.fingerprint,
            "values": snapshot,
            "imported_at": self._context.clock(),
        }

    async def _update(
        self,
        session: AsyncSession,
        kind: Kind,
        entries: Sequence[_Entry],
        known: dict[str, Imported],
        rows: Rows,
        outcome: _Outcome,
    ) -> list[Stored]:
        """Change rows that were imported before, where the portal did not change them itself."""
        stored = []
        merger = Merger(session, kind, self._context.clock())
        for entry in entries:
            imported = known[entry.record.external_id]
            columns = self._columns(kind, entry, rows)
            await give_away(self._context, session, kind, imported.row_id, columns)
            merged = await merger.merge(entry.record, columns, imported)
            if merged is None:
                outcome.rejected.append((entry, "", _GONE))
                continue
            snapshot = {**plain(columns), **merged.children}
            if imported.id is None:
                row = self._imported_row(kind, entry, imported.row_id, snapshot)
                await execute(session, insert(table_of(ImportedRow)).values(row))
            else:
                await merger.remember(imported.id, entry.fingerprint, snapshot, merged)
            outcome.differences += len(merged.differences)
            (outcome.changed if merged.changes else outcome.unchanged).append(entry)
            stored.append(Stored(entry.record, imported.row_id, columns.get("customer_id", 0), merged.changes))
        return stored

    async def _wait(self, session: AsyncSession, kind: Kind, outcome: _Outcome) -> None:
        if not outcome.waiting:
            return
        table = table_of(WaitingRecordRow)
        external_ids = [entry.record.external_id for entry, _ in outcome.waiting]
        await execute(session, self._of(table, kind, external_ids))
        await execute(
            session,
            insert(table),
            [
                {
                    "source": self._source,
                    "kind": kind.name,
                    "external_id": entry.record.external_id,
                    "needs_kind": needed.kind,
                    "needs_id": needed.external_id,
                    "record": entry.raw.values,
                    "waiting_since": self._context.clock(),
                }
                for entry, needed in outcome.waiting
            ],
        )

    async def _forget(self, session: AsyncSession, kind: Kind, entries: Sequence[_Entry], outcome: _Outcome) -> None:
        """Delete earlier versions of records that waited or were rejected: the version that came last counts."""
        waiting = {entry.record.external_id for entry, _ in outcome.waiting}
        valid = [entry.record.external_id for entry in entries]
        await execute(session, self._of(table_of(RejectedRecordRow), kind, valid))
        others = [external_id for external_id in valid if external_id not in waiting]
        if others:
            await execute(session, self._of(table_of(WaitingRecordRow), kind, others))

    def _of(self, table: Any, kind: Kind, external_ids: Sequence[str]) -> Any:
        return delete(table).where(
            table.c.source == self._source, table.c.kind == kind.name, table.c.external_id.in_(external_ids)
        )


def _batches(records: Iterable[RawRecord]) -> Iterator[list[RawRecord]]:
    batch: list[RawRecord] = []
    for record in records:
        batch.append(record)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _parse(kind: Kind, raw: RawRecord) -> _Entry | ImportLine:
    external_id = raw.values.get("external_id")
    shown = str(external_id)[:100] if isinstance(external_id, str | int) else ""
    if raw.error:
        return problem(raw.line, shown, "", raw.error)
    try:
        record = kind.record.model_validate(raw.values)
    except ValidationError as error:
        return problem(raw.line, shown, *reason_of(error))
    canonical = json.dumps(record.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return _Entry(raw, record, hashlib.sha256(canonical.encode()).hexdigest())


def _fresh(entries: Iterable[_Entry], known: dict[str, Imported], outcome: _Outcome) -> list[_Entry]:
    """The records that differ from what was imported last."""
    fresh = []
    for entry in entries:
        imported = known.get(entry.record.external_id)
        if imported and imported.fingerprint in {entry.fingerprint, ERASED}:
            outcome.unchanged.append(entry)
        else:
            fresh.append(entry)
    return fresh
