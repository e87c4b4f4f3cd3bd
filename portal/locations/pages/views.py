"""A service point as the page of the customer service shows it: where it is, when it is open, how to reach it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, time

from portal.contract.locations import OpenDay, ServiceLocation
from portal.domain.address import address_lines
from portal.domain.dates import local_day
from portal.domain.hours import standing
from portal.domain.phones import readable
from portal.domain.routes import route_url
from portal.vocabulary.locations import LocationLabel, LocationType


@dataclass(frozen=True, slots=True)
class OpenRun:
    """The same hours on a run of days: 1 is Monday; local times such as '09:00'."""

    first: str
    last: str
    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class ServicePoint:
    """One of the service points that were found. Empty texts mean not known.

    Attributes:
        distance: kilometres with one decimal; rating: 0 to 10 with one decimal.
        away_from, away_until: ISO days of a vacation that goes on or lies ahead; away: it goes on.
        phone: for reading; phone_number: for dialling.
        open: whether it is open now; at: until when, or from when on `weekday` (1 is Monday, empty for today).
        hours: of the week, empty when not known.
        fresh: the first one of those that were added last.
    """

    location_id: str
    name: str
    kind: str
    premium: bool
    street: str
    city: str
    distance: str
    rating: str
    away: bool
    away_from: str
    away_until: str
    phone: str
    phone_number: str
    route: str
    open: bool
    at: str
    weekday: str
    hours: list[OpenRun] = field(default_factory=list)
    fresh: bool = False


@dataclass(slots=True)
class _Hours:
    first_day: int
    last_day: int
    opens: time
    closes: time


def service_point(entry: ServiceLocation, moment: datetime, *, fresh: bool = False) -> ServicePoint:
    """Tell a service point.

    Args:
        entry: the location.
        moment: now.
        fresh: whether it is the first one that was added last.
    """
    street, city = address_lines(entry.address)
    today = local_day(moment)
    away = LocationLabel.ON_VACATION in entry.labels
    found = standing([_times(day) for day in entry.opening_hours if day.closes < "24:00"], moment)
    return ServicePoint(
        location_id=entry.location_id,
        name=entry.name,
        kind=entry.location_type.value,
        premium=entry.location_type is LocationType.PREMIUM_PARTNER,
        street=street,
        city=city,
        distance="" if entry.distance_km is None else str(entry.distance_km),
        rating="" if entry.rating is None else str(entry.rating),
        away=away,
        away_from=entry.vacation_from.isoformat() if entry.vacation_from else "",
        away_until=entry.vacation_until.isoformat() if entry.vacation_until else "",
        phone=readable(entry.phone),
        phone_number=entry.phone,
        route=route_url(entry.name, street, city),
        open=found.open and not away,
        at="" if away or found.at is None else f"{found.at:%H:%M}",
        weekday="" if found.day is None or found.day == today else str(found.day.isoweekday()),
        hours=runs(entry.opening_hours),
        fresh=fresh,
    )


def runs(days: Iterable[OpenDay]) -> list[OpenRun]:
    """Days that follow each other with the same hours, as one line."""
    found: list[OpenRun] = []
    for day in days:
        before = found[-1] if found else None
        if before and (before.opens, before.closes) == (day.opens, day.closes) and int(before.last) + 1 == day.weekday:
            found[-1] = OpenRun(before.first, str(day.weekday), day.opens, day.closes)
        else:
            found.append(OpenRun(str(day.weekday), str(day.weekday), day.opens, day.closes))
    return found


def _times(day: OpenDay) -> _Hours:
    return _Hours(day.weekday, day.weekday, time.fromisoformat(day.opens), time.fromisoformat(day.closes))
