"""Models and operations of service locations and of places (part-1 §2, §3)."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.errors import InvalidInput, TooMany
from portal.contract.models import Amount, Model, Page, only_known, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contract.session import Address, Origin
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.locations.rules.locations import USUAL_DISTANCE
from portal.vocabulary.locations import Handover, LocationLabel, LocationOrder, LocationType

KnownLocationType = Annotated[LocationType, otherwise(LocationType, LocationType.UNKNOWN)]
MAX_KILOMETRES = 100
"""Largest distance of a search."""


class LocationSearch(Model):
    """A search for locations. Text and country are as typed; the provider validates them.

    `country_code`: country of the customer; decides what '2000' and 'Bergen' mean.
    `distance_km`: kilometres as the crow flies.
    `types`: types to include; empty means all.
    `old_batteries`: whether to find only locations where an old battery can be handed in.
    `page`: from 1.
    `home_post_code`, `home_city`, `home_country_code`: the customer's address, as typed. Results have the handovers
    that a location offers at this address; without an address, all that it offers.
    """

    text: str = Field(max_length=1000)
    country_code: str = Field(default="", max_length=1000)
    distance_km: int = Field(default=USUAL_DISTANCE, ge=1, le=MAX_KILOMETRES)
    order: LocationOrder = LocationOrder.RECOMMENDED
    types: list[LocationType] = Field(default_factory=list, max_length=len(LocationType))
    old_batteries: bool = False
    page: int = Field(default=1, ge=1, le=100_000)
    home_post_code: str = Field(default="", max_length=1000)
    home_city: str = Field(default="", max_length=1000)
    home_country_code: str = Field(default="", max_length=1000)


class Place(Model):
    """A place on the map.

    `name`: in the customer's language, properly spelled ('Luik').
    `own_name`: in the local language ('Liège'); usually the same.
    `post_code`: empty if the search was for a name.
    """

    name: str
    own_name: str
    post_code: str
    country_code: Annotated[Country, otherwise(Country, Country.UNKNOWN)]
    latitude: float
    longitude: float


class HandoverOffer(Model):
    """A handover method, and its cost in euro; None means free."""

    handover: Handover
    cost: Amount | None = None


class OpenDay(Model):
    """Opening hours of a weekday: 1 is Monday; local times such as '09:00'."""

    weekday: int = Field(ge=1, le=7)
    opens: str
    closes: str


class ServiceLocation(Model):
    """A workshop, or our service that picks the bike up.

    `distance_km`: distance from the searched place, one decimal; None without a search.
    `waiting_weeks`: lower bound of the waiting time in weeks: 0 means 0-1, 12 means 12-13.
    `rating`: 0 to 10 with one decimal, None without ratings.
    `travel_cost`: call-out fee, None if the mechanic does not come to the customer.
    `vacation_from`, `vacation_until`: local days, both inclusive; None without a current or coming vacation.
    `phone`: E.164, empty when unknown.
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
    """Monday first; the location is closed on missing days."""


class TypeCount(Model):
    location_type: LocationType
    count: int


class LocationResults(Page[ServiceLocation]):
    """A page of locations around a place.

    `place`: the place that the text was resolved to.
    `counts`: for every type, including those not searched for.
    `wider_km`: if nothing was found, the next distance with results; None if there is none.
    """

    place: Place
    distance_km: int
    counts: Annotated[list[TypeCount], only_known(LocationType, "location_type")] = Field(default_factory=list)
    wider_km: int | None = None


_TEXT = DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.POSTAL_CODE_NOT_FOUND)
"""The text names no place; about the field `text`."""


class LocationsApi(Protocol):
    @operation("GET", "/service-locations", refuses=(_TEXT,))
    async def service_locations(self, token: Token, search: LocationSearch) -> LocationResults:
        """Service locations around a place, in the given order; those on vacation come last.

        A page beyond the last is the last. Refusals are about the field `text`.
        """

    @operation("GET", "/guest/service-locations", refuses=(_TEXT, DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS)))
    async def guest_service_locations(self, search: LocationSearch, origin: Origin) -> LocationResults:
        """As `service_locations`, for visitors who are not logged in."""
