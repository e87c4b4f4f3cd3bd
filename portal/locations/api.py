"""Service locations and the places around which they are looked for: models and operations (part-1 §2, §3)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput
from portal.contract.models import Amount, Model, Page, only_known, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import Address
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.locations.rules.locations import USUAL_DISTANCE
from portal.vocabulary.locations import Handover, LocationLabel, LocationOrder, LocationType

KnownLocationType = Annotated[LocationType, otherwise(LocationType, LocationType.UNKNOWN)]

MOST_KILOMETRES = 100
"""Largest distance that can be searched."""


class LocationSearch(Model):
    """What the customer looks for; text and country raw as typed, the provider checks them.

    Attributes:
        text: postcode, city, or both.
        country_code: where the customer lives; decides what '2000' and 'Bergen' mean.
        distance_km: kilometres as the crow flies.
        types: only these; all of them when empty.
        page: from 1.
        home_post_code, home_city, home_country_code: the customer's address, raw; what a location offers there is told.
            Without it everything that it offers to anybody.
    """

    text: str = Field(max_length=1000)
    country_code: str = Field(default="", max_length=1000)
    distance_km: int = Field(default=USUAL_DISTANCE, ge=1, le=MOST_KILOMETRES)
    order: LocationOrder = LocationOrder.RECOMMENDED
    types: list[LocationType] = Field(default_factory=list, max_length=len(LocationType))
    page: int = Field(default=1, ge=1, le=100_000)
    home_post_code: str = Field(default="", max_length=1000)
    home_city: str = Field(default="", max_length=1000)
    home_country_code: str = Field(default="", max_length=1000)


class PlaceSearch(Model):
    """A text that may become a place, raw as typed."""

    text: str = Field(max_length=1000)
    country_code: str = Field(default="", max_length=1000)


class Place(Model):
    """A place on the map.

    Attributes:
        name: as the customer called it, properly spelled ('Luik').
        own_name: what it calls itself ('Liège'); mostly the same.
        region: province or county; tells two places of one name apart.
        post_code: empty when a name was asked for.
    """

    name: str
    own_name: str
    region: str
    post_code: str
    country_code: Annotated[Country, otherwise(Country, Country.UNKNOWN)]
    latitude: float
    longitude: float


class HandoverOffer(Model):
    """A way to hand over the bike, and its cost in euro; none costs nothing."""

    handover: Handover
    cost: Amount | None = None


class OpenDay(Model):
    """A day on which is opened: 1 is Monday; local times such as '09:00'."""

    weekday: int = Field(ge=1, le=7)
    opens: str
    closes: str


class ServiceLocation(Model):
    """A workshop, or our service that picks the bike up.

    Attributes:
        distance_km: from the place that was searched, one decimal; none where nothing was searched.
        waiting_weeks: lower bound of the waiting time in weeks: 0 means 0-1, 12 means 12-13.
        rating: 0 to 10 with one decimal, none without ratings.
        travel_cost: call-out fee, none when the mechanic does not come to the customer.
        vacation_from, vacation_until: local days, both included; none when there is none ahead.
        phone: E.164, empty when unknown.
    """

    location_id: str
    name: str
    location_type: KnownLocationType
    labels: Annotated[list[LocationLabel], only_known(LocationLabel)] = Field(default_factory=list)
    address: Address
    phone: str = ""
    latitude: float
    longitude: float
    distance_km: Annotated[Decimal, Field(max_digits=6, decimal_places=1)] | None = None
    waiting_weeks: int = Field(ge=0)
    rating: Annotated[Decimal, Field(ge=0, le=10)] | None = None
    travel_cost: Amount | None = None
    handovers: Annotated[list[HandoverOffer], only_known(Handover, "handover")] = Field(default_factory=list)
    vacation_from: date | None = None
    vacation_until: date | None = None
    opening_hours: list[OpenDay] = Field(default_factory=list)
    """Monday first; days that are missing are closed."""


class TypeCount(Model):
    """How many locations of a type there are within the distance."""

    location_type: LocationType
    count: int


class LocationResults(Page[ServiceLocation]):
    """A page of locations around a place.

    Attributes:
        place: what the text was understood as.
        counts: for each type, whatever types were asked for.
        wider_km: when nothing was found, the next distance that finds something; none when there is none.
    """

    place: Place
    distance_km: int
    counts: Annotated[list[TypeCount], only_known(LocationType, "location_type")] = Field(default_factory=list)
    wider_km: int | None = None


class LocationsApi(Protocol):
    """Where a bike can be serviced."""

    @operation(
        "GET",
        "/service-locations",
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.POSTAL_CODE_NOT_FOUND),),
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
