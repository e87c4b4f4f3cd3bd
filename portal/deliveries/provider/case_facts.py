"""What a request for another delivery day tells its case, and the call that keeps the case in step."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.tables.deliveries import DateChangeRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.deliveries import ANSWER_WITHIN, DATE_CHANGES, DateChangeStatus

_S = DateChangeStatus
_ENDS = DATE_CHANGES.ends | {_S.EXPIRED}
"""Statuses with which nothing is left to do for staff; a new link reopens an expired request."""


def facts_of(row: DateChangeRow) -> CaseFacts:
    """The facts of a request. An answer is promised once the customer has confirmed it."""
    asked = row.status is _S.WAITING_FOR_RETAILER and row.confirmed_at
    return CaseFacts(
        kind=CaseKind.DATE_CHANGE,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in _ENDS,
        waiting=row.status is _S.WAITING_FOR_CUSTOMER,
        waiting_until=row.link_expires_at,
        promised_at=row.confirmed_at + ANSWER_WITHIN if asked and row.confirmed_at else None,
    )


async def record_case(session: AsyncSession, row: DateChangeRow, now: datetime, *, by_customer: bool = False) -> None:
    """Bring the case of a request up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)
