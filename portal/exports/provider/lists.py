"""The hand-over to insurers, for spreadsheets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.spreadsheet import BOM, lines
from portal.contract.models import Document, Locale
from portal.contract.operations import CSV
from portal.kernel.days import AMSTERDAM
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.tables.orders import OrderRow
from portal.vocabulary.insurance import INSURING, InsuranceStatus

_INSURANCE = (
    "reference", "requested_at", "insurer", "type", "premium_month", "document", "name", "email", "phone", "street",
    "house_number", "house_number_addon", "post_code", "city", "country", "iban", "bike", "brand", "frame_number",
    "key_number", "battery_number", "imei_number", "order_number", "ordered_on",
)  # fmt: skip


def _waiting() -> tuple[Any, ...]:
    """SQL conditions: the request waits for the insurer."""
    return (
        InsuranceRequestRow.status == InsuranceStatus.CREATED,
        col(InsuranceRequestRow.type).in_(sorted(INSURING)),
    )


async def waiting_insurances(session: AsyncSession) -> int:
    """Number of insurance requests that wait for the insurer."""
    return (await session.exec(select(func.count(col(InsuranceRequestRow.id))).where(*_waiting()))).one()


async def insurance_list(session: AsyncSession, now: datetime, locale: Locale) -> Document:
    """Insurance requests that wait for the insurer, with what a policy needs."""
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
