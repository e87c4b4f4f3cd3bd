"""Merges a record into the row that it became before.

For each column there are three values: the one imported last, the one that the shop sends now, and the one in the
database. What only the shop changed is stored. What only the portal changed stays. What both changed stays as well, and
is recorded as a difference, on which staff decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, delete, insert, select, update
from sqlalchemy import Table as SqlTable
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.provider.kind import Child, Columns, Kind, execute
from portal.imports.rules.fields import ShopRecord
from portal.tables.columns import Table
from portal.tables.exchange import ImportDifferenceRow, ImportedRow
from portal.tables.orders import ShipmentLineRow

_MAX_VALUE = 500


@dataclass(frozen=True, slots=True)
class Imported:
    """What is known of an earlier import of a record.

    `id`: primary key of its row in `imported`; None if the row was in the database before any import.
    `values`: the columns as they were imported; None if they were not.
    """

    id: int | None
    row_id: int
    fingerprint: str
    values: Columns | None


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """A column that both sides changed. The values are texts."""

    field: str
    shop: str
    portal: str


@dataclass(slots=True)
class Merged:
    changes: Columns = field(default_factory=dict)
    differences: list[ColumnDifference] = field(default_factory=list)
    agreed: set[str] = field(default_factory=set)
    children: dict[str, list[Columns]] = field(default_factory=dict)


def table_of(model: type[Table]) -> SqlTable:
    return cast("SqlTable", model.__table__)


def row_condition(kind: Kind, row_id: int, columns: Mapping[str, Any]) -> ColumnElement[bool]:
    """SQL condition: the row of a record. A table without primary key `id` is found by its natural key."""
    table = table_of(kind.table)
    if "id" in table.c:
        return table.c.id == row_id
    return and_(*(table.c[name] == columns[name] for name in kind.natural))


def plain(columns: Mapping[str, Any]) -> Columns:
    """Columns as JSON. Equal values have equal JSON, however they were written."""
    return {name: plain_value(value) for name, value in columns.items()}


def plain_value(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return value


class Merger:
    """Merges records of one kind within a transaction."""

    def __init__(self, session: AsyncSession, kind: Kind, moment: datetime) -> None:
        self._session = session
        self._kind = kind
        self._moment = moment
        self._following = {name for names in kind.follow.values() for name in names}

    async def merge(self, record: ShopRecord, columns: Columns, imported: Imported) -> Merged | None:
        merged = Merged()
        table = table_of(self._kind.table)
        own = row_condition(self._kind, imported.row_id, columns)
        query = select(*(table.c[name] for name in columns)).where(own)
        current = (await execute(self._session, query)).mappings().one_or_none()
        if current is None:
            return None
        changes = self._compare("", columns, dict(current), imported.values, merged)
        if changes:
            await execute(self._session, update(table).where(own).values(changes))
        for child in self._kind.children:
            await self._merge_child(child, record, imported, merged)
        return merged

    async def remember(
        self, imported_id: int, fingerprint: str, snapshot: Columns, notes: list[Columns], merged: Merged
    ) -> None:
        """Store what was imported, the notes and the differences."""
        table = table_of(ImportedRow)
        values = {"fingerprint": fingerprint, "values": snapshot, "notes": notes, "imported_at": self._moment}
        await execute(self._session, update(table).where(table.c.id == imported_id).values(values))
        differences = table_of(ImportDifferenceRow)
        outdated = [*merged.agreed, *merged.changes, *(entry.field for entry in merged.differences)]
        known = select(differences.c.field).where(differences.c.imported_id == imported_id)
        if found := set((await execute(self._session, known)).scalars()) & set(outdated):
            await execute(
                self._session,
                delete(differences).where(differences.c.imported_id == imported_id, differences.c.field.in_(found)),
            )
        if merged.differences:
            await execute(
                self._session,
                insert(differences),
                [
                    {
                        "imported_id": imported_id,
                        "field": entry.field,
                        "shop_value": entry.shop,
                        "portal_value": entry.portal,
                        "found_at": self._moment,
                    }
                    for entry in merged.differences
                ],
            )

    def _compare(
        self, prefix: str, columns: Columns, current: Columns, before: Columns | None, merged: Merged
    ) -> Columns:
        """Return the columns to store, and note changes and differences."""
        changes: Columns = {}
        now, there = plain(columns), plain(current)
        # What was never imported, a row or a column, holds nothing of the shop yet, so all of the shop is stored.
        earlier = there | (before or {})
        for name, value in now.items():
            if value == there[name]:
                merged.agreed.add(f"{prefix}{name}")
            elif earlier.get(name) == there[name]:
                changes[name] = columns[name]
                merged.changes[f"{prefix}{name}"] = columns[name]
            elif value != earlier.get(name) and name not in self._following:
                merged.differences.append(ColumnDifference(f"{prefix}{name}", shown(value), shown(there[name])))
        return changes

    async def _merge_child(self, child: Child, record: ShopRecord, imported: Imported, merged: Merged) -> None:
        table = table_of(child.table)
        rows = child.rows(record)
        merged.children[child.name] = [plain(row) for row in rows]
        query = select(table).where(table.c[child.parent] == imported.row_id).order_by(table.c.id)
        existing: list[Columns] = [dict(row) for row in (await execute(self._session, query)).mappings()]
        by_key = {key_of(child, place, row): row for place, row in enumerate(existing)}
        earlier: Sequence[Columns] = (imported.values or {}).get(child.name, ())
        before = {key_of(child, place, row): row for place, row in enumerate(earlier)}
        for place, row in enumerate(rows):
            key = key_of(child, place, row)
            found = by_key.pop(key, None)
            if found is None:
                await execute(self._session, insert(table).values({**row, child.parent: imported.row_id}))
                merged.changes[f"{child.name}.{key}"] = row
                continue
            current = {name: found[name] for name in row}
            changes = self._compare(f"{child.name}.{key}.", row, current, before.get(key), merged)
            if changes:
                await execute(self._session, update(table).where(table.c.id == found["id"]).values(changes))
        for key, row in by_key.items():
            if key in before:
                if child.contents:
                    inside = table_of(ShipmentLineRow)
                    await execute(self._session, delete(inside).where(inside.c[child.contents] == row["id"]))
                await execute(self._session, delete(table).where(table.c.id == row["id"]))
                merged.changes[f"{child.name}.{key}"] = None


def key_of(child: Child, place: int, row: Mapping[str, Any]) -> str:
    """What identifies a row of a list, in the name of its fields: `lines.2.price`."""
    return str(plain_value(row[child.key])) if child.key else str(place + 1)


def shown(value: Any) -> str:
    """A value of a difference, as staff read it."""
    return "" if value is None else str(plain_value(value))[:_MAX_VALUE]
