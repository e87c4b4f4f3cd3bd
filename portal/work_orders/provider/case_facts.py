"""What a work order tells its case, and the call that keeps the case in step."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.kernel.days import end_of_day, in_working_days
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.work_orders import WORK_ORDERS, RequestKind, WorkOrderStatus

KIND_OF_REQUEST = {
    RequestKind.REPAIR: CaseKind.REPAIR,
    RequestKind.SERVICE: CaseKind.SERVICE,
    RequestKind.CLAIM: CaseKind.CLAIM,
}
_S = WorkOrderStatus
_BEFORE_THE_WORK = frozenset({_S.NEW, _S.ACCEPTED, _S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR})


def facts_of(request: RequestRow) -> CaseFacts:
    """The facts of a work order.

    Promised is the planned day until the work begins. Without a day a repair is answered within working days, as the
    customer was told.
    """
    promised: datetime | None = None
    if request.planned_date and request.status in _BEFORE_THE_WORK:
        promised = end_of_day(request.planned_date)
    elif request.kind is RequestKind.REPAIR and request.status is _S.NEW:
        promised = in_working_days(request.created_at, request.answer_days)
    return CaseFacts(
        kind=KIND_OF_REQUEST[request.kind],
        reference=request.reference,
        customer_id=request.customer_id,
        status=request.status.value,
        final=request.status in WORK_ORDERS[request.kind].ends,
        partner_id=request.partner_id,
        promised_at=promised,
    )


async def record_case(
    session: AsyncSession,
    request: RequestRow,
    happened: CaseEventType,
    now: datetime,
    *,
    by_customer: bool = False,
    details: dict[str, Any] | None = None,
) -> None:
    """Bring the case of a work order up to date, in the transaction of the change."""
    await record(session, facts_of(request), happened, now, by_customer=by_customer, details=details)
