"""Service locations, and the places around which they are looked for."""

from __future__ import annotations

from typing import Protocol

from portal.contract.errors import InvalidInput
from portal.contract.locations import LocationResults, LocationSearch, Place, PlaceSearch, ServiceLocation
from portal.contract.operations import Refusal, Token, operation
from portal.domain.codes import Code


class LocationsApi(Protocol):
    """Where a bike can be serviced."""

    @operation(
        "GET",
        "/service-locations",
        refuses=(Refusal(InvalidInput, Code.REQUIRED, Code.POSTAL_CODE_NOT_FOUND),),
    )
    async def service_locations(self, token: Token, search: LocationSearch) -> LocationResults:
        """Service locations around a place: those on vacation last, then as ordered.

        A page beyond the last is the last. What is refused is about the field `text`.
        """
        ...

    @operation("GET", "/service-locations/{location_id}")
    async def service_location(self, token: Token, location_id: str) -> ServiceLocation:
        """One service location."""
        ...

    @operation("GET", "/places")
    async def places(self, token: Token, search: PlaceSearch) -> list[Place]:
        """At most five places that a text may mean, the likeliest first; none when nothing fits."""
        ...
