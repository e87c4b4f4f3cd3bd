"""Distance, order, labels and handover methods of service locations (part-1 §2, §9)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from math import cos, inf, radians

from portal.kernel.terms import PICK_UP_COST
from portal.locations.rules.places import Point, distance_km
from portal.vocabulary.locations import TYPES, Handover, LocationLabel, LocationOrder, LocationType

DISTANCES: tuple[int, ...] = (5, 10, 15, 25, 50, 100)
USUAL_DISTANCE = 25
MAX_WAITING_WEEKS = 12
"""Lower bound of the last range of waiting time, 12-13 weeks (part-1 §9)."""

KM_PER_DEGREE = 111.2
"""Kilometres per degree of latitude."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """The values that decide on the position of a location in the list; `key` is the primary key."""

    key: int
    name: str
    location_type: LocationType
    point: Point
    recommended: bool = False
    waiting_weeks: int = 0
    rating: Decimal | None = None
    vacation_from: date | None = None
    vacation_until: date | None = None
    travel_cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class NearbyLocation:
    """A location and its distance from the searched place."""

    workshop: Workshop
    distance_km: float


@dataclass(frozen=True, slots=True)
class BoundingBox:
    """Bounds in degrees that contain every point within a distance, and some more."""

    south: float
    north: float
    west: float
    east: float


def within(workshops: Iterable[Workshop], middle: Point, distance: float) -> list[NearbyLocation]:
    """The locations within a distance, in km, from a point."""
    measured = (NearbyLocation(workshop, distance_km(middle, workshop.point)) for workshop in workshops)
    return [found for found in measured if found.distance_km <= distance]


def ranked(found: Iterable[NearbyLocation], order: LocationOrder, day: date) -> list[NearbyLocation]:
    """Sort locations: those on vacation on this day last, then by the given order, then by distance."""
    return sorted(found, key=lambda entry: (on_vacation(entry.workshop, day), *_rank(entry, order), entry.workshop.key))


def _rank(found: NearbyLocation, order: LocationOrder) -> tuple[float, float]:
    workshop = found.workshop
    first = {
        LocationOrder.RECOMMENDED: 0 if workshop.recommended else 1,
        LocationOrder.DISTANCE: 0,
        LocationOrder.WAITING_TIME: workshop.waiting_weeks,
        LocationOrder.RATING: -float(workshop.rating) if workshop.rating is not None else 1,
        LocationOrder.TRAVEL_COST: float(workshop.travel_cost) if workshop.travel_cost is not None else inf,
    }[order]
    return first, found.distance_km


def counted(found: Iterable[NearbyLocation]) -> dict[LocationType, int]:
    """Count the locations of each type; types without any have 0."""
    numbers = Counter(entry.workshop.location_type for entry in found)
    return {kind: numbers[kind] for kind in TYPES}


def wider(found: Sequence[NearbyLocation], distance: float) -> int | None:
    """The next of `DISTANCES` with a result, given those within the largest one; None if there is none."""
    nearest = min((entry.distance_km for entry in found), default=None)
    if nearest is None:
        return None
    return next((choice for choice in DISTANCES if choice > distance and choice >= nearest), None)


def on_vacation(workshop: Workshop, day: date) -> bool:
    """Whether the location is on vacation on this day."""
    first, last = workshop.vacation_from, workshop.vacation_until
    return first is not None and last is not None and first <= day <= last


def vacation_ahead(workshop: Workshop, day: date) -> bool:
    """Whether a vacation is going on or still to come."""
    last = workshop.vacation_until
    return workshop.vacation_from is not None and last is not None and day <= last


def labels(workshop: Workshop, day: date) -> list[LocationLabel]:
    """The labels of a location, the most important first."""
    applies = {
        LocationLabel.ON_VACATION: on_vacation(workshop, day),
        LocationLabel.RECOMMENDED: workshop.recommended,
        LocationLabel.PREMIUM: workshop.location_type is LocationType.PREMIUM_PARTNER,
    }
    return [label for label, applied in applies.items() if applied]


def waiting_weeks_range(weeks: int) -> tuple[int, int]:
    """The range of one week for a waiting time: from 0-1 to 12-13 (part-1 §9)."""
    low = min(max(weeks, 0), MAX_WAITING_WEEKS)
    return low, low + 1


def away_all_the_time(first: date | None, last: date | None, weeks: int, day: date) -> bool:
    """Whether a location is on vacation in the whole week after the waiting time, counted from `day`."""
    low, high = waiting_weeks_range(weeks)
    begins, ends = day + timedelta(weeks=low), day + timedelta(weeks=high)
    return first is not None and last is not None and first <= begins and ends <= last


def box(middle: Point, distance: float) -> BoundingBox:
    """Bounds for a database query; they contain every location that `within` can return."""
    latitude, longitude = middle
    high = distance / KM_PER_DEGREE * 1.01
    # Meridians converge towards the pole: the side of the box nearer to the pole needs the most degrees.
    wide = high / max(cos(radians(min(abs(latitude) + high, 89))), 0.01)
    return BoundingBox(latitude - high, latitude + high, longitude - wide, longitude + wide)


def handovers(
    kind: LocationType,
    travel_cost: Decimal | None,
    pick_up_cost: Decimal = PICK_UP_COST,
    *,
    reached: bool = True,
) -> dict[Handover, Decimal | None]:
    """The handover methods of a location with their cost in euro; None means free.

    `reached`: whether the customer lives near enough for pick-up and call-out.
    """
    if kind is LocationType.PICK_UP:
        return {Handover.PICK_UP: pick_up_cost} if reached else {}
    offered: dict[Handover, Decimal | None] = {Handover.BRING: None}
    if not reached:
        return offered
    if kind is LocationType.OWN_STORE:
        offered[Handover.PICK_UP] = pick_up_cost
    elif travel_cost is not None:
        offered[Handover.CALL_OUT] = travel_cost
    return offered
