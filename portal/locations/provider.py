"""Operations on service locations, and their lines on a confirmation (part-1 §2 Service, §5, §9)."""

from collections.abc import Collection
from datetime import date
from decimal import Decimal
from functools import lru_cache

from sqlmodel import col, or_, select, true
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.database import PagePosition, find_one
from portal.backend.limits import Limit, network, subject
from portal.backend.sessions import Owner, Service
from portal.backend.staff import stores_of
from portal.contract.errors import InvalidInput
from portal.contract.models import PAGE_SIZE
from portal.contract.session import Address, Origin
from portal.flow import Answers
from portal.flow.provider.handler import StoredRequest, SummaryLine
from portal.kernel.address import NAMES, Country, address_lines, address_parts, readable_phone
from portal.kernel.codes import Code
from portal.kernel.days import local_day, read
from portal.kernel.texts import gettext_for
from portal.kernel.validation import clean
from portal.locations.api import (
    HandoverOffer,
    LocationResults,
    LocationsApi,
    LocationSearch,
    OpenDay,
    Place,
    ServiceLocation,
    TypeCount,
)
from portal.locations.flow import LOCATION
from portal.locations.rules import locations, places
from portal.locations.rules.locations import BoundingBox, NearbyLocation, Workshop
from portal.locations.rules.places import MapPlace, distance_km
from portal.tables.orders import PartnerRow
from portal.vocabulary.locations import LocationType

SEARCHES_PER_HOUR = 120
"""Searches for service points from one network address, by visitors who are not logged in."""


class PartnerQueries:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def near(self, area: BoundingBox, *, old_batteries: bool = False) -> list[Workshop]:
        """The workshops in an area, without the columns that the order does not need."""
        takes = or_(col(PartnerRow.takes_batteries), col(PartnerRow.location_type) == LocationType.OWN_STORE)
        query = select(  # pyrefly: ignore[no-matching-overload]  # sqlmodel has no signature for so many columns
            col(PartnerRow.id),
            col(PartnerRow.name),
            col(PartnerRow.location_type),
            col(PartnerRow.latitude),
            col(PartnerRow.longitude),
            col(PartnerRow.recommended),
            col(PartnerRow.waiting_weeks),
            col(PartnerRow.customer_rating),
            col(PartnerRow.vacation_from),
            col(PartnerRow.vacation_until),
            col(PartnerRow.travel_cost),
        ).where(
            col(PartnerRow.latitude).between(area.south, area.north),
            col(PartnerRow.longitude).between(area.west, area.east),
            col(PartnerRow.closed).is_(False),
            takes if old_batteries else true(),
        )
        return [
            Workshop(key, name, kind, (latitude, longitude), recommended, weeks, rating, first, last, cost)
            for key, name, kind, latitude, longitude, recommended, weeks, rating, first, last, cost in (
                await self._session.exec(query)
            ).all()
        ]

    async def rows(self, keys: Collection[int]) -> dict[int, PartnerRow]:
        query = select(PartnerRow).where(col(PartnerRow.id).in_(keys))
        return {row.id: row for row in await self._session.exec(query)}

    async def get(self, public_id: str) -> PartnerRow:
        return await find_one(self._session, select(PartnerRow).where(PartnerRow.public_id == public_id))


def workshop(row: PartnerRow) -> Workshop:
    return Workshop(
        key=row.id,
        name=row.name,
        location_type=row.location_type,
        point=(row.latitude or 0.0, row.longitude or 0.0),
        recommended=row.recommended,
        waiting_weeks=row.waiting_weeks,
        rating=row.customer_rating,
        vacation_from=row.vacation_from,
        vacation_until=row.vacation_until,
        travel_cost=row.travel_cost,
    )


def reached(row: PartnerRow, home: MapPlace | None, kilometres: float) -> bool:
    """Whether the customer lives within the distance, in the country of the location."""
    if home is None or row.latitude is None or row.longitude is None or home.country != row.country_code:
        return False
    return distance_km(home.point, (row.latitude, row.longitude)) <= kilometres


def service_location(
    row: PartnerRow, *, day: date, pick_up_cost: Decimal, distance: Decimal | None = None, visited: bool = True
) -> ServiceLocation:
    facts = workshop(row)
    ahead = locations.vacation_ahead(facts, day)
    offered = locations.handovers(row.location_type, row.travel_cost, pick_up_cost, reached=visited)
    return ServiceLocation(
        location_id=row.public_id,
        name=row.name,
        location_type=row.location_type,
        labels=locations.labels(facts, day),
        address=Address(**address_parts(row), country_code=row.country_code),
        phone=row.phone,
        latitude=facts.point[0],
        longitude=facts.point[1],
        distance_km=distance,
        waiting_weeks=locations.waiting_weeks_range(row.waiting_weeks)[0],
        rating=row.customer_rating,
        travel_cost=row.travel_cost,
        handovers=[HandoverOffer(handover=handover, cost=cost) for handover, cost in offered.items()],
        vacation_from=row.vacation_from if ahead else None,
        vacation_until=row.vacation_until if ahead else None,
        opening_hours=[
            OpenDay(weekday=entry.weekday, opens=entry.opens, closes=entry.closes)
            for entry in read(row.opening_hours or "")
        ],
    )


