"""Service locations, and the places around which they are looked for."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from portal.contract.locations import (
    MOST_KILOMETRES,
    LocationResults,
    LocationSearch,
    Place,
    PlaceSearch,
    ServiceLocation,
)
from portal.domain.locations import USUAL_DISTANCE
from portal.provider.api.access import PageNumber, Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.vocabulary.locations import LocationOrder, LocationType

router = APIRouter(tags=["service locations"])

Text = Annotated[str, Query(max_length=1000, description="Postcode, city, or both.")]
CountryCode = Annotated[str, Query(max_length=1000, description="Where the customer lives; helps to understand.")]
Home = Annotated[str, Query(max_length=1000, description="The customer's address: what is offered there.")]
Kilometres = Annotated[int, Query(ge=1, le=MOST_KILOMETRES, description="As the crow flies.")]
Types = Annotated[list[LocationType] | None, Query(max_length=len(LocationType), description="All, unless named.")]


@router.get(
    "/service-locations",
    operation_id="service_locations",
    summary="Service locations around a place",
    responses=refusals(401, 422),
)
async def service_locations(
    token: Token,
    provider: Services,
    text: Text,
    country_code: CountryCode = "",
    distance_km: Kilometres = USUAL_DISTANCE,
    order: LocationOrder = LocationOrder.RECOMMENDED,
    types: Types = None,
    page: PageNumber = 1,
    home_post_code: Home = "",
    home_city: Home = "",
    home_country_code: Home = "",
) -> Answer[LocationResults]:
    """Tell one page of the locations within a distance. `postal_code_not_found` when the place is not known."""
    search = LocationSearch(
        text=text,
        country_code=country_code,
        distance_km=distance_km,
        order=order,
        types=types or [],
        page=page,
        home_post_code=home_post_code,
        home_city=home_city,
        home_country_code=home_country_code,
    )
    return Answer[LocationResults](data=await provider.service_locations(token, search))


@router.get(
    "/service-locations/{location_id}",
    operation_id="service_location",
    summary="One service location",
    responses=refusals(401, 404),
)
async def service_location(token: Token, location_id: Reference, provider: Services) -> Answer[ServiceLocation]:
    """Tell one service location."""
    return Answer[ServiceLocation](data=await provider.service_location(token, location_id))


@router.get("/places", operation_id="places", summary="Places a text may mean", responses=refusals(401, 422))
async def places(token: Token, provider: Services, text: Text, country_code: CountryCode = "") -> Answer[list[Place]]:
    """Tell at most five places, the likeliest first; none when nothing fits."""
    search = PlaceSearch(text=text, country_code=country_code)
    return Answer[list[Place]](data=await provider.places(token, search))
