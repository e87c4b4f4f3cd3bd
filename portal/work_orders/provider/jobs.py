"""Queries on service products, and on what decides which one a bike gets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from sqlalchemy import exists
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.dates import local_day
from portal.domain.service_jobs import half_price
from portal.provider.tables.bikes import BikeRow
from portal.provider.tables.orders import OrderLineRow, OrderRow
from portal.provider.tables.requests import RequestRow
from portal.provider.tables.service_products import ServiceProductRow
from portal.vocabulary.services import JOBS, Drive, ServiceJob, ServicePackage
from portal.vocabulary.work_orders import FINISHED_WORK, RequestKind


@dataclass(frozen=True, slots=True)
class Offer:
    """A job for one bike. `reduced` is what a service package makes of the price, none without."""

    job: ServiceJob
    price: Decimal
    reduced: Decimal | None


@dataclass(frozen=True, slots=True)
class History:
    """The services a bike has had: how many, and the day of the last one."""

    done: int
    last: date | None


class ServiceProductRepository:
    """What can be done for the bikes of one customer, and at which price."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def offers(self, drive: Drive, package: ServicePackage | None) -> list[Offer]:
        """The jobs for one kind of bike in their order, with the prices for those who have this package."""
        query = select(ServiceProductRow).where(ServiceProductRow.drive == drive)
        prices = {(row.job, row.half_price): row.price for row in await self._session.exec(query)}
        return [
            Offer(job, prices[job, False], prices.get((job, True)) if half_price(package, job) else None)
            for job in JOBS
            if (job, False) in prices
        ]

    async def history(self, bike: BikeRow) -> History:
        """The services that were done for a bike."""
        query = select(RequestRow).where(
            RequestRow.customer_id == self._customer_id,
            RequestRow.bike_id == bike.id,
            RequestRow.kind == RequestKind.SERVICE,
            col(RequestRow.status).in_(sorted(FINISHED_WORK)),
        )
        rows = (await self._session.exec(query)).all()
        days = [row.planned_date or local_day(row.updated_at) for row in rows]
        # A later job that was done says that the earlier ones were, wherever.
        jobs = [int(job) for row in rows if (job := str((row.details or {}).get("job", ""))) in set(JOBS)]
        return History(max([len(rows), *jobs]), max(days, default=None))

    async def combination_holds(self, bike: BikeRow) -> bool:
        """Whether the frame number belongs to the order line: bought with it, and not registered anew for another."""
        later = aliased(BikeRow)
        sold_again = exists().where(
            col(later.frame_number) == bike.frame_number,
            col(later.id) > bike.id,
            col(later.customer_id) != bike.customer_id,
        )
        query = (
            select(BikeRow.id)
            .join(OrderRow, (col(OrderRow.id) == BikeRow.order_id) & (col(OrderRow.customer_id) == self._customer_id))
            .join(
                OrderLineRow,
                (col(OrderLineRow.id) == BikeRow.order_line_id)
                & (col(OrderLineRow.order_id) == BikeRow.order_id)
                & (col(OrderLineRow.kind) == BikeRow.kind),
            )
            .where(BikeRow.customer_id == self._customer_id, BikeRow.id == bike.id, ~sold_again)
        )
        return (await self._session.exec(query)).first() is not None


def drive_of(bike: BikeRow) -> Drive:
    """Which variant a bike gets: whatever has a motor is an e-bike."""
    return Drive.E_BIKE if bike.engine_brand or bike.kind == "e_bike" else Drive.BIKE
