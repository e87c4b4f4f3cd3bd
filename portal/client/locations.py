"""Service jobs, service locations and places, over the provider API."""

from __future__ import annotations

from pydantic import TypeAdapter

from portal.client.calls import Calls
from portal.client.requests import page_number
from portal.contract.locations import LocationResults, LocationSearch, Place, PlaceSearch, ServiceLocation
from portal.contract.services import ServiceOffer

_SERVICE_OFFER = TypeAdapter(ServiceOffer)
_LOCATIONS = TypeAdapter(LocationResults)
_LOCATION = TypeAdapter(ServiceLocation)
_PLACES = TypeAdapter(list[Place])


class LocationCalls(Calls):
    """The operations on where and how a bike is serviced; what they say is said in the contract."""

    async def service_products(self, token: str, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike."""
        path = f"/bikes/{await self._known_form(token, bike_id)}/service-products"
        return await self._get("service_products", path, token, _SERVICE_OFFER)

    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        """Service locations around a place."""
        query = search.model_dump(mode="json", exclude={"page"}) | {"page": page_number(search.page)}
        return await self._get("service_locations", "/service-locations", token, _LOCATIONS, **query)

    async def service_location(self, token: str, location_id: str) -> ServiceLocation:
        """One service location."""
        path = f"/service-locations/{await self._known_form(token, location_id)}"
        return await self._get("service_location", path, token, _LOCATION)

    async def places(self, token: str, search: PlaceSearch) -> list[Place]:
        """Places that a text may mean."""
        return await self._get("places", "/places", token, _PLACES, **search.model_dump())
