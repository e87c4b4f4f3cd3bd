"""What can be done for a bike, and what it needs next (part-1 §3 Service product, §9)."""

from __future__ import annotations

from datetime import date

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.contract.errors import NotFound, Refused
from portal.contract.services import ServiceDue, ServiceOffer, ServiceProduct
from portal.contract.work_orders_api import WorkOrdersApi
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.identifiers import is_short_id
from portal.domain.service_jobs import due
from portal.provider.repositories.bikes import BikeRepository, OwnedBike
from portal.provider.repositories.service_products import ServiceProductRepository, drive_of
from portal.provider.services.service import Service


class ServiceProductService(Service, WorkOrdersApi):
    """The operation on service products."""

    @override
    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
            products = ServiceProductRepository(session, owner.customer_id)
            if not await products.combination_holds(owned.bike):
                raise Refused(Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID)
            drive, package = drive_of(owned.bike), owned.bike.service_package
            return ServiceOffer(
                bike_id=owned.bike.public_id,
                drive=drive,
                service_package=package,
                products=[
                    ServiceProduct(job=offer.job, price=offer.price, reduced=offer.reduced)
                    for offer in await products.offers(drive, package)
                ],
                due=await _due(session, owner.customer_id, owned, local_day(self._context.clock())),
            )


async def _due(session: AsyncSession, customer_id: int, owned: OwnedBike, day: date) -> ServiceDue:
    bike = owned.bike
    history = await ServiceProductRepository(session, customer_id).history(bike)
    start = bike.delivered_on or local_day(owned.order.ordered_at)
    found = due(start, history.done, history.last, bike.mileage, day)
    return ServiceDue(
        job=found.job,
        day=found.day,
        urgency=found.urgency,
        by_distance=found.by_distance,
        mileage=bike.mileage,
        mileage_at=bike.mileage_at,
        last=history.last,
    )
