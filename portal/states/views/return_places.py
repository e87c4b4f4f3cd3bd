"""Where and when something comes back: stores with their hours, days of the van."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from portal.domain.address import address_lines
from portal.domain.delivery_options import weeks


@dataclass(frozen=True, slots=True)
class HoursView:
    """The same hours on several days in a row; 1 is Monday."""

    first: int = 1
    last: int = 1
    hours: str = ""


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store to bring it to. `distance` in kilometres with one decimal, empty when not known."""

    id: str = ""
    name: str = ""
    address: str = ""
    phone: str = ""
    distance: str = ""
    hours: list[HoursView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WeekView:
    """A week with the days that can be had (ISO 8601); `first` and `last` are its Monday and its Saturday."""

    number: int = 0
    first: str = ""
    last: str = ""
    days: list[str] = field(default_factory=list)


def store_view(entry: Mapping[str, Any]) -> StoreView:
    """Tell a store among the facts."""
    return StoreView(
        id=entry["id"],
        name=entry["name"],
        address=address_lines(entry).joined,
        phone=entry["phone"],
        distance=entry["distance_km"],
        hours=_hours(entry["hours"]),
    )


def _hours(days: Iterable[Mapping[str, Any]]) -> list[HoursView]:
    """Days in a row with the same hours together."""
    found: list[HoursView] = []
    for day in days:
        hours, weekday = f"{day['opens']}-{day['closes']}", int(day["weekday"])
        if found and (found[-1].hours, found[-1].last) == (hours, weekday - 1):
            found[-1] = HoursView(found[-1].first, weekday, hours)
        else:
            found.append(HoursView(weekday, weekday, hours))
    return found


def week_views(days: Sequence[str]) -> list[WeekView]:
    """Days that can be had, week by week."""
    found = weeks([date.fromisoformat(day) for day in days])
    saturday = timedelta(days=5)
    return [
        WeekView(
            number=week.number,
            first=week.first.isoformat(),
            last=(week.first + saturday).isoformat(),
            days=[day.isoformat() for day in week.days],
        )
        for week in found
    ]
