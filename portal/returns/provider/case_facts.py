"""What a return tells its cases, and the call that keeps them in step.

An unsafe battery has a case of its own beside that of the return, which is closed when a specialist has collected it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, case_of, record
from portal.kernel.days import end_of_day, in_working_days, local_day
from portal.kernel.terms import REFUND_DAYS
from portal.returns.provider.wording import may_be_brought, may_be_sent
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.returns import RETURNS, ReturnKind, ReturnStatus

_S = ReturnStatus
_ENDS = RETURNS.ends | {_S.EXPIRED}
"""Statuses with which nothing is left to do for staff; a new link reopens an expired return."""


def facts_of(row: ReturnRow, since: datetime) -> CaseFacts:
    withdrawal = row.kind is ReturnKind.WITHDRAWAL
    return CaseFacts(
        kind=CaseKind.WITHDRAWAL if withdrawal else CaseKind.RETURN,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in _ENDS or (row.status is _S.CLOSED and not row.refund_amount),
        waiting=row.status is _S.PENDING_CONFIRMATION or _is_awaited(row),
        waiting_until=row.confirm_until,
        partner_id=row.store_id,
        promised_at=_promised(row, since),
    )


def alarm_of(row: ReturnRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.BATTERY_ALARM,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=not row.urgent or row.status in _ENDS,
        partner_id=row.store_id,
        urgent=row.urgent,
        promised_at=in_working_days(row.created_at, row.answer_days),
    )


async def record_case(
    session: AsyncSession, row: ReturnRow, happened: CaseEventType, now: datetime, *, by_customer: bool = False
) -> None:
    """Bring the cases of a return up to date, in the transaction of the change."""
    since = now if happened is CaseEventType.STATUS_CHANGED else row.created_at
    await record(session, facts_of(row, since), happened, now, by_customer=by_customer)
    if row.urgent or await case_of(session, CaseKind.BATTERY_ALARM, row.reference):
        await record(session, alarm_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


def _is_awaited(row: ReturnRow) -> bool:
    """Whether the customer brings it to a store, and has not yet."""
    return row.status is _S.REQUEST_RECEIVED and may_be_brought(row)


def _promised(row: ReturnRow, since: datetime) -> datetime | None:
    """What the account says: an answer, then the pick-up, then the refund."""
    if row.status is _S.REQUEST_RECEIVED and not may_be_brought(row):
        return in_working_days(since, row.answer_days)
    if row.status in (_S.PICKUP_REQUEST_CREATED, _S.PICKUP_CONFIRMED) and row.pickup_day and may_be_sent(row):
        return end_of_day(row.pickup_day)
    if row.status is _S.CLOSED and row.refund_amount:
        closed = local_day(since)
        if row.kind is ReturnKind.WITHDRAWAL:
            return end_of_day(max(closed, local_day(row.created_at) + timedelta(days=REFUND_DAYS)))
        return end_of_day(closed + timedelta(days=REFUND_DAYS))
    return None
