"""On which days is delivered, or fetched: working days of a country, from a first possible day on (decisions: Rules).

Days are calendar days of the customer, never moments: no change of the clocks and no time zone moves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache

import holidays

from portal.domain.countries import Country
from portal.domain.dates import AMSTERDAM

SUNDAY = 7
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the retailer needs.

    Attributes:
        handling_days: working days between the next working day and the first delivery.
        cut_off: local time after which today no longer counts.
        weeks: how many weeks ahead can be chosen from, the week of the first day included.
    """

    handling_days: int = 1
    cut_off: time = time(16)
    weeks: int = 5


@dataclass(frozen=True, slots=True)
class Week:
    """An ISO week with the days in it that can be chosen."""

    year: int
    number: int
    days: tuple[date, ...]

    @property
    def monday(self) -> date:
        """Its first day."""
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def sunday(self) -> date:
        """Its last day."""
        return date.fromisocalendar(self.year, self.number, SUNDAY)


@lru_cache(maxsize=64)
def _public_holidays(country: Country, year: int) -> frozenset[date]:
    return frozenset(holidays.country_holidays(country.value, years=year))


def is_working_day(day: date, country: Country) -> bool:
    """Whether something is delivered that day: no Sunday, no public holiday."""
    return day.isoweekday() != SUNDAY and day not in _public_holidays(country, day.year)


def next_working_day(day: date, country: Country) -> date:
    """The first working day after this one."""
    day += ONE_DAY
    while not is_working_day(day, country):
        day += ONE_DAY
    return day


def first_day(country: Country, moment: datetime, terms: Terms) -> date:
    """The first day that can be chosen at a moment (aware): the next working day, and the handling days after it."""
    local = moment.astimezone(AMSTERDAM)
    day = local.date()
    if local.time() >= terms.cut_off or not is_working_day(day, country):
        day = next_working_day(day, country)
    for _ in range(1 + terms.handling_days):
        day = next_working_day(day, country)
    return day


def delivery_days(country: Country, moment: datetime, terms: Terms) -> list[date]:
    """Every day that can be chosen at a moment (aware), the first one first."""
    first = first_day(country, moment, terms)
    end = first - timedelta(days=first.isoweekday() - 1) + timedelta(weeks=terms.weeks)
    days = (first + timedelta(days=ahead) for ahead in range((end - first).days))
    return [day for day in days if is_working_day(day, country)]


def in_weeks(days: Iterable[date]) -> list[Week]:
    """Days by their ISO week, in order; a week without days is left out."""
    found: dict[tuple[int, int], list[date]] = {}
    for day in sorted(days):
        year, number, _ = day.isocalendar()
        found.setdefault((year, number), []).append(day)
    return [Week(year, number, tuple(inside)) for (year, number), inside in found.items()]