class LocationsService(Service, LocationsApi):
    @override
    async def service_locations(self, token: str, search: LocationSearch) -> LocationResults:
        await self._sessions.owner(token)
        return await self._search(search)

    @override
    async def guest_service_locations(self, search: LocationSearch, origin: Origin) -> LocationResults:
        if origin.address:
            await self._count_search(origin.address)
        return await self._search(search)

    async def _count_search(self, address: str) -> None:
        limit = Limit(subject(self._settings, "location-search", network(address)), SEARCHES_PER_HOUR)
        async with self._context.database.transaction() as session:
            await limits.enforce(session, [limit], self._context.clock(), self._settings, address=address)

    async def _search(self, search: LocationSearch) -> LocationResults:
        place = _searched_place(search)
        day = local_day(self._context.clock())
        async with self._context.database.session() as session:
            queries = PartnerQueries(session)
            near = await _within(queries, place, search.distance_km, old_batteries=search.old_batteries)
            wanted = [entry for entry in near if not search.types or entry.workshop.location_type in search.types]
            wider = None
            if not near:
                far = await _within(queries, place, locations.DISTANCES[-1], old_batteries=search.old_batteries)
                wider = locations.wider(far, search.distance_km)
            page = PagePosition.of(search.page, len(wanted))
            shown = locations.ranked(wanted, search.order, day)[page.offset : page.offset + PAGE_SIZE]
            rows = await queries.rows([entry.workshop.key for entry in shown])
        return LocationResults(
            # A row deleted between the two statements is left out.
            items=[
                self._result(rows[entry.workshop.key], entry, day, search)
                for entry in shown
                if entry.workshop.key in rows
            ],
            page=page.page,
            pages=page.pages,
            total=page.total,
            place=_place_model(place),
            distance_km=search.distance_km,
            counts=[TypeCount(location_type=kind, count=count) for kind, count in locations.counted(near).items()],
            wider_km=wider,
        )

    def _result(self, row: PartnerRow, found: NearbyLocation, day: date, search: LocationSearch) -> ServiceLocation:
        settings = self._context.settings
        return service_location(
            row,
            day=day,
            pick_up_cost=settings.pick_up_cost,
            distance=Decimal(f"{found.distance_km:.1f}"),
            visited=not search.home_post_code or reached(row, _home(search), settings.reach_km),
        )


def _searched_place(search: LocationSearch) -> places.MapPlace:
    if not clean(search.text):
        raise InvalidInput(Code.INVALID_INPUT, fields={"text": Code.REQUIRED})
    place = places.find(search.text, _country(search.country_code))
    if place is None:
        raise InvalidInput(Code.POSTAL_CODE_NOT_FOUND, fields={"text": Code.POSTAL_CODE_NOT_FOUND})
    return place


@lru_cache(maxsize=256)
def _home_of(post_code: str, city: str, country_code: str) -> places.MapPlace | None:
    country = _country(country_code)
    if country is None:
        return None
    return places.at(post_code, country) or places.find(city, country)


def _home(search: LocationSearch) -> places.MapPlace | None:
    """Where the customer lives; None if the search has no valid address."""
    return _home_of(search.home_post_code, search.home_city, search.home_country_code)


def _country(text: str) -> Country | None:
    value = text.strip().upper()
    return Country(value) if value in {country.value for country in places.COUNTRIES} else None


async def _within(
    queries: PartnerQueries, place: places.MapPlace, distance: int, *, old_batteries: bool
) -> list[NearbyLocation]:
    workshops = await queries.near(locations.box(place.point, distance), old_batteries=old_batteries)
    return locations.within(workshops, place.point, distance)


def _place_model(place: places.MapPlace) -> Place:
    return Place(
        name=place.name,
        own_name=place.own_name,
        post_code=place.postcode,
        country_code=place.country,
        latitude=place.latitude,
        longitude=place.longitude,
    )


async def own_store(session: AsyncSession, owner: Owner) -> Answers:
    """The answer to the location step for staff at the counter: the store where they work."""
    stores = await stores_of(session, owner.visitor_id)
    return {LOCATION: stores[0]} if stores else {}


def address_rows(stored: StoredRequest) -> list[SummaryLine]:
    home = stored.further.get("home")
    if not home:
        return []
    _ = gettext_for(stored.locale)
    country = NAMES[Country(home["country_code"])]
    return [
        SummaryLine(_("Address"), (*address_lines(home), _(country))),
        SummaryLine(_("Phone number"), (readable_phone(home.get("phone", "")),)),
    ]


def location_rows(stored: StoredRequest) -> list[SummaryLine]:
    location = stored.further.get("service_location")
    if not location:
        return []
    _ = gettext_for(stored.locale)
    low = int(location.get("waiting_weeks") or 0)
    time = _("{low}–{high} weeks").format(low=low, high=low + 1) if low else _("within a week")
    waiting = _("Waiting time: {time}").format(time=time)
    return [SummaryLine(_("Service location"), (location["name"], *address_lines(location["address"]), waiting))]
