"""Bikes of the customer (part-1 §2 Account area, §3)."""

from __future__ import annotations

from typing_extensions import override

from portal.contract.bikes import Bike, BikeSummary
from portal.contract.bikes_api import BikesApi
from portal.contract.errors import NotFound
from portal.domain.dates import local_day
from portal.domain.identifiers import is_short_id
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.services import shapes
from portal.provider.services.service import Service


class BikesService(Service, BikesApi):
    """Operations on bikes."""

    @override
    async def bikes(self, token: str) -> list[BikeSummary]:
        async with self._sessions.reading(token) as (owner, session):
            owned = await BikeRepository(session, owner.customer_id).all()
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return [shapes.bike_summary(entry, day=day, warranty_years=years) for entry in owned]

    @override
    async def bike(self, token: str, bike_id: str) -> Bike:
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return shapes.bike(owned, day=day, warranty_years=years)
