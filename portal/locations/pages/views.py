"""Views of service locations and service points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

from portal.kernel.address import address_lines, readable_phone, route_url, short_address
from portal.kernel.codes import Code
from portal.kernel.days import local_day, opening_state
from portal.kernel.days import runs as same_hours
from portal.locations.api import OpenDay, ServiceLocation
from portal.locations.rules.locations import away_all_the_time, waiting_weeks_range
from portal.vocabulary.locations import Handover, LocationLabel, LocationType


@dataclass(frozen=True, slots=True)
class LocationCard:
    """A location of the location step. Empty texts mean unknown or not offered.

    Attributes:
        address: street, house number and city.
        distance: kilometres with one decimal.
        low, high: bounds of the waiting time in weeks.
        rating: 0 to 10 with one decimal.
        away: whether it is on vacation today.
        vacation_from, vacation_until: ISO days of a current or coming vacation.
        bring: whether the customer can bring the bike.
        pick_up, call_out: cost, euro as text.
        several: whether there is more than one method.
        refusal: code of the reason why it cannot be chosen.
        fresh: whether it is the first of the cards added last.
        proposed: whether it is chosen beforehand, as the first that we recommend around the address.
    """

    location_id: str = ""
    name: str = ""
    kind: str = ""
    address: str = ""
    distance: str = ""
    low: int = 0
    high: int = 1
    rating: str = ""
    recommended: bool = False
    premium: bool = False
    away: bool = False
    vacation_from: str = ""
    vacation_until: str = ""
    bring: bool = False
    pick_up: str = ""
    call_out: str = ""
    several: bool = False
    refusal: str = ""
    fresh: bool = False
    proposed: bool = False


def location_card(entry: ServiceLocation, day: date) -> LocationCard:
    """Map a location to its card; `day` is today, for vacations."""
    facts = entry.model_dump(mode="json")
    away = away_all_the_time(entry.vacation_from, entry.vacation_until, entry.waiting_weeks, day)
    refusal = Code.LOCATION_ON_VACATION if away else "" if entry.handovers else Code.LOCATION_OUT_OF_REACH
    return _card(facts | {"id": entry.location_id, "refusal": refusal})


def chosen_card(facts: Mapping[str, Any]) -> LocationCard:
    """Map the chosen location to a card; an empty card if there is none."""
    return _card(facts) if facts.get("name") else LocationCard()


def _card(facts: Mapping[str, Any]) -> LocationCard:
    address, labels = facts["address"], facts["labels"]
    costs = {entry["handover"]: entry["cost"] or "" for entry in facts["handovers"]}
    low, high = waiting_weeks_range(facts["waiting_weeks"])
    return LocationCard(
        location_id=facts["id"],
        name=facts["name"],
        kind=facts["location_type"],
        address=short_address(address),
        distance=str(facts.get("distance_km") or ""),
        low=low,
        high=high,
        rating=str(facts["rating"] or ""),
        recommended=LocationLabel.RECOMMENDED in labels,
        premium=facts["location_type"] == LocationType.PREMIUM_PARTNER,
        away=LocationLabel.ON_VACATION in labels,
        vacation_from=facts["vacation_from"] or "",
        vacation_until=facts["vacation_until"] or "",
        bring=Handover.BRING in costs,
        pick_up=costs.get(Handover.PICK_UP, ""),
        call_out=costs.get(Handover.CALL_OUT, ""),
        several=len(costs) > 1,
        refusal=str(facts["refusal"]),
    )


@dataclass(frozen=True, slots=True)
class OpenRun:
    """Consecutive weekdays with the same hours: 1 is Monday; local times such as '09:00'."""

    first: str
    last: str
    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class ServicePoint:
    """A service point. Empty texts mean unknown.

    Attributes:
        distance: kilometres with one decimal.
        rating: 0 to 10 with one decimal.
        low, high: bounds of the waiting time in weeks.
        away: whether it is on vacation today.
        away_from, away_until: ISO days of a current or coming vacation.
        phone: formatted for reading; phone_number: E.164.
        open: whether it is open now.
        at: when it closes, or when it opens on `weekday` (1 is Monday, empty for today).
        hours: opening hours of the week.
        fresh: whether it is the first of the cards added last.
    """

    location_id: str
    name: str
    kind: str
    premium: bool
    street: str
    city: str
    distance: str
    rating: str
    low: int
    high: int
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


def service_point(entry: ServiceLocation, moment: datetime) -> ServicePoint:
    """Map a location to a service point; `moment` is now, for opening hours."""
    street, city = address_lines(entry.address)
    today = local_day(moment)
    away = LocationLabel.ON_VACATION in entry.labels
    low, high = waiting_weeks_range(entry.waiting_weeks)
    found = opening_state([_times(day) for day in entry.opening_hours if day.closes < "24:00"], moment)
    return ServicePoint(
        location_id=entry.location_id,
        name=entry.name,
        kind=entry.location_type.value,
        premium=entry.location_type is LocationType.PREMIUM_PARTNER,
        street=street,
        city=city,
        distance="" if entry.distance_km is None else str(entry.distance_km),
        rating="" if entry.rating is None else str(entry.rating),
        low=low,
        high=high,
        away=away,
        away_from=entry.vacation_from.isoformat() if entry.vacation_from else "",
        away_until=entry.vacation_until.isoformat() if entry.vacation_until else "",
        phone=readable_phone(entry.phone),
        phone_number=entry.phone,
        route=route_url(entry.name, street, city),
        open=found.open and not away,
        at="" if away or found.at is None else f"{found.at:%H:%M}",
        weekday="" if found.day is None or found.day == today else str(found.day.isoweekday()),
        hours=runs(entry.opening_hours),
    )


def runs(days: Iterable[OpenDay]) -> list[OpenRun]:
    """Group consecutive days with the same hours."""
    return [
        OpenRun(str(first.weekday), str(last.weekday), first.opens, first.closes) for first, last in same_hours(days)
    ]


def _times(day: OpenDay) -> _Hours:
    return _Hours(day.weekday, day.weekday, time.fromisoformat(day.opens), time.fromisoformat(day.closes))
