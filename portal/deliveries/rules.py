"""The days on which the van can come, for deliveries and pick-ups (part-2 §5, §9).

A day is available if it is a working day of the country and not earlier than the next working day plus the handling
days. A request after the cut-off counts as a request on the next working day. These rules ignore the capacity of the
van; `provider.queries` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM
from portal.kernel.terms import HANDLING_DAYS

if TYPE_CHECKING:
    import holidays

CUT_OFF = time(16)
"""Local time. A request at or after it counts as a request on the next working day."""

OFFERED_DAYS = 12
"""How many working days are offered by default: two weeks."""

_SUNDAY = 7


@dataclass(frozen=True, slots=True)
class Week:
    """The available days of one ISO week, in order. `first` is its Monday."""

    year: int
    number: int
    first: date
    days: tuple[date, ...]


@cache
def _holidays(country: Country) -> holidays.HolidayBase:
    import holidays

    # The library adds the holidays of a year on first use.
    return holidays.country_holidays(country.value)


def is_working_day(day: date, country: Country) -> bool:
    """Whether the van drives on a day: Monday to Saturday, except on public holidays of the country."""
    return day.isoweekday() != _SUNDAY and day not in _holidays(country)


def next_working_day(day: date, country: Country) -> date:
    """The first working day after `day`, which itself never counts."""
    day += timedelta(days=1)
    while not is_working_day(day, country):
        day += timedelta(days=1)
    return day


def first_day(now: datetime, country: Country, handling_days: int = HANDLING_DAYS) -> date:
    """The first available day.

    `now`: time of the request, with a time zone.
    `country`: where the van goes; its public holidays count.
    `handling_days`: working days that we need in addition to the next one.
    """
    local = now.astimezone(AMSTERDAM)
    day = local.date()
    if local.time() >= CUT_OFF or not is_working_day(day, country):
        day = next_working_day(day, country)
    for _ in range(1 + handling_days):
        day = next_working_day(day, country)
    return day


def _from(day: date, country: Country) -> Iterator[date]:
    while True:
        if is_working_day(day, country):
            yield day
        day += timedelta(days=1)


def days(now: datetime, country: Country, count: int = OFFERED_DAYS, handling_days: int = HANDLING_DAYS) -> list[date]:
    """The next `count` available days, in order."""
    return list(islice(_from(first_day(now, country, handling_days), country), count))


def can_be_had(
    day: date, now: datetime, country: Country, count: int = OFFERED_DAYS, handling_days: int = HANDLING_DAYS
) -> bool:
    """Whether a day is available at `now`. A day offered earlier may be too soon by now."""
    return day in days(now, country, count, handling_days)


def weeks(offered: list[date]) -> list[Week]:
    """Group days by ISO week, in the order given."""
    found: dict[tuple[int, int], list[date]] = {}
    for day in offered:
        year, number, _ = day.isocalendar()
        found.setdefault((year, number), []).append(day)
    return [
        Week(year, number, date.fromisocalendar(year, number, 1), tuple(members))
        for (year, number), members in found.items()
    ]
