"""Cases whose customer did not use the mailed link: they come back to the queue, overdue, and staff decide."""

from __future__ import annotations

from sqlmodel import col, exists, select

from portal.backend.cases import add_event
from portal.backend.context import Context
from portal.tables.cases import CaseRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.cases import Asks, CaseEventType, CaseState

_MOST_AT_ONCE = 500


async def take_back(context: Context) -> int:
    """Take back the cases that wait for a link that has expired. Those with an open question go on waiting."""
    now = context.clock()
    question = exists().where(
        col(CaseMessageRow.case_id) == CaseRow.id,
        col(CaseMessageRow.asks) != Asks.NOTHING,
        col(CaseMessageRow.answered_at).is_(None),
    )
    query = (
        select(CaseRow)
        .where(CaseRow.state == CaseState.WAITING, col(CaseRow.waiting_until) <= now, ~question)
        .order_by(col(CaseRow.id))
        .limit(_MOST_AT_ONCE)
        .with_for_update()
    )
    async with context.database.transaction() as session:
        rows = (await session.exec(query)).all()
        for row in rows:
            row.state = CaseState.OPEN if row.assigned_to else CaseState.NEW
            # Nobody promised anything for a later moment: it stands among what is overdue.
            row.promised_at, row.waiting_since, row.waiting_until = row.waiting_until, None, None
            row.changed_at, row.version = now, row.version + 1
            details = {"state_before": CaseState.WAITING.value, "state": row.state.value}
            await add_event(session, row, CaseEventType.LINK_EXPIRED, now, details=details)
    return len(rows)
