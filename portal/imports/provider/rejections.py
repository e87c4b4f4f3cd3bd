"""Records that could not be stored: why, and the record as it was sent, so that it can be sent again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.imports.api import ImportLine, RejectedRecord, RejectedRecords
from portal.imports.provider.kind import execute
from portal.imports.provider.merging import table_of
from portal.imports.rules.reasons import Reason
from portal.tables.exchange import RejectedRecordRow

AT_ONCE = 100
"""Records in one answer."""


def problem(line: int, external_id: str, field: str, reason: Reason) -> ImportLine:
    return ImportLine(
        line=line,
        external_id=external_id,
        field=field,
        reason=reason.english,
        code=reason.code,
        values=dict(reason.values),
    )


async def keep_rejected(
    session: AsyncSession,
    source: str,
    kind_name: str,
    problem: ImportLine,
    record: dict[str, Any],
    moment: datetime,
    file: str = "",
) -> None:
    """Keep a rejected record in the caller's transaction, instead of its earlier version."""
    table = table_of(RejectedRecordRow)
    same = (table.c.source == source, table.c.kind == kind_name)
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
        "rejected_at": moment,
    }
    await execute(session, delete(table).where(*same))
    await execute(session, insert(table).values(row))


async def rejected_records(session: AsyncSession, *, source: str = "", after: int = 0) -> RejectedRecords:
    """Return rejected records, the oldest first."""
    query = select(RejectedRecordRow).where(col(RejectedRecordRow.id) > after).order_by(col(RejectedRecordRow.id))
    if source:
        query = query.where(RejectedRecordRow.source == source)
    rows = (await session.exec(query.limit(AT_ONCE + 1))).all()
    items = [RejectedRecord(record_id=str(row.id), **row.model_dump(exclude={"id", "record"})) for row in rows]
    return RejectedRecords(items=items[:AT_ONCE], next_after=rows[AT_ONCE - 1].id if len(items) > AT_ONCE else None)
