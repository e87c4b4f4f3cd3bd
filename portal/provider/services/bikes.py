"""Bikes and service requests of the customer (part-1 §2 Account area, §3)."""

from __future__ import annotations

from portal.contract.base import Page
from portal.contract.bikes import Bike, BikeSummary, ServiceRequest
from portal.contract.errors import NotFound
from portal.domain.dates import local_day
from portal.domain.identifiers import is_short_id
from portal.provider.context import Context
from portal.provider.repositories.bikes import BikeRepository
from portal.provider.services import shapes
from portal.provider.sessions import Sessions


class BikeServices:
    """Operations on bikes and what is asked for them."""

    def __init__(self, context: Context, sessions: Sessions) -> None:
        self._context = context
        self._sessions = sessions

    async def bikes(self, token: str) -> list[BikeSummary]:
        """The customer's bikes, newest order first."""
        async with self._sessions.reading(token) as (owner, session):
            owned = await BikeRepository(session, owner.customer_id).all()
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return [shapes.bike_summary(entry, day=day, warranty_years=years) for entry in owned]

    async def bike(self, token: str, bike_id: str) -> Bike:
        """One bike."""
        async with self._sessions.reading(token) as (owner, session):
            if not is_short_id(bike_id):
                raise NotFound
            owned = await BikeRepository(session, owner.customer_id).get(bike_id)
        day, years = local_day(self._context.clock()), self._context.settings.warranty_years
        return shapes.bike(owned, day=day, warranty_years=years)

    async def service_requests(self, token: str, page: int = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims: open ones first, then newest first."""
        async with self._sessions.reading(token) as (owner, session):
            entries, place = await BikeRepository(session, owner.customer_id).requests(page)
        return Page(
            items=[shapes.service_request(entry, owner.locale) for entry in entries],
            page=place.page,
            pages=place.pages,
            total=place.total,
        )
