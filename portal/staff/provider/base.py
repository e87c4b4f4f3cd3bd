"""The services for staff share their sessions, stores, reasons, and the check which records a person reaches."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, exists, true
from sqlmodel import col, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.sessions import Service, Sessions
from portal.backend.staff import MAX_SESSION, StaffMember, StaffSessions, write_audit
from portal.contract.errors import InvalidInput, NotFound
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.login.provider import queries
from portal.staff.api.customers import MAX_REASON
from portal.staff.api.people import StoreName
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow, ReturnUnitRow, is_unit_of
from portal.tables.staff import AuditRow, StaffStoreRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.locations import LocationType
from portal.vocabulary.staff import STORE_ROLES, Right


class StaffBase(Service):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)


async def stores_of(session: AsyncSession, staff_ids: Iterable[int]) -> dict[int, list[StoreName]]:
    query = (
        select(StaffStoreRow.staff_id, PartnerRow.public_id, PartnerRow.name)
        .join(PartnerRow, col(PartnerRow.id) == col(StaffStoreRow.partner_id))
        .where(col(StaffStoreRow.staff_id).in_(list(staff_ids)))
        .order_by(col(PartnerRow.name))
    )
    found: dict[int, list[StoreName]] = {}
    for staff_id, public_id, name in await session.exec(query):
        found.setdefault(staff_id, []).append(StoreName(store_id=public_id, name=name))
    return found


async def all_stores(session: AsyncSession) -> list[PartnerRow]:
    query = select(PartnerRow).where(PartnerRow.location_type == LocationType.OWN_STORE).order_by(col(PartnerRow.name))
    return list(await session.exec(query))


def given_reason(text: str, *, needed: bool) -> str:
    try:
        return validation.required(text, MAX_REASON) if needed else validation.optional(text, MAX_REASON)
    except InvalidValue as refusal:
        raise InvalidInput(refusal.code, fields={"reason": refusal.code}) from None


def reason_for(member: StaffMember, right: Right, text: str) -> str:
    return given_reason(text, needed=member.needs_reason(right))


def refuse_field(field: str, code: Code) -> InvalidInput:
    return InvalidInput(code, fields={field: code})


SHOWN = "shown"
"""Detail of the audit of a search: public ids of the customers that it showed."""


async def audit_case(
    session: AsyncSession,
    member: StaffMember,
    operation: Callable[..., Any],
    case: CaseRow,
    reason: str,
    details: Mapping[str, object] | None = None,
) -> None:
    action = AuditAction(operation.__name__)
    await write_audit(session, member, action, case.kind, case.reference, reason=reason, details=details)


def bikes_in(cases: ColumnElement[bool]) -> ColumnElement[bool]:
    """The condition on `bikes`: the bike is in a case of its customer to which a condition applies."""
    requests = select(RequestRow.reference).where(RequestRow.bike_id == BikeRow.id)
    insurances = select(InsuranceRequestRow.reference).where(InsuranceRequestRow.bike_id == BikeRow.id)
    returns = (
        select(ReturnRow.reference)
        .join(ReturnUnitRow, col(ReturnUnitRow.return_id) == col(ReturnRow.id))
        .where(is_unit_of(BikeRow.id, BikeRow.order_line_id))
    )
    about = or_(*(col(CaseRow.reference).in_(each.correlate(BikeRow)) for each in (requests, insurances, returns)))
    found = select(CaseRow.id).where(cases, CaseRow.customer_id == BikeRow.customer_id, about)
    return exists(found.correlate(BikeRow))


class RecordReader(StaffBase):
    """Finds the records that a person may see. The name of the operation goes to the security log with a refusal."""

    async def _case(
        self,
        session: AsyncSession,
        member: StaffMember,
        kind: CaseKind,
        reference: str,
        operation: Callable[..., Any],
    ) -> CaseRow:
        query = select(CaseRow).where(
            CaseRow.kind == kind, CaseRow.reference == reference.replace(" ", ""), member.visible_cases()
        )
        found = (await session.exec(query)).first() if kind is not CaseKind.UNKNOWN else None
        if found is None:
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return found

    async def _customer(
        self,
        session: AsyncSession,
        member: StaffMember,
        customer_id: str,
        operation: Callable[..., Any],
        *,
        lock: bool = False,
    ) -> CustomerRow:
        """A customer by public id. Roles of a store find those of their cases and of their searches."""
        query = select(CustomerRow).where(CustomerRow.public_id == customer_id, col(CustomerRow.erased_at).is_(None))
        row = (await session.exec(query.with_for_update() if lock else query)).first()
        if row is None or not await _reaches(session, member, row):
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return row

    async def _revealable_bike(
        self, session: AsyncSession, member: StaffMember, bike_id: str, operation: Callable[..., Any]
    ) -> BikeRow:
        """A bike of which the person may reveal something, by public id; see `may_reveal`."""
        query = select(BikeRow).where(BikeRow.public_id == bike_id, may_reveal(member))
        if (bike := (await session.exec(query)).first()) is None:
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return bike

    async def _correctable_bike(
        self, session: AsyncSession, member: StaffMember, bike_id: str, operation: Callable[..., Any]
    ) -> BikeRow:
        """A bike by public id, locked: of a visible case, or of a customer whom the person reaches and may correct."""
        query = select(BikeRow, CustomerRow).join(CustomerRow, col(CustomerRow.id) == col(BikeRow.customer_id))
        found = (await session.exec(query.where(BikeRow.public_id == bike_id).with_for_update(of=BikeRow))).first()
        if found and member.may(Right.CORRECT_CUSTOMERS) and await _reaches(session, member, found[1]):
            return found[0]
        in_case = select(BikeRow.id).where(BikeRow.public_id == bike_id, bikes_in(member.visible_cases()))
        if found is None or (await session.exec(in_case)).first() is None:
            self._staff.refused(member, operation.__name__)
            raise NotFound
        return found[0]


def may_reveal(member: StaffMember) -> ColumnElement[bool]:
    """The condition on `bikes`: the person may reveal what is hidden of them."""
    everywhere = member.may(Right.ACT_FOR_CUSTOMERS) and member.role not in STORE_ROLES
    return true() if everywhere else bikes_in(member.visible_cases())


async def _reaches(session: AsyncSession, member: StaffMember, customer: CustomerRow) -> bool:
    """Whether the person has a case of the customer, or found them by a search of the last hours, which is audited."""
    if member.role not in STORE_ROLES:
        return True
    cases = select(CaseRow.id).where(member.visible_cases(), CaseRow.customer_id == customer.id).limit(1)
    if (await session.exec(cases)).first() is not None:
        return True
    searches = select(AuditRow.details).where(
        AuditRow.staff_id == member.id,
        AuditRow.action == AuditAction.FIND_CUSTOMERS,
        col(AuditRow.happened_at) > member.called_at - MAX_SESSION,
    )
    return any(customer.public_id in details.get(SHOWN, ()) for details in await session.exec(searches))


async def log_out(session: AsyncSession, row: CustomerRow, now: datetime) -> None:
    """End the sessions of a customer whose address changed, and codes that are on their way to the former one."""
    await queries.replace_all(session, row.id, now)
    await queries.end_sessions(session, row.id, now)
