"""What is hidden until somebody reveals it: account numbers, policy numbers and pin codes. Always audited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.staff import write_audit
from portal.staff.api import CustomersApi, FinancialEntry, PinCodeEntry, Revealed, RevealReason
from portal.staff.provider.base import reason_for
from portal.staff.provider.reach import RecordReader, audit_case, bikes_in
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import REVEALED_BY, HiddenNumber, Right


class RevealService(RecordReader, CustomersApi):
    @override
    async def reveal_pin_code(self, token: str, entry: PinCodeEntry) -> Revealed:
        operation = CustomersApi.reveal_pin_code
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = reason_for(member, Right.REVEAL_PIN_CODE, entry.reason)
            await audit_case(session, member, operation, case, reason)
            return await _revealed(session, case, HiddenNumber.PIN_CODE)

    @override
    async def reveal_financial(self, token: str, entry: FinancialEntry) -> Revealed:
        operation = CustomersApi.reveal_financial
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = reason_for(member, Right.REVEAL_FINANCIAL, entry.reason)
            details = {"what": entry.what.value}
            await audit_case(session, member, operation, case, reason, details)
            return await _revealed(session, case, entry.what)

    @override
    async def reveal_bike_pin_code(self, token: str, bike_id: str, entry: RevealReason) -> Revealed:
        operation = CustomersApi.reveal_bike_pin_code
        bike = await self._revealed_bike(token, bike_id, entry, HiddenNumber.PIN_CODE, operation)
        return Revealed(value=bike.pin_code or "")

    @override
    async def reveal_bike_policy_number(self, token: str, bike_id: str, entry: RevealReason) -> Revealed:
        operation = CustomersApi.reveal_bike_policy_number
        bike = await self._revealed_bike(token, bike_id, entry, HiddenNumber.POLICY_NUMBER, operation)
        return Revealed(value=bike.policy_number)

    async def _revealed_bike(
        self, token: str, bike_id: str, entry: RevealReason, what: HiddenNumber, operation: Callable[..., Any]
    ) -> BikeRow:
        right = REVEALED_BY[what]
        async with self._staff.changing(token, operation) as (member, session):
            bike = await self._revealable_bike(session, member, bike_id, operation)
            reason = reason_for(member, right, entry.reason)
            details = {} if right is Right.REVEAL_PIN_CODE else {"what": what.value}
            await write_audit(
                session, member, AuditAction(right.value), "bike", bike.public_id, reason=reason, details=details
            )
            return bike


async def _revealed(session: AsyncSession, case: CaseRow, what: HiddenNumber) -> Revealed:
    return Revealed(value=(await hidden_numbers(session, case)).get(what, ""))


async def hidden_numbers(session: AsyncSession, case: CaseRow) -> dict[HiddenNumber, str]:
    codes = await session.exec(
        select(BikeRow.pin_code).where(bikes_in(col(CaseRow.id) == case.id)).order_by(col(BikeRow.id))
    )
    found = {
        HiddenNumber.PIN_CODE: ", ".join(code for code in codes if code),
        HiddenNumber.IBAN: await _number(session, case, HiddenNumber.IBAN),
        HiddenNumber.POLICY_NUMBER: await _number(session, case, HiddenNumber.POLICY_NUMBER),
    }
    return {what: value for what, value in found.items() if value}


def hidden_of_bike(bike: BikeRow) -> list[HiddenNumber]:
    stored = {HiddenNumber.PIN_CODE: bike.pin_code, HiddenNumber.POLICY_NUMBER: bike.policy_number}
    return [what for what, value in stored.items() if value]


async def _number(session: AsyncSession, case: CaseRow, what: HiddenNumber) -> str:
    """A number of a case; empty if the case has none."""
    if case.kind is CaseKind.INSURANCE:
        row = (
            await session.exec(select(InsuranceRequestRow).where(InsuranceRequestRow.reference == case.reference))
        ).first()
        return "" if row is None else row.iban if what is HiddenNumber.IBAN else row.policy_number
    if case.kind is CaseKind.CLAIM and what is HiddenNumber.POLICY_NUMBER:
        claim = (await session.exec(select(RequestRow).where(RequestRow.reference == case.reference))).first()
        bike = await session.get(BikeRow, claim.bike_id) if claim else None
        typed = (claim.details or {}).get("policy_number") if claim else None
        return str(typed or (bike.policy_number if bike else ""))
    return ""
