"""What the end of a contract tells its case, and the call that keeps the case in step."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.kernel.days import end_of_day, local_day
from portal.kernel.terms import REFUND_DAYS
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.contracts import CONTRACT_ENDS, EndKind, EndStatus
from portal.vocabulary.links import LinkPurpose, lifetime

_REFUND = timedelta(days=REFUND_DAYS)


def facts_of(row: ContractEndRow) -> CaseFacts:
    return CaseFacts(
        kind=CaseKind.CONTRACT_END,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in CONTRACT_ENDS.ends,
        waiting=row.status is EndStatus.RECEIVED,
        waiting_until=row.received_at + lifetime(LinkPurpose.CONTRACT_END),
        promised_at=_promised(row) if row.status is EndStatus.CONFIRMED else None,
    )


async def record_case(session: AsyncSession, row: ContractEndRow, now: datetime, *, by_customer: bool = False) -> None:
    """Bring the case of an end up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)


def _promised(row: ContractEndRow) -> datetime:
    """The day of the refund that the customer was told; without one the last day of the contract."""
    if not row.refund:
        return end_of_day(row.ends_on)
    first = local_day(row.received_at) if row.ending is EndKind.WITHDRAWAL else row.ends_on
    return end_of_day(first + _REFUND)
