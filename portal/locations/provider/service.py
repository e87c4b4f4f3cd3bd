"""Service locations around a place (part-1 §2 Service, §5, §9)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import lru_cache

from typing_extensions import override

from portal.contract.base import PAGE_SIZE
from portal.contract.errors import InvalidInput, NotFound
from portal.contract.locations import (
    LocationResults,
    LocationSearch,
    Place,
    PlaceSearch,
    ServiceLocation,
    TypeCount,
)
from portal.contract.locations_api import LocationsApi
from portal.domain import locations, places
from portal.domain.codes import Code
from portal.domain.countries import Country
from portal.domain.dates import local_day
from portal.domain.identifiers import is_short_id
from portal.domain.locations import Found
from portal.domain.validation import clean
from portal.provider.repositories.paging import Place as PagePlace
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.services.location_shapes import reached, service_location
from portal.provider.services.service import Service
from portal.provider.tables.partners import PartnerRow


class LocationsService(Service, LocationsApi):
    """Operations on service locations and places."""

    @override
    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        await self._sessions.owner(token)
        place = _place(search)
        day = local_day(self._context.clock())
        async with self._context.database.session() as session:
            repository = PartnerRepository(session)
            near = await _within(repository, place, search.distance_km)
            wanted = [entry for entry in near if not search.types or entry.workshop.location_type in search.types]
            wider = None
            if not near:
                far = await _within(repository, place, locations.DISTANCES[-1])
                wider = locations.wider(far, search.distance_km)
            page = PagePlace.of(search.page, len(wanted))
            shown = locations.ranked(wanted, search.order, day)[page.offset : page.offset + PAGE_SIZE]
            rows = await repository.rows([entry.workshop.key for entry in shown])
        return LocationResults(
            # A row that went between the two statements is left out.
            items=[
                self._shown(rows[entry.workshop.key], entry, day, search)
                for entry in shown
                if entry.workshop.key in rows
            ],
            page=page.page,
            pages=page.pages,
            total=page.total,
            place=_told(place),
            distance_km=search.distance_km,
            counts=[TypeCount(location_type=kind, count=count) for kind, count in locations.counted(near).items()],
            wider_km=wider,
        )

    @override
    async def service_location(self, token: str, location_id: str) -> ServiceLocation:
        await self._sessions.owner(token)
        if not is_short_id(location_id):
            raise NotFound
        async with self._context.database.session() as session:
            row = await PartnerRepository(session).get(location_id)
        day, cost = local_day(self._context.clock()), self._context.settings.pick_up_cost
        return service_location(row, day=day, pick_up_cost=cost)

    def _shown(self, row: PartnerRow, found: Found, day: date, search: LocationSearch) -> ServiceLocation:
        settings = self._context.settings
        return service_location(
            row,
            day=day,
            pick_up_cost=settings.pick_up_cost,
            distance=Decimal(f"{found.distance_km:.1f}"),
            visited=not search.home_post_code or reached(row, _home(search), settings.reach_km),
        )

    @override
    async def places(self, token: str, search: PlaceSearch) -> list[Place]:
        await self._sessions.owner(token)
        return [_told(place) for place in places.suggestions(search.text, _country(search.country_code))]


def _place(search: LocationSearch) -> places.Place:
    """The place that is searched around.

    Raises:
        InvalidInput: `required` or `postal_code_not_found` for the field `text`.
    """
    if not clean(search.text):
        raise InvalidInput(Code.INVALID_INPUT, fields={"text": Code.REQUIRED})
    place = places.find(search.text, _country(search.country_code))
    if place is None:
        raise InvalidInput(Code.POSTAL_CODE_NOT_FOUND, fields={"text": Code.POSTAL_CODE_NOT_FOUND})
    return place


@lru_cache(maxsize=256)
def _home_of(post_code: str, city: str, country_code: str) -> places.Place | None:
    country = _country(country_code)
    if country is None:
        return None
    return places.at(post_code, country) or places.find(city, country)


def _home(search: LocationSearch) -> places.Place | None:
    """Where the customer lives, as far as that is told."""
    return _home_of(search.home_post_code, search.home_city, search.home_country_code)


def _country(text: str) -> Country | None:
    """A country that helps to understand a text; any other text is no help, and no harm."""
    value = text.strip().upper()
    return Country(value) if value in {country.value for country in places.COUNTRIES} else None


async def _within(repository: PartnerRepository, place: places.Place, distance: int) -> list[Found]:
    workshops = await repository.near(locations.box(place.point, distance))
    return locations.within(workshops, place.point, distance)


def _told(place: places.Place) -> Place:
    return Place(
        name=place.name,
        own_name=place.own_name,
        region=place.region,
        post_code=place.postcode,
        country_code=place.country,
        latitude=place.latitude,
        longitude=place.longitude,
    )
