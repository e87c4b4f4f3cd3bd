"""Lists for spreadsheets: the hand-over to insurers, and cases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.spreadsheet import lines
from portal.contract.models import Document
from portal.exports.api import CSV, CaseList
from portal.exports.provider.refunds import BOM
from portal.kernel.days import AMSTERDAM
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow, PartnerRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import CaseState
from portal.vocabulary.insurance import INSURING, InsuranceStatus

AT_ONCE = 500
"""Cases that are read at once."""

_INSURANCE = (
    "reference", "requested_at", "insurer", "type", "premium_month", "document", "name", "email", "phone", "street",
    "house_number", "house_number_addon", "post_code", "city", "country", "iban", "bike", "brand", "frame_number",
    "key_number", "battery_number", "imei_number", "order_number", "ordered_on",
)  # fmt: skip

_CASE = (
    "kind", "reference", "state", "status", "urgent", "store", "assigned_to", "opened_at", "changed_at", "promised_at",
    "closed_at",
)  # fmt: skip


async def insurance_list(session: AsyncSession, now: datetime) -> Document:
    """Insurance requests that wait for the insurer, with what a policy needs."""
    query: Any = (
        select(InsuranceRequestRow, BikeRow, CustomerRow, OrderRow)
        .join(BikeRow, col(BikeRow.id) == col(InsuranceRequestRow.bike_id))
        .join(CustomerRow, col(CustomerRow.id) == col(InsuranceRequestRow.customer_id))
        .join(OrderRow, col(OrderRow.id) == col(BikeRow.order_id))
        .where(
            InsuranceRequestRow.status == InsuranceStatus.CREATED,
            col(InsuranceRequestRow.type).in_(sorted(INSURING)),
        )
        .order_by(col(InsuranceRequestRow.id))
    )
    rows = [
        (
            request.reference,
            _local(request.created_at),
            request.insurer.value if request.insurer else "",
            request.type.value,
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
            customer.country_code.value,
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
    return Document(name=name, media_type=CSV.media_type, content=(BOM + lines([_INSURANCE, *rows])).encode())


async def case_list(context: Context, visible: ColumnElement[bool], wanted: CaseList) -> AsyncIterator[bytes]:
    """The cases that somebody sees, read in parts so that a long list needs no more memory than a short one."""
    yield (BOM + lines([_CASE])).encode()
    last = 0
    while True:
        query: Any = (
            select(CaseRow, PartnerRow.name, StaffRow.name)
            .outerjoin(PartnerRow, col(PartnerRow.id) == col(CaseRow.partner_id))
            .outerjoin(StaffRow, col(StaffRow.id) == col(CaseRow.assigned_to))
            .where(visible, col(CaseRow.id) > last)
            .order_by(col(CaseRow.id))
            .limit(AT_ONCE)
        )
        if wanted.open_only:
            query = query.where(col(CaseRow.state) != CaseState.DONE)
        if wanted.since:
            query = query.where(col(CaseRow.opened_at) >= wanted.since)
        async with context.database.session() as session:
            found = (await session.exec(query)).all()
        if not found:
            return
        last = found[-1][0].id
        yield lines(_case(*each) for each in found).encode()


def _case(case: CaseRow, store: str | None, person: str | None) -> tuple[object, ...]:
    return (
        case.kind.value,
        case.reference,
        case.state.value,
        case.status,
        "yes" if case.urgent else "",
        store,
        person,
        _local(case.opened_at),
        _local(case.changed_at),
        _local(case.promised_at),
        _local(case.closed_at),
    )


def _local(moment: datetime | None) -> str:
    return f"{moment.astimezone(AMSTERDAM):%Y-%m-%d %H:%M}" if moment else ""
