"""The mileage of a bike: typed once, on its page or in a flow, it is known everywhere."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.kernel.days import local_day
from portal.tables.bikes import BikeRow, MileageRow


def known_km(bike: BikeRow, reading: Decimal | None) -> Decimal | None:
    if reading is not None and int(reading) == bike.mileage:
        return reading
    return None if bike.mileage is None else Decimal(bike.mileage)


async def last_readings(session: AsyncSession, customer_id: int, bikes: Collection[BikeRow]) -> dict[int, Decimal]:
    """The last reading of each bike with one, by primary key of the bike."""
    keys = [bike.id for bike in bikes if bike.mileage is not None]
    if not keys:
        return {}
    newest = (
        select(func.max(col(MileageRow.id)))
        .where(MileageRow.customer_id == customer_id, col(MileageRow.bike_id).in_(keys))
        .group_by(col(MileageRow.bike_id))
    )
    query = select(col(MileageRow.bike_id), col(MileageRow.km)).where(
        MileageRow.customer_id == customer_id, col(MileageRow.id).in_(newest)
    )
    return dict((await session.exec(query)).all())


async def locked(session: AsyncSession, customer_id: int, key: int) -> BikeRow:
    """Load a bike and lock it until the end of the transaction."""
    query = select(BikeRow).where(BikeRow.customer_id == customer_id, BikeRow.id == key)
    return (await session.exec(query.with_for_update())).one()


async def record_mileage(session: AsyncSession, bike: BikeRow, km: Decimal, moment: datetime) -> None:
    """Store what a customer read as the mileage of a locked bike."""
    last = (await last_readings(session, bike.customer_id, [bike])).get(bike.id)
    if last != km or bike.mileage != int(km):
        session.add(MileageRow(customer_id=bike.customer_id, bike_id=bike.id, km=km, read_at=moment))
    bike.mileage, bike.mileage_at = int(km), local_day(moment)
    await session.flush()
