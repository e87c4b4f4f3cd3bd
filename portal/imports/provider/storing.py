"""Stores clean records: each batch in a transaction. What goes wrong costs the record that it went wrong with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Table, delete, func, insert, select, tuple_
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.imports.provider.attachments import ATTACHMENTS
from portal.imports.provider.completing import address_orders, unaddressed
from portal.imports.provider.kind import Columns, Kind, Reference, RowReference, Rows, Stored, execute
from portal.imports.provider.leaving import follow_cancelled, give_away
from portal.imports.provider.merging import Imported, Merger, plain, table_of
from portal.imports.rules.cleaning import FieldNote, tidied
from portal.imports.rules.fields import ShopRecord
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.reasons import Reason
from portal.tables.exchange import ImportedRow, RejectedRecordRow, WaitingRecordRow
from portal.tables.orders import OrderRow
from portal.vocabulary.exchange import Rejection

ERASED = ""
"""Fingerprint of a record whose customer was erased."""

_AS_OF = "as_of"

_TAKEN, _GONE = Reason(Rejection.TAKEN), Reason(Rejection.ROW_GONE)


@dataclass(frozen=True, slots=True)
class CleanRecord:
    """A clean record on its way into the database; `waited` tells whether it had to wait for another one."""

    raw: RawRecord
    record: ShopRecord
    notes: Sequence[FieldNote]
    fingerprint: str
    waited: bool = False


@dataclass(slots=True)
class StoreOutcome:
    created: list[CleanRecord] = field(default_factory=list)
    changed: list[CleanRecord] = field(default_factory=list)
    unchanged: list[CleanRecord] = field(default_factory=list)
    waiting: list[tuple[CleanRecord, Reference]] = field(default_factory=list)
    rejected: list[tuple[CleanRecord, str, Reason]] = field(default_factory=list)
    differences: int = 0


class RecordStore:
    """The tables, as the records of one source reach them."""

    def __init__(self, context: Context, source: str) -> None:
        self._context = context
        self._source = source
        self._shop = context.settings.shop_of(source)
        self._planned: set[Reference] = set()
        self.unaddressed: set[int] = set()
        """Customers without an address who got an order."""

    async def write(self, kind: Kind, entries: Sequence[CleanRecord]) -> StoreOutcome:
        """Store records in one transaction."""
        async with self._context.database.transaction() as session:
            outcome = StoreOutcome()
            known = await self._imported(session, kind, [entry.record.external_id for entry in entries])
            fresh = _fresh(entries, known, outcome)
            rows = await self._resolve(session, kind, fresh)
            ready = [entry for entry in fresh if _is_ready(kind, entry, rows, outcome)]
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
                if kind.name == "orders":
                    await address_orders(session, stored)
                    self.unaddressed |= await unaddressed(session, stored)
            outcome.created += new
            return outcome

    async def plan(self, kind: Kind, entries: Sequence[CleanRecord]) -> StoreOutcome:
        """What storing records would do."""
        async with self._context.database.session() as session:
            outcome = StoreOutcome()
            known = await self._imported(session, kind, [entry.record.external_id for entry in entries])
            fresh = _fresh(entries, known, outcome)
            rows = await self._resolve(session, kind, fresh)
        planned = {reference: RowReference(0, 0) for reference in self._planned}
        for entry in fresh:
            if _is_ready(kind, entry, {**planned, **rows}, outcome):
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

    async def _resolve(self, session: AsyncSession, kind: Kind, entries: Iterable[CleanRecord]) -> Rows:
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

    async def _without_taken(
        self, session: AsyncSession, kind: Kind, entries: list[CleanRecord], rows: Rows, outcome: StoreOutcome
    ) -> tuple[list[CleanRecord], dict[str, Imported]]:
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

    async def _insert(
        self, session: AsyncSession, kind: Kind, entries: Sequence[CleanRecord], rows: Rows
    ) -> list[Stored]:
        if not entries:
            return []
        table = table_of(kind.table)
        columns = [self._columns(kind, entry, rows) for entry in entries]
        own = {"source": self._source} if kind.name == "customers" else {}
        values = [{**kind.generated(), **own, **entry} for entry in columns]
        ids = [0] * len(values)
        if "id" in table.c:
            ids = await _new_ids(session, table, len(values))
            values = [{**row, "id": row_id} for row, row_id in zip(values, ids, strict=True)]
        await execute(session, insert(table), values)
        snapshots = [_snapshot(entry, found) for entry, found in zip(entries, columns, strict=True)]
        for child in kind.children:
            children: list[Columns] = []
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

    def _columns(self, kind: Kind, entry: CleanRecord, rows: Rows) -> Columns:
        """The columns of a record. A price of a further shop holds for its customers only."""
        own = {"shop": self._shop} if kind.per_shop else {}
        return {**kind.columns(entry.record, rows), **own}

    def _imported_row(self, kind: Kind, entry: CleanRecord, row_id: int, snapshot: Columns) -> Columns:
        return {
            "source": self._source,
            "kind": kind.name,
            "external_id": entry.record.external_id,
            "row_id": row_id,
            "customer_id": row_id if kind.name == "customers" else snapshot.get("customer_id"),
            "fingerprint": entry.fingerprint,
            "values": snapshot,
            "notes": _noted(entry),
            "imported_at": self._context.clock(),
        }

    async def _update(
        self,
        session: AsyncSession,
        kind: Kind,
        entries: Sequence[CleanRecord],
        known: dict[str, Imported],
        rows: Rows,
        outcome: StoreOutcome,
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
            snapshot = {**_snapshot(entry, columns), **merged.children}
            if imported.id is None:
                row = self._imported_row(kind, entry, imported.row_id, snapshot)
                await execute(session, insert(table_of(ImportedRow)).values(row))
            else:
                await merger.remember(imported.id, entry.fingerprint, snapshot, _noted(entry), merged)
            outcome.differences += len(merged.differences)
            (outcome.changed if merged.changes else outcome.unchanged).append(entry)
            stored.append(Stored(entry.record, imported.row_id, columns.get("customer_id", 0), merged.changes))
        return stored

    async def _wait(self, session: AsyncSession, kind: Kind, outcome: StoreOutcome) -> None:
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
                    "record": tidied(entry.raw.values),
                    "waiting_since": self._context.clock(),
                }
                for entry, needed in outcome.waiting
            ],
        )

    async def _forget(
        self, session: AsyncSession, kind: Kind, entries: Sequence[CleanRecord], outcome: StoreOutcome
    ) -> None:
        """Delete earlier versions of records that waited or were rejected: the version that came last counts."""
        waiting = {entry.record.external_id for entry, _ in outcome.waiting}
        valid = [entry.record.external_id for entry in entries]
        rejected = table_of(RejectedRecordRow)
        await execute(session, self._of(rejected, kind, valid).where(rejected.c.repaired == ""))
        others = [external_id for external_id in valid if external_id not in waiting]
        if others:
            await execute(session, self._of(table_of(WaitingRecordRow), kind, others))

    def _of(self, table: Any, kind: Kind, external_ids: Sequence[str]) -> Any:
        return delete(table).where(
            table.c.source == self._source, table.c.kind == kind.name, table.c.external_id.in_(external_ids)
        )


async def _new_ids(session: AsyncSession, table: Table, count: int) -> list[int]:
    """Primary keys for new rows.

    RETURNING would tell them afterwards, but by one statement with all values, which psycopg parses longer than
    PostgreSQL takes to store them.
    """
    if session.get_bind().dialect.name == "postgresql":
        sequence = func.pg_get_serial_sequence(table.name, "id")
        query = select(func.nextval(sequence)).select_from(func.generate_series(1, count))
        return list((await execute(session, query)).scalars())
    # The transaction holds the only write lock of SQLite, which counts in the same way.
    last = (await execute(session, select(func.max(table.c.id)))).scalar() or 0
    return list(range(last + 1, last + 1 + count))


def _fresh(entries: Iterable[CleanRecord], known: dict[str, Imported], outcome: StoreOutcome) -> list[CleanRecord]:
    """The records that differ from what was imported last."""
    fresh = []
    for entry in entries:
        imported = known.get(entry.record.external_id)
        if imported and (imported.fingerprint in {entry.fingerprint, ERASED} or _is_earlier(entry, imported)):
            outcome.unchanged.append(entry)
        else:
            fresh.append(entry)
    return fresh


def _snapshot(entry: CleanRecord, columns: Columns) -> Columns:
    """The columns as they are remembered, with the moment for which they hold."""
    return {**plain(columns), **({_AS_OF: entry.raw.as_of} if entry.raw.as_of else {})}


def _is_earlier(entry: CleanRecord, imported: Imported) -> bool:
    return "" < entry.raw.as_of < (imported.values or {}).get(_AS_OF, "")


def _noted(entry: CleanRecord) -> list[Columns]:
    """The notes of a record, for the page of its customer."""
    return [
        {"field": note.field, "code": note.reason.code, "values": dict(note.reason.values), "sent": note.sent}
        for note in entry.notes
    ]


def _is_ready(kind: Kind, entry: CleanRecord, rows: Rows, outcome: StoreOutcome) -> bool:
    missing = [reference for reference in kind.references(entry.record) if reference not in rows]
    if missing:
        outcome.waiting.append((entry, missing[0]))
    return not missing
