"""Queries on what happened in the life of one bike, beside its order and its work orders."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.provider.tables.bike_life import MileageRow, PackageOrderRow
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.returns import ReturnRow, ReturnUnitRow

MOST_READINGS = 20
"""Readings of the odometer on the timeline."""


class BikeLifeRepository:
    """The bikes of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def packages(self, bike: BikeRow) -> Sequence[PackageOrderRow]:
        """Service packages that were taken out for a bike."""
        query = select(PackageOrderRow).where(
            PackageOrderRow.customer_id == self._customer_id, PackageOrderRow.bike_id == bike.id
        )
        return (await self._session.exec(query)).all()

    async def mileages(self, bike: BikeRow) -> Sequence[MileageRow]:
        """The last readings of the odometer, the newest first."""
        query = (
            select(MileageRow)
            .where(MileageRow.customer_id == self._customer_id, MileageRow.bike_id == bike.id)
            .order_by(col(MileageRow.id).desc())
            .limit(MOST_READINGS)
        )
        return (await self._session.exec(query)).all()

    async def requests(self, bike: BikeRow) -> Sequence[RequestRow]:
        """Repairs, services and claims of a bike, the newest first."""
        query = (
            select(RequestRow)
            .where(RequestRow.customer_id == self._customer_id, RequestRow.bike_id == bike.id)
            .order_by(col(RequestRow.created_at).desc(), col(RequestRow.id).desc())
        )
        return (await self._session.exec(query)).all()

    async def returns(self, bike: BikeRow) -> Sequence[ReturnRow]:
        """Returns and exchanges of a bike, the newest first."""
        units = select(ReturnUnitRow.return_id).where(ReturnUnitRow.order_line_id == bike.order_line_id)
        query = (
            select(ReturnRow)
            .where(ReturnRow.customer_id == self._customer_id, col(ReturnRow.id).in_(units))
            .order_by(col(ReturnRow.created_at).desc(), col(ReturnRow.id).desc())
        )
        return (await self._session.exec(query)).all()

    async def locked(self, bike: BikeRow) -> BikeRow:
        """The bike; nobody else changes it until the end of the transaction."""
        query = select(BikeRow).where(BikeRow.customer_id == self._customer_id, BikeRow.id == bike.id)
        return (await self._session.exec(query.with_for_update())).one()
