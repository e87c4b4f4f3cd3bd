"""Maintenance jobs on the retailer's side: the jobs and prices for a bike, and the job it needs next."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date

from sqlalchemy import exists
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.dated import in_force
from portal.backend.service import Service
from portal.bikes.provider.queries import BikeQueries, OwnedBike
from portal.contract.errors import NotFound, Refused
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.tables.work_orders import PackageTermsRow, RequestRow, ServiceProductRow
from portal.vocabulary.services import JOBS, Drive, ServicePackage
from portal.vocabulary.work_orders import FINISHED_WORK, RequestKind
from portal.work_orders.api import ServiceDue, ServiceOffer, ServiceProduct, WorkOrdersApi
from portal.work_orders.rules import due, half_of


@dataclass(frozen=True, slots=True)
class History:
    """The services a bike has had: their number, and the local day of the last one."""

    done: int
    last: date | None


class ServiceProductQueries:
    """Jobs, prices and past services for the bikes of one customer."""

    def __init__(self, session: AsyncSession, customer_id: int) -> None:
        self._session = session
        self._customer_id = customer_id

    async def offers(self, drive: Drive, package: ServicePackage | None, day: date) -> list[ServiceProduct]:
        """Return the jobs for a kind of bike, from the first to the last, with the prices for a service package."""
        terms = (await package_terms(self._session, self._customer_id, day)).get(package) if package else None
        return await self.offers_with(drive, terms, day)

    async def offers_with(self, drive: Drive, terms: PackageTermsRow | None, day: date) -> list[ServiceProduct]:
        rows = await in_force(
            self._session,
            ServiceProductRow,
            day,
            lambda row: row.job,
            col(ServiceProductRow.drive) == drive,
            col(ServiceProductRow.half_price).is_(False),
            customer_id=self._customer_id,
        )
        half = terms.half_price_jobs if terms else ()
        return [
            ServiceProduct(job=job, price=rows[job].price, reduced=half_of(rows[job].price) if job in half else None)
            for job in JOBS
            if job in rows
        ]

    async def history(self, bike: BikeRow) -> History:
        """Return the services that were done for a bike."""
        query = select(RequestRow).where(
            RequestRow.customer_id == self._customer_id,
            RequestRow.bike_id == bike.id,
            RequestRow.kind == RequestKind.SERVICE,
            col(RequestRow.status).in_(sorted(FINISHED_WORK)),
        )
        rows = (await self._session.exec(query)).all()
        days = [row.planned_date or local_day(row.updated_at) for row in rows]
        # If a later job was done, the earlier ones were done too, perhaps by another workshop.
        jobs = [int(job) for row in rows if (job := str((row.details or {}).get("job", ""))) in set(JOBS)]
        return History(max([len(rows), *jobs]), max(days, default=None))

    async def combination_holds(self, bike: BikeRow) -> bool:
        """Whether the frame number belongs to the order line of the bike.

        False if the order line is missing or of another kind, or if another customer registered the frame number later.
        """
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


async def package_terms(session: AsyncSession, customer_id: int, day: date) -> dict[ServicePackage, PackageTermsRow]:
    """Return the service packages that a customer is offered on a local day, with their prices and contents."""
    return await in_force(session, PackageTermsRow, day, lambda row: row.package, customer_id=customer_id)


def drive_of(bike: BikeRow) -> Drive:
    """Return the price list that applies to a bike. A bike with a motor counts as an e-bike."""
    return Drive.E_BIKE if bike.engine_brand or bike.kind == "e_bike" else Drive.BIKE


class ServiceProductService(Service, WorkOrdersApi):
    """Implements the operation for maintenance jobs."""

    @override
    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeQueries(session, owner.customer_id).get(bike_id)
            products = ServiceProductQueries(session, owner.customer_id)
            if not await products.combination_holds(owned.bike):
                raise Refused(Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID)
            drive, package = drive_of(owned.bike), owned.package
            day = local_day(self._context.clock())
            return ServiceOffer(
                drive=drive,
                service_package=package,
                products=await products.offers(drive, package, day),
                due=await _due(session, owner.customer_id, owned, day),
            )


async def _due(session: AsyncSession, customer_id: int, owned: OwnedBike, day: date) -> ServiceDue:
    bike = owned.bike
    history = await ServiceProductQueries(session, customer_id).history(bike)
    start = bike.delivered_on or local_day(owned.order.ordered_at)
    found = due(start, history.done, history.last, bike.mileage, day)
    return ServiceDue(
        **asdict(found),
        mileage=bike.mileage,
        mileage_at=bike.mileage_at,
        last=history.last,
    )
