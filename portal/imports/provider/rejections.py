"""Records that could not be stored: why, and the record as it was sent, so that it can be sent again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.api import ImportLine, RejectedRecord, RejectedRecords
from portal.imports.provider.kind import execute
from portal.imports.provider.merging import table_of
from portal.imports.rules.reading import Values
from portal.tables.exchange import RejectedRecordRow

AT_ONCE = 100
"""Records in one answer."""


async def keep_rejected(
    session: AsyncSession,
    source: str,
    kind_name: str,
    problem: ImportLine,
    record: Values,
    moment: datetime,
    file: str = "",
) -> None:
    """Keep a rejected record in the caller's transaction, instead of its earlier version."""
    table = table_of(RejectedRecordRow)
    same = (table.c.source == source, table.c.kind == kind_name, table.c.repaired == "")
    if problem.external_id:
        same = (*same, table.c.external_id == problem.external_id)
    else:
        same = (*same, table.c.file == file, table.c.line == problem.line)
    row = {
        "source": source,
        "kind": kind_name,
        "external_id": problem.external_id[:100],
        "file": file[:200],
        "line": problem.line,
        "field": problem.field[:100],
        "reason": problem.reason[:300],
        "code": problem.code,
        "values": problem.values,
        "record": record,
        "repaired": "",
        "rejected_at": moment,
    }
    await execute(session, delete(table).where(*same))
    await execute(session, insert(table).values(row))


async def repaired(session: AsyncSession, source: str, kind_name: str, external_ids: Collection[str]) -> set[str]:
    """The fingerprints of records that staff corrected: sent again as they were, they change nothing."""
    query = select(RejectedRecordRow.repaired).where(
        RejectedRecordRow.source == source,
        RejectedRecordRow.kind == kind_name,
        col(RejectedRecordRow.external_id).in_(external_ids),
        RejectedRecordRow.repaired != "",
    )
    return set((await session.exec(query)).all())


async def keep_repaired(session: AsyncSession, row: RejectedRecordRow) -> None:
    """Keep of a record that staff corrected only by what it is recognised."""
    table = table_of(RejectedRecordRow)
    values = row.model_dump(exclude={"id"}) | {"record": {}, "repaired": sent_as(row.record)}
    await execute(session, delete(table).where(table.c.id == row.id))
    await execute(session, insert(table).values(values))


def sent_as(record: Values) -> str:
    """The fingerprint of a record as it was sent."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


async def rejected_records(session: AsyncSession, *, source: str = "", after: int = 0) -> RejectedRecords:
    """Return rejected records, the oldest first."""
    query = select(RejectedRecordRow).where(col(RejectedRecordRow.id) > after, RejectedRecordRow.repaired == "")
    query = query.order_by(col(RejectedRecordRow.id))
    if source:
        query = query.where(RejectedRecordRow.source == source)
    rows = (await session.exec(query.limit(AT_ONCE + 1))).all()
    items = [RejectedRecord(record_id=str(row.id), **row.model_dump(exclude={"id", "record"})) for row in rows]
    return RejectedRecords(items=items[:AT_ONCE], next_after=rows[AT_ONCE - 1].id if len(items) > AT_ONCE else None)
