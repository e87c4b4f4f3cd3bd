"""Which subject tells about which kind of case."""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseSubject, open_missing
from portal.backend.reader import reading_in
from portal.contracts.provider.cases import CONTRACT_END_CASES
from portal.deliveries.provider.cases import DATE_CHANGE_CASES
from portal.insurance.provider.cases import INSURANCE_CASES
from portal.kernel.texts import Locale
from portal.returns.provider.cases import ALARM_CASES, RETURN_CASES
from portal.tables.cases import CaseRow
from portal.vocabulary.cases import CaseKind
from portal.withdrawals.provider.cases import WITHDRAWAL_CASES
from portal.work_orders.provider.cases import WORK_ORDER_CASES

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
