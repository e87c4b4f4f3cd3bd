"""The operations on files for finance and insurers."""

from __future__ import annotations

from typing_extensions import override

from portal.backend import audit
from portal.backend.context import Context
from portal.backend.database import part_of
from portal.backend.service import Service
from portal.backend.sessions import Sessions
from portal.backend.staff import StaffSessions
from portal.contract.models import Document, Page
from portal.exports.api import (
    BatchChoice,
    ExportsApi,
    RefundAccount,
    RefundBatch,
    RefundToPay,
    WaitingExports,
)
from portal.exports.provider import lists, refunds
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.exports import RefundWay

BATCH = "refund batch"
"""Kind of record in the audit."""


class ExportsService(Service, ExportsApi):
    """Implements `ExportsApi`."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._staff = StaffSessions(context)

    @override
    async def waiting_exports(self, token: str) -> WaitingExports:
        async with self._staff.reading(token, ExportsApi.waiting_exports) as (_, session):
            sums = [await refunds.sum_of(session, way) for way in (RefundWay.ORIGINAL, RefundWay.ACCOUNT)]
            return WaitingExports(refunds=sums, insurances=await lists.waiting_insurances(session))

    @override
    async def refunds_to_pay(self, token: str) -> list[RefundToPay]:
        async with self._staff.reading(token, ExportsApi.refunds_to_pay) as (_, session):
            return [refunds.shown(found) for found in await refunds.to_pay(session)]

    @override
    async def enter_refund_account(self, token: str, reference: str, account: RefundAccount) -> None:
        async with self._staff.changing(token, ExportsApi.enter_refund_account) as (member, session):
            await refunds.enter_account(session, reference, account, self._context.clock())
            await audit.write(session, member, AuditAction.ENTER_REFUND_ACCOUNT, "return", reference)

    @override
    async def refund_batches(self, token: str, page: int = 1) -> Page[RefundBatch]:
        async with self._staff.reading(token, ExportsApi.refund_batches) as (_, session):
            part = await part_of(session, refunds.batches_query(), page)
            items = await refunds.described(session, part.rows)
        return Page(items=items, page=part.place.page, pages=part.place.pages, total=part.place.total)

    @override
    async def export_refunds(self, token: str, choice: BatchChoice) -> RefundBatch:
        async with self._staff.changing(token, ExportsApi.export_refunds) as (member, session):
            batch = await refunds.export(session, choice.way, self._context.clock(), member.id)
            (made,) = await refunds.described(session, [batch])
            details = {"way": made.way.value, "count": made.count, "total": str(made.total)}
            await audit.write(session, member, AuditAction.EXPORT_REFUNDS, BATCH, made.id, details=details)
            return made

    @override
    async def refund_list(self, token: str, batch_id: str) -> Document:
        async with self._staff.changing(token, ExportsApi.refund_list) as (member, session):
            batch = await refunds.find_batch(session, batch_id)
            await audit.write(session, member, AuditAction.REFUND_LIST, BATCH, batch.public_id)
            return await refunds.as_list(session, batch)

    @override
    async def refund_payment(self, token: str, batch_id: str) -> Document:
        async with self._staff.changing(token, ExportsApi.refund_payment) as (member, session):
            batch = await refunds.find_batch(session, batch_id)
            await audit.write(session, member, AuditAction.REFUND_PAYMENT, BATCH, batch.public_id)
            return await refunds.as_payment(session, self._settings, batch)

    @override
    async def insurance_list(self, token: str) -> Document:
        async with self._staff.changing(token, ExportsApi.insurance_list) as (member, session):
            await audit.write(session, member, AuditAction.INSURANCE_LIST)
            return await lists.insurance_list(session, self._context.clock(), self._context.settings.desk_locale)
