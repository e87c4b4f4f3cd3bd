"""Which subject describes which kind of case; cases that are opened later or come back to the queue."""

from collections.abc import Mapping

from sqlmodel import col, exists, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseSubject, add_event, open_missing
from portal.backend.context import Context
from portal.backend.security import reading_in
from portal.contracts.provider.service import CONTRACT_END_CASES
from portal.deliveries.provider.cases import DATE_CHANGE_CASES
from portal.insurance.provider.backoffice import INSURANCE_CASES
from portal.kernel.texts import Locale
from portal.returns.provider.cases import ALARM_CASES, RETURN_CASES
from portal.tables.cases import CaseRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.cases import Asks, CaseEventType, CaseKind, CaseState
from portal.withdrawals.provider.declarations import WITHDRAWAL_CASES
from portal.work_orders.provider.service import WORK_ORDER_CASES

SUBJECTS: Mapping[CaseKind, CaseSubject] = {
    CaseKind.REPAIR: WORK_ORDER_CASES,
    CaseKind.SERVICE: WORK_ORDER_CASES,
    CaseKind.CLAIM: WORK_ORDER_CASES,
    CaseKind.RETURN: RETURN_CASES,
    CaseKind.WITHDRAWAL: WITHDRAWAL_CASES,
    CaseKind.INSURANCE: INSURANCE_CASES,
    CaseKind.DATE_CHANGE: DATE_CHANGE_CASES,
    CaseKind.CONTRACT_END: CONTRACT_END_CASES,
    CaseKind.BATTERY_ALARM: ALARM_CASES,
}


async def item_of(session: AsyncSession, case: CaseRow, locale: Locale) -> str:
    """The bike or the items that a case is about, for a mail; empty if the request is gone."""
    with reading_in(locale):
        lines = await SUBJECTS[case.kind].lines(session, [case.reference])
    return lines[case.reference].item if case.reference in lines else ""


async def open_all(session: AsyncSession) -> int:
    """Open the cases of all requests that have none. Returns how many."""
    opened = 0
    for subject in (
        WORK_ORDER_CASES,
        RETURN_CASES,
        WITHDRAWAL_CASES,
        INSURANCE_CASES,
        DATE_CHANGE_CASES,
        CONTRACT_END_CASES,
    ):
        opened += await open_missing(session, await subject.facts(session))
    return opened


_MAX_BATCH = 500


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
        .limit(_MAX_BATCH)
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
