"""Corrections: what staff put right in the data of customers and in the place of a case. Always audited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.account.api import CustomerUpdate
from portal.account.provider import accepted
from portal.backend import audit
from portal.backend.backoffice import BackOfficeCase, TransitionRequest
from portal.backend.cases import add_event
from portal.backend.context import Context
from portal.backend.live import publish
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffMember
from portal.contract.errors import Conflict, NotFound
from portal.contracts.provider.backoffice import CONTRACT_END
from portal.deliveries.provider.date_backoffice import DATE_CHANGE
from portal.insurance.provider.backoffice import INSURANCE
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import known_locale
from portal.kernel.validation import InvalidValue
from portal.login.provider import queries
from portal.returns.provider.backoffice import RETURN
from portal.staff.api import (
    AddressEntry,
    CancelEntry,
    CustomerBike,
    CustomerCard,
    CustomersApi,
    EmailEntry,
    FrameNumberEntry,
    MergeEntry,
    StoreEntry,
)
from portal.staff.provider.base import all_stores, given_reason, refuse_field
from portal.staff.provider.cards import customer_row, to_bike, to_card
from portal.staff.provider.merging import merge
from portal.staff.provider.reveal import RevealService
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import WORKSHOP, CaseEventType, CaseKind, CaseState
from portal.vocabulary.contracts import EndStatus
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.staff import Right
from portal.vocabulary.withdrawals import DeclarationStatus
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.withdrawals.provider.backoffice import WITHDRAWAL
from portal.work_orders.provider.backoffice import WORK_ORDER

_CANCELLED_WORK = (WORK_ORDER, WorkOrderStatus.CANCELLED.value)

CANCELLED: Mapping[CaseKind, tuple[BackOfficeCase, str]] = {
    CaseKind.REPAIR: _CANCELLED_WORK,
    CaseKind.SERVICE: _CANCELLED_WORK,
    CaseKind.CLAIM: _CANCELLED_WORK,
    CaseKind.RETURN: (RETURN, ReturnStatus.CANCELLED.value),
    CaseKind.INSURANCE: (INSURANCE, InsuranceStatus.CANCELLED.value),
    CaseKind.DATE_CHANGE: (DATE_CHANGE, DateChangeStatus.CANCELLED.value),
    CaseKind.WITHDRAWAL: (WITHDRAWAL, DeclarationStatus.TAKEN_BACK.value),
    CaseKind.CONTRACT_END: (CONTRACT_END, EndStatus.TAKEN_BACK.value),
}
"""How a case is cancelled, by kind. A battery alarm is not: somebody has to look at the battery."""


class CorrectionsService(RevealService):
    """The operations that correct."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._outbox = Outbox(context)

    @override
    async def correct_frame_number(self, token: str, bike_id: str, entry: FrameNumberEntry) -> CustomerBike:
        operation = CustomersApi.correct_frame_number
        async with self._staff.changing(token, operation) as (member, session):
            bike = await self._bike(session, member, bike_id)
            try:
                number = validation.frame_number(entry.frame_number)
            except InvalidValue as refusal:
                raise refuse_field("frame_number", refusal.code) from None
            reason = given_reason(entry.reason, needed=False)
            known = bool(bike.frame_number)
            bike.frame_number = number
            cases = (
                select(CaseRow)
                .join(RequestRow, col(RequestRow.reference) == col(CaseRow.reference))
                .where(RequestRow.bike_id == bike.id, CaseRow.state != CaseState.DONE)
            )
            for case in await session.exec(cases):
                await self._corrected(session, member, case, "frame_number")
            await publish(session, bike.customer_id, Topic.REQUESTS, member.called_at)
            details = {"known_before": known}
            await audit.write(
                session, member, AuditAction(operation.__name__), "bike", bike.public_id, reason=reason, details=details
            )
            return to_bike(bike)

    async def _bike(self, session: AsyncSession, member: StaffMember, bike_id: str) -> BikeRow:
        """A bike by public id. Who may not correct customers finds only bikes of the cases that they see.

        Raises:
            NotFound: there is none, or none that the person may correct.
        """
        query = select(BikeRow).where(BikeRow.public_id == bike_id)
        if not member.may(Right.CORRECT_CUSTOMERS):
            visible = (
                select(RequestRow.bike_id)
                .join(CaseRow, col(CaseRow.reference) == col(RequestRow.reference))
                .where(member.visible_cases())
            )
            query = query.where(col(BikeRow.id).in_(visible))
        bike = (await session.exec(query.with_for_update())).first()
        if bike is None:
            self._staff.refused(member, CustomersApi.correct_frame_number.__name__)
            raise NotFound
        return bike

    async def _corrected(self, session: AsyncSession, member: StaffMember, case: CaseRow, what: str) -> None:
        case.version += 1
        case.changed_at = member.called_at
        await add_event(session, case, CaseEventType.CORRECTED, member.called_at, details={"what": what})

    @override
    async def correct_email(self, token: str, customer_id: str, entry: EmailEntry) -> CustomerCard:
        operation = CustomersApi.correct_email
        async with self._staff.changing(token, operation) as (member, session):
            row = await customer_row(session, customer_id, lock=True)
            reason = given_reason(entry.reason, needed=True)
            try:
                email = validation.email(entry.email)
            except InvalidValue as refusal:
                code = Code.REQUIRED if refusal.code is Code.REQUIRED else Code.INVALID_EMAIL
                raise refuse_field("email", code) from None
            if validation.email_key(email) == row.email_key:
                raise refuse_field("email", Code.SAME_EMAIL)
            old, customer = row.email, row.id or 0
            row.email, row.email_key, row.updated_at = email, validation.email_key(email), member.called_at
            await queries.replace_all(session, customer, member.called_at)
            await queries.end_sessions(session, customer, member.called_at)
            for recipient in (old, email):
                await self._outbox.post(
                    session,
                    Template.EMAIL_CHANGED,
                    recipient=recipient,
                    locale=known_locale(row.locale),
                    customer_id=row.id,
                    details={"new_email": email},
                )
            await audit.write(
                session, member, AuditAction(operation.__name__), "customer", row.public_id, reason=reason
            )
            return await to_card(session, row)

    @override
    async def correct_address(self, token: str, customer_id: str, entry: AddressEntry) -> CustomerCard:
        operation = CustomersApi.correct_address
        async with self._staff.changing(token, operation) as (member, session):
            row = await customer_row(session, customer_id, lock=True)
            reason = given_reason(entry.reason, needed=False)
            names = {"first_name": row.first_name, "prefix": row.prefix, "last_name": row.last_name}
            values = accepted(CustomerUpdate(**{**entry.model_dump(exclude={"reason"}), **names}))
            changed = sorted(name for name, value in values.items() if getattr(row, name) != value)
            for name in changed:
                setattr(row, name, values[name])
            row.updated_at = member.called_at
            details = {"fields": changed}
            await audit.write(
                session,
                member,
                AuditAction(operation.__name__),
                "customer",
                row.public_id,
                reason=reason,
                details=details,
            )
            return await to_card(session, row)

    @override
    async def correct_store(self, token: str, entry: StoreEntry) -> None:
        operation = CustomersApi.correct_store
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = given_reason(entry.reason, needed=False)
            store = next((row for row in await all_stores(session) if row.public_id == entry.store_id), None)
            if store is None:
                raise refuse_field("store_id", Code.INVALID_CHOICE)
            if case.partner_id == store.id:
                return
            before = case.partner_id
            if entry.kind in WORKSHOP and entry.kind is not CaseKind.BATTERY_ALARM:
                # The customer is told where to bring the bike, as whenever the service location changes.
                request = TransitionRequest(status=case.status, partner=store.public_id)
                await WORK_ORDER.move(self._context, session, case.reference, request)
            case.partner_id, case.version, case.changed_at = store.id, case.version + 1, member.called_at
            details = {"from": before, "to": store.id}
            await add_event(session, case, CaseEventType.MOVED_TO_STORE, member.called_at, details=details)
            await audit.write(
                session,
                member,
                AuditAction(operation.__name__),
                case.kind,
                case.reference,
                reason=reason,
                details=details,
            )

    @override
    async def cancel_for_customer(self, token: str, entry: CancelEntry) -> None:
        operation = CustomersApi.cancel_for_customer
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, entry.kind, entry.reference, operation)
            reason = given_reason(entry.reason, needed=True)
            if entry.kind not in CANCELLED:
                raise Conflict(Code.STATUS_NOT_ALLOWED)
            subject, status = CANCELLED[entry.kind]
            moved = await subject.move(self._context, session, case.reference, TransitionRequest(status=status))
            details: dict[str, Any] = {"before": moved.before, "status": moved.status}
            await audit.write(
                session,
                member,
                AuditAction(operation.__name__),
                case.kind,
                case.reference,
                reason=reason,
                details=details,
            )

    @override
    async def merge_customers(self, token: str, customer_id: str, entry: MergeEntry) -> CustomerCard:
        operation = CustomersApi.merge_customers
        async with self._staff.changing(token, operation) as (member, session):
            kept = await customer_row(session, customer_id, lock=True)
            reason = given_reason(entry.reason, needed=True)
            query = select(CustomerRow).where(
                CustomerRow.public_id == entry.merged_id, col(CustomerRow.erased_at).is_(None)
            )
            merged = (await session.exec(query.with_for_update())).first()
            if merged is None or merged.id == kept.id:
                raise refuse_field("merged_id", Code.INVALID_CHOICE)
            counts = await merge(session, kept, merged)
            for topic in Topic:
                await publish(session, kept.id or 0, topic, member.called_at)
            details = {"merged": entry.merged_id, "rows": counts}
            await audit.write(
                session,
                member,
                AuditAction(operation.__name__),
                "customer",
                kept.public_id,
                reason=reason,
                details=details,
            )
            return await to_card(session, kept)
