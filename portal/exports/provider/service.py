"""The operations on files for finance, and the hand-over to insurers, for spreadsheets."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import part_of
from portal.backend.sessions import Service, Sessions
from portal.backend.spreadsheet import BOM, lines
from portal.backend.staff import StaffMember, StaffSessions, write_audit
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.models import Document, Locale, Page
from portal.contract.operations import CSV
from portal.exports.api import (
    BatchChoice,
    ChosenRefunds,
    ExportsApi,
    RefundBatch,
    RefundResult,
    RefundToPay,
    WaitingExports,
)
from portal.exports.provider import refunds
from portal.kernel.days import AMSTERDAM
from portal.returns.api import RefundAccount
from portal.returns.provider.refunds import enter_account, kind_of_case
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exchange import RefundWay
from portal.vocabulary.insurance import INSURING, InsuranceStatus

BATCH = "refund batch"


class ExportsService(Service, ExportsApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)

    @override
    async def waiting_exports(self, token: str) -> WaitingExports:
        async with self._staff.reading(token, ExportsApi.waiting_exports) as (_, session):
            sums = [
                await refunds.sum_of(session, self._settings, way) for way in (RefundWay.ORIGINAL, RefundWay.ACCOUNT)
            ]
            return WaitingExports(refunds=sums, insurances=await waiting_insurances(session))

    @override
    async def refunds_to_pay(self, token: str) -> list[RefundToPay]:
        async with self._staff.reading(token, ExportsApi.refunds_to_pay) as (_, session):
            return await refunds.shown(session, self._settings, await refunds.unpaid(session))

    @override
    async def enter_refund_account(self, token: str, reference: str, account: RefundAccount) -> None:
        async with self._staff.changing(token, ExportsApi.enter_refund_account) as (member, session):
            row = await refunds.find_return(session, reference)
            ending = await enter_account(self._context, session, row, account, member)
            details = {"holder": account.holder, "account": ending}
            kind = kind_of_case(row).value
            await write_audit(session, member, AuditAction.ENTER_REFUND_ACCOUNT, kind, reference, details=details)

    @override
    async def confirm_refunds(self, token: str, chosen: ChosenRefunds) -> list[RefundResult]:
        async def confirmed(session: AsyncSession, row: refunds.Refund, member: StaffMember) -> None:
            await refunds.confirm(self._context, session, row, member)
            await self._audit(session, member, AuditAction.CONFIRM_REFUNDS, row)

        return await self._each(token, ExportsApi.confirm_refunds, chosen, confirmed)

    @override
    async def record_refunds_paid(self, token: str, chosen: ChosenRefunds) -> list[RefundResult]:
        async def paid(session: AsyncSession, row: refunds.Refund, member: StaffMember) -> None:
            await refunds.record_paid(self._context, session, row)
            await self._audit(session, member, AuditAction.RECORD_REFUNDS_PAID, row)

        return await self._each(token, ExportsApi.record_refunds_paid, chosen, paid)

    async def _audit(
        self, session: AsyncSession, member: StaffMember, action: AuditAction, row: refunds.Refund
    ) -> None:
        details = {"total": str(refunds.amount_of(row))}
        await write_audit(session, member, action, refunds.case_kind_of(row).value, row.reference, details=details)

    async def _each(
        self,
        token: str,
        operation: Callable[..., Any],
        chosen: ChosenRefunds,
        change: Callable[[AsyncSession, refunds.Refund, StaffMember], Awaitable[None]],
    ) -> list[RefundResult]:
        async with self._staff.reading(token, operation):
            pass  # Who lacks the right is refused as a whole, not refund by refund.
        results: list[RefundResult] = []
        for reference in chosen.references:
            try:
                async with self._staff.changing(token, operation) as (member, session):
                    await change(session, await refunds.find_refund(session, reference), member)
            except NotAuthenticated:
                raise
            except ProviderError as refusal:
                results.append(RefundResult(reference=reference, code=refusal.code))
            else:
                results.append(RefundResult(reference=reference))
        return results

    @override
    async def refund_batches(self, token: str, page: int = 1) -> Page[RefundBatch]:
        async with self._staff.reading(token, ExportsApi.refund_batches) as (_, session):
            part = await part_of(session, refunds.batches_query(), page)
            items = await refunds.described(session, part.rows)
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def export_refunds(self, token: str, choice: BatchChoice) -> RefundBatch:
        async with self._staff.changing(token, ExportsApi.export_refunds) as (member, session):
            batch = await refunds.export(self._context, session, choice.way, member.id)
            (made,) = await refunds.described(session, [batch])
            details = {"way": made.way.value, "count": made.count, "total": str(made.total)}
            await write_audit(session, member, AuditAction.EXPORT_REFUNDS, BATCH, made.id, details=details)
            return made

    @override
    async def refund_list(self, token: str, batch_id: str) -> Document:
        async with self._staff.changing(token, ExportsApi.refund_list) as (member, session):
            batch = await refunds.find_batch(session, batch_id)
            await write_audit(session, member, AuditAction.REFUND_LIST, BATCH, batch.public_id)
            return await refunds.as_list(session, batch, self._context.settings.desk_locale)

    @override
    async def refund_payment(self, token: str, batch_id: str) -> Document:
        async with self._staff.changing(token, ExportsApi.refund_payment) as (member, session):
            batch = await refunds.find_batch(session, batch_id)
            await write_audit(session, member, AuditAction.REFUND_PAYMENT, BATCH, batch.public_id)
            return await refunds.as_payment(session, self._settings, batch)

    @override
    async def insurance_list(self, token: str) -> Document:
        async with self._staff.changing(token, ExportsApi.insurance_list) as (member, session):
            await write_audit(session, member, AuditAction.INSURANCE_LIST)
            return await insurance_list(session, self._context.clock(), self._context.settings.desk_locale)


_INSURANCE = (
    "reference", "requested_at", "insurer", "type", "premium_month", "document", "name", "email", "phone", "street",
    "house_number", "house_number_addon", "post_code", "city", "country", "iban", "bike", "brand", "frame_number",
    "key_number", "battery_number", "imei_number", "order_number", "ordered_on",
)  # fmt: skip


def _waiting() -> tuple[Any, ...]:
    return (
        InsuranceRequestRow.status == InsuranceStatus.CREATED,
        col(InsuranceRequestRow.type).in_(sorted(INSURING)),
    )


async def waiting_insurances(session: AsyncSession) -> int:
    return (await session.exec(select(func.count(col(InsuranceRequestRow.id))).where(*_waiting()))).one()


async def insurance_list(session: AsyncSession, now: datetime, locale: Locale) -> Document:
    query: Any = (
        select(InsuranceRequestRow, BikeRow, CustomerRow, OrderRow)
        .join(BikeRow, col(BikeRow.id) == col(InsuranceRequestRow.bike_id))
        .join(CustomerRow, col(CustomerRow.id) == col(InsuranceRequestRow.customer_id))
        .join(OrderRow, col(OrderRow.id) == col(BikeRow.order_id))
        .where(*_waiting())
        .order_by(col(InsuranceRequestRow.id))
    )
    rows = [
        (
            request.reference,
            _local(request.created_at),
            request.insurer,
            request.type,
            request.premium,
            request.document_id,
            customer.full_name,
            customer.email,
            customer.phone,
            customer.street,
            customer.house_number,
            customer.house_number_addon,
            customer.post_code,
            customer.city,
            customer.country_code,
            request.iban,
            bike.name,
            bike.brand,
            bike.frame_number,
            request.key_number,
            bike.battery_number,
            bike.imei_number,
            order.order_number,
            _local(order.ordered_at)[:10],
        )
        for request, bike, customer, order in (await session.exec(query)).all()
    ]
    name = f"insurances-{now.astimezone(AMSTERDAM):%Y-%m-%d}.csv"
    return Document(name=name, media_type=CSV.media_type, content=(BOM + lines([_INSURANCE, *rows], locale)).encode())


def _local(moment: datetime | None) -> str:
    return f"{moment.astimezone(AMSTERDAM):%Y-%m-%d %H:%M}" if moment else ""
