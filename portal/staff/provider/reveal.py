"""What is hidden until somebody reveals it: account numbers, policy numbers and pin codes. Always audited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import audit
from portal.backend.staff import StaffMember
from portal.contract.errors import NotFound
from portal.staff.api import CustomersApi, FinancialEntry, PinCodeEntry, Revealed, RevealReason
from portal.staff.provider.base import StaffBase, reason_for
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import REVEALED_BY, HiddenNumber, Right


async def audit_case(
    session: AsyncSession,
    member: StaffMember,
    operation: Callable[..., Any],
    case: CaseRow,
    reason: str,
    details: dict[str, Any] | None = None,
) -> None:
    """Write to the audit what somebody did with a case, and why."""
    action = AuditAction(operation.__name__)
    await audit.write(session, member, action, case.kind, case.reference, reason=reason, details=details)


class CaseReader(StaffBase):
    """Finds a case that a person may see."""

    async def _case(
        self,
        session: AsyncSession,
        member: StaffMember,
        kind: CaseKind,
        reference: str,
        operation: Callable[..., Any],
    ) -> CaseRow:
        """The case; the name of the operation goes to the security log if it is refused.

        Raises:
            NotFound: there is none, or it belongs to another store or another kind than the role sees.
        """
        query = select(CaseRow).where(
            CaseRow.kind == kind, CaseRow.reference == reference.replace(" ", ""), member.visible_cases()
        )
        found = (await session.exec(query)).first() if kind is not CaseKind.UNKNOWN else None
        if found is None:
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return found

    async def _bike(
        self, session: AsyncSession, member: StaffMember, bike_id: str, anywhere: Right, operation: Callable[..., Any]
    ) -> BikeRow:
        """A bike by public id, locked. Without the right `anywhere` only bikes of visible cases are found.

        Raises:
            NotFound: there is none, or none that the person may see; written to the security log.
        """
        query = select(BikeRow).where(BikeRow.public_id == bike_id)
        if not member.may(anywhere):
            visible = (
                select(RequestRow.bike_id)
                .join(CaseRow, col(CaseRow.reference) == col(RequestRow.reference))
                .where(member.visible_cases())
            )
            query = query.where(col(BikeRow.id).in_(visible))
        bike = (await session.exec(query.with_for_update())).first()
        if bike is None:
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return bike


class RevealService(CaseReader, CustomersApi):
    """The operations that reveal."""

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
        """A bike of which something is revealed, with its entry in the audit."""
        right = REVEALED_BY[what]
        async with self._staff.changing(token, operation) as (member, session):
            bike = await self._bike(session, member, bike_id, Right.ACT_FOR_CUSTOMERS, operation)
            reason = reason_for(member, right, entry.reason)
            details = {} if right is Right.REVEAL_PIN_CODE else {"what": what.value}
            await audit.write(
                session, member, AuditAction(right.value), "bike", bike.public_id, reason=reason, details=details
            )
            return bike


async def _revealed(session: AsyncSession, case: CaseRow, what: HiddenNumber) -> Revealed:
    return Revealed(value=(await hidden_numbers(session, case)).get(what, ""))


async def hidden_numbers(session: AsyncSession, case: CaseRow) -> dict[HiddenNumber, str]:
    """What a case has that staff see only when they reveal it."""
    codes = await session.exec(select(BikeRow.pin_code).where(_bikes_of(case)).order_by(col(BikeRow.id)))
    found = {
        HiddenNumber.PIN_CODE: ", ".join(code for code in codes if code),
        HiddenNumber.IBAN: await _number(session, case, HiddenNumber.IBAN),
        HiddenNumber.POLICY_NUMBER: await _number(session, case, HiddenNumber.POLICY_NUMBER),
    }
    return {what: value for what, value in found.items() if value}


def hidden_of_bike(bike: BikeRow) -> list[HiddenNumber]:
    """What can be revealed of a bike."""
    stored = {HiddenNumber.PIN_CODE: bike.pin_code, HiddenNumber.POLICY_NUMBER: bike.policy_number}
    return [what for what, value in stored.items() if value]


def _bikes_of(case: CaseRow) -> Any:
    """SQL condition: the bike is in the case."""
    request = select(RequestRow.bike_id).where(RequestRow.reference == case.reference)
    insurance = select(InsuranceRequestRow.bike_id).where(InsuranceRequestRow.reference == case.reference)
    returned = (
        select(ReturnUnitRow.order_line_id)
        .join(ReturnRow, col(ReturnRow.id) == col(ReturnUnitRow.return_id))
        .where(ReturnRow.reference == case.reference)
    )
    return (col(BikeRow.customer_id) == case.customer_id) & or_(
        col(BikeRow.id).in_(request), col(BikeRow.id).in_(insurance), col(BikeRow.order_line_id).in_(returned)
    )


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
