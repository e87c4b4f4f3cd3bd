"""Records what happens to cases, in the transaction of the change. Subjects call it wherever they publish a change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.staff import acting
from portal.tables.cases import CaseEventRow, CaseRow
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What a subject tells about a request after each change.

    Attributes:
        customer_id: None for a guest who is not known yet.
        status: as the subject stores it; `final` when no other can follow.
        partner_id: store or workshop that handles it.
        promised_at: until when the customer was promised an answer (UTC).
    """

    kind: CaseKind
    reference: str
    customer_id: int | None
    status: str
    final: bool = False
    partner_id: int | None = None
    urgent: bool = False
    promised_at: datetime | None = None


async def record(
    session: AsyncSession,
    facts: CaseFacts,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: dict[str, Any] | None = None,
) -> CaseRow:
    """Bring the case of a request up to date and add an event to its history. The first call opens the case.

    Args:
        session: of the transaction that changes the request.
        facts: the request after the change.
        happened: what happened.
        now: moment of the change (UTC).
        by_customer: whether the customer did it; otherwise the person in `acting`, or the portal itself.
        details: what changed, without personal data.

    Returns:
        The case.
    """
    member = acting.get()
    query = select(CaseRow).where(CaseRow.kind == facts.kind, CaseRow.reference == facts.reference)
    row = (await session.exec(query.with_for_update())).first()
    if row is None:
        row = CaseRow(
            kind=facts.kind,
            reference=facts.reference,
            customer_id=facts.customer_id,
            state=CaseState.NEW,
            status=facts.status,
            opened_by=member.id if member else None,
            opened_at=now,
            changed_at=now,
        )
        session.add(row)
        happened = CaseEventType.OPENED
    else:
        row.version += 1
    row.customer_id = facts.customer_id or row.customer_id
    row.partner_id, row.status, row.urgent = facts.partner_id, facts.status, facts.urgent
    row.promised_at, row.changed_at = facts.promised_at, now
    if facts.final:
        row.state, row.closed_at, row.waiting_since = CaseState.DONE, row.closed_at or now, None
    elif row.state is CaseState.DONE or (row.state is CaseState.NEW and member is not None):
        row.state, row.closed_at = CaseState.OPEN, None
    await session.flush()
    await add_event(session, row, happened, now, by_customer=by_customer, details=details)
    return row


async def add_event(
    session: AsyncSession,
    row: CaseRow,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: dict[str, Any] | None = None,
) -> None:
    """Add an event to the history of a case, in the name of the customer, of the person in `acting`, or of both."""
    member = acting.get()
    session.add(
        CaseEventRow(
            case_id=row.id or 0,
            type=happened,
            staff_id=member.id if member else None,
            by_customer=by_customer,
            details=details or {},
            happened_at=now,
        )
    )
    await session.flush()


async def case_of(session: AsyncSession, kind: CaseKind, reference: str) -> CaseRow | None:
    """The case of a request; None if there is none."""
    query = select(CaseRow).where(col(CaseRow.kind) == kind, col(CaseRow.reference) == reference)
    return (await session.exec(query)).first()
