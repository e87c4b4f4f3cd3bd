"""Days and hours on which the van comes, for a pick-up as for a delivery (part-2 §5, §9).

A day can be had when it is no Sunday and no public holiday of the country, and not before the next working day plus
the days we need. What is ordered after the cut-off counts as ordered on the next working day. Capacity of the van is
not counted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import islice

import holidays

from portal.kernel.address import Country
from portal.kernel.days import AMSTERDAM
from portal.kernel.terms import HANDLING_DAYS

CUT_OFF = time(16)
"""Local time: what is asked for later counts as asked for on the next working day."""

OFFERED_DAYS = 12
"""Days that are offered: two weeks."""

_SUNDAY = 7


@dataclass(frozen=True, slots=True)
class Week:
    """Days of one ISO week that can be had, in order. `first` is its Monday."""

    year: int
    number: int
    first: date
    days: tuple[date, ...]


@cache
def _holidays(country: Country) -> holidays.HolidayBase:
    # Years are added as they are asked for.
    return holidays.country_holidays(country.value)


def is_working_day(day: date, country: Country) -> bool:
    """Whether the van drives on a day: Monday to Saturday, no public holiday of the country."""
    return day.isoweekday() != _SUNDAY and day not in _holidays(country)


def next_working_day(day: date, country: Country) -> date:
    """The first working day after a day."""
    day += timedelta(days=1)
    while not is_working_day(day, country):
        day += timedelta(days=1)
    return day


def first_day(now: datetime, country: Country, handling_days: int = HANDLING_DAYS) -> date:
    """The first day that can be had.

    Args:
        now: the moment of asking.
        country: where the van has to go.
        handling_days: working days we need beside the next one.
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
    """The next days that can be had, in order."""
    return list(islice(_from(first_day(now, country, handling_days), country), count))


def can_be_had(
    day: date, now: datetime, country: Country, count: int = OFFERED_DAYS, handling_days: int = HANDLING_DAYS
) -> bool:
    """Whether a day can (still) be had: nobody gets one that is past the cut-off by now."""
    return day in days(now, country, count, handling_days)


def weeks(offered: list[date]) -> list[Week]:
    """The same days week by week, as a page offers them; each day once, also where the clock changes."""
    found: dict[tuple[int, int], list[date]] = {}
    for day in offered:
        year, number, _ = day.isocalendar()
        found.setdefault((year, number), []).append(day)
    return [
        Week(year, number, date.fromisocalendar(year, number, 1), tuple(members))
        for (year, number), members in found.items()
    ]
