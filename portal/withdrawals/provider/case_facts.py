"""What a declaration without a login tells its case. Once confirmed, the return with its reference tells it."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.tables.returns import WithdrawalDeclarationRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import DeclarationStatus
from portal.vocabulary.links import LinkPurpose, lifetime


def facts_of(row: WithdrawalDeclarationRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.WITHDRAWAL,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status is DeclarationStatus.TAKEN_BACK,
        waiting=row.status is DeclarationStatus.RECEIVED,
        waiting_until=row.received_at + lifetime(LinkPurpose.WITHDRAWAL),
    )


async def record_case(
    session: AsyncSession, row: WithdrawalDeclarationRow, now: datetime, *, by_customer: bool = True
) -> None:
    """Bring the case of a declaration up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)
