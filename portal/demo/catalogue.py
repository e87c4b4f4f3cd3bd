"""Service products of the demonstration: every job for bikes and e-bikes, at the full and at half the price."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.columns import CENT
from portal.provider.tables.service_products import ServiceProductRow
from portal.vocabulary.services import Drive, ServiceJob

_PRICES: dict[Drive, dict[ServiceJob, Decimal]] = {
    Drive.BIKE: {
        ServiceJob.FIRST: Decimal("49.00"),
        ServiceJob.SECOND: Decimal("69.00"),
        ServiceJob.THIRD: Decimal("79.00"),
        ServiceJob.FOURTH: Decimal("99.00"),
    },
    Drive.E_BIKE: {
        ServiceJob.FIRST: Decimal("69.00"),
        ServiceJob.SECOND: Decimal("99.00"),
        ServiceJob.THIRD: Decimal("109.00"),
        ServiceJob.FOURTH: Decimal("139.95"),
    },
}


def service_products() -> list[ServiceProductRow]:
    """All variants of all jobs."""
    rows = []
    for drive, prices in _PRICES.items():
        for job, price in prices.items():
            sku = f"BEURT{job.value}-{'E' if drive is Drive.E_BIKE else 'F'}"
            half = (price / 2).quantize(CENT, ROUND_HALF_UP)
            rows.append(ServiceProductRow(sku=sku, job=job, drive=drive, price=price))
            rows.append(ServiceProductRow(sku=f"{sku}-50", job=job, drive=drive, half_price=True, price=half))
    return rows


async def complete_service_products(session: AsyncSession) -> None:
    """Add products that a shop loaded by an earlier version lacks."""
    stored = set(await session.exec(select(ServiceProductRow.sku)))
    session.add_all(row for row in service_products() if row.sku not in stored)
