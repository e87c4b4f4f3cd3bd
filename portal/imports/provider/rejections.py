"""Records that could not be stored: why, and the record as it was sent, so that it can be sent again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
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
    rejected: Sequence[tuple[ImportLine, Values]],
    moment: datetime,
    file: str = "",
) -> None:
    """Keep rejected records, as they were sent, in the caller's transaction, instead of their earlier versions.

    The caller deletes the earlier versions of those without an id.
    """
    table = table_of(RejectedRecordRow)
    own = (table.c.source == source, table.c.kind == kind_name, table.c.repaired == "")
    ids = {problem.external_id for problem, _ in rejected} - {""}
    if ids:
        await execute(session, delete(table).where(*own, table.c.external_id.in_(ids)))
    last = {problem.external_id or problem.line: (problem, record) for problem, record in rejected}
    rows = [
        {
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
        for problem, record in last.values()
    ]
    await execute(session, insert(table), rows)


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
