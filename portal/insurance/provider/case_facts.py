"""What an insurance request tells its case, and the call that keeps the case in step."""

from __future__ import annotations

from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.kernel.days import in_working_days
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.insurance import INSURANCE_REQUESTS, InsuranceStatus


def facts_of(row: InsuranceRequestRow) -> CaseFacts:
    """The facts of a request. An answer of the insurer is promised once it was confirmed."""
    asked = row.status is InsuranceStatus.CREATED
    return CaseFacts(
        kind=CaseKind.INSURANCE,
        reference=row.reference,
        customer_id=row.customer_id,
        status=row.status.value,
        final=row.status in INSURANCE_REQUESTS.ends,
        waiting=row.status is InsuranceStatus.WAITING_FOR_INPUT,
        waiting_until=row.link_expires_at if row.waits_for_link else None,
        promised_at=in_working_days(row.updated_at, row.answer_days) if asked else None,
    )


async def record_case(
    session: AsyncSession, row: InsuranceRequestRow, now: datetime, *, by_customer: bool = False
) -> None:
    """Bring the case of a request up to date, in the transaction of the change."""
    await record(session, facts_of(row), CaseEventType.STATUS_CHANGED, now, by_customer=by_customer)
