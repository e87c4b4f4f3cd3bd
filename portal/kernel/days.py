"""Dates, times and opening hours: stored in UTC, shown in Europe/Amsterdam."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Protocol
from zoneinfo import ZoneInfo

import holidays

from portal.kernel.address import Country

AMSTERDAM = ZoneInfo("Europe/Amsterdam")


def now() -> datetime:
    """The current moment, aware, in UTC."""
    return datetime.now(UTC)


def local_day(moment: datetime) -> date:
    """The calendar day of a moment in Europe/Amsterdam."""
    return moment.astimezone(AMSTERDAM).date()


def today() -> date:
    """The current calendar day in Europe/Amsterdam."""
    return local_day(now())


def whole_months_since(day: date, until: date) -> int:
    """Whole months between two days, as derived for `invoiced_at` (part-1 §3); 0 when `day` lies ahead."""
    months = (until.year - day.year) * 12 + until.month - day.month
    return max(0, months - (1 if until.day < day.day else 0))


def add_years(day: date, years: int) -> date:
    """The same day some years later; 29 February becomes 28 February."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def add_months(day: date, months: int) -> date:
    """The same day some months later; the last day of a month that is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return day.replace(year=year, month=month, day=min(day.day, monthrange(year, month)[1]))


_WEEK = 7

_LONGEST_PAUSE = timedelta(days=1)


class OpeningHours(Protocol):
    """The same hours on a run of days; ISO weekdays, 1 is Monday. Local times."""

    first_day: int
    last_day: int
    opens: time
    closes: time


@dataclass(frozen=True, slots=True)
class OpeningState:
    """Whether it is open now, and when that changes.

    Attributes:
        open: whether it is open.
        day: when it is closed, the day on which it opens again; today or later. None when it never opens.
        at: when it closes today, or opens on `day`; local time.
    """

    open: bool
    day: date | None
    at: time | None


Closed = Callable[[date], bool]
"""Whether it is closed on a day, regardless of the weekly hours."""


def never(day: date) -> bool:  # noqa: ARG001 - every day is like this
    """No day is closed."""
    return False


@cache
def _public_holidays() -> holidays.HolidayBase:
    # Years are added as they are asked for.
    return holidays.country_holidays(Country.NL.value)


def is_holiday(day: date) -> bool:
    """Whether a day is a public holiday in the Netherlands, where the customer service is."""
    return day in _public_holidays()


def opening_state(hours: Sequence[OpeningHours], moment: datetime, closed: Closed = never) -> OpeningState:
    """Say whether it is open at a moment (aware), and until or from when.

    Args:
        hours: of the week.
        moment: the moment.
        closed: days on which nobody is there.
    """
    local = moment.astimezone(AMSTERDAM)
    clock = local.time()
    # Holidays never last a week.
    for ahead in range(2 * _WEEK):
        day = local.date() + timedelta(days=ahead)
        if closed(day):
            continue
        for run in sorted(hours, key=lambda entry: entry.opens):
            if not run.first_day <= day.isoweekday() <= run.last_day:
                continue
            if ahead == 0 and run.opens <= clock < run.closes:
                return OpeningState(open=True, day=None, at=run.closes)
            if ahead > 0 or clock < run.opens:
                return OpeningState(open=False, day=day, at=run.opens)
    return OpeningState(open=False, day=None, at=None)


def changes_at(found: OpeningState, moment: datetime) -> datetime:
    """When to look again (UTC): when it closes, opens, or another day begins.

    Args:
        found: how it stands at the moment.
        moment: the moment.
    """
    local = moment.astimezone(AMSTERDAM)
    midnight = datetime.combine(local.date() + _LONGEST_PAUSE, time(), AMSTERDAM)
    if found.at is None or (found.day is not None and found.day != local.date()):
        return midnight.astimezone(UTC)
    return datetime.combine(local.date(), found.at, AMSTERDAM).astimezone(UTC)


def closed_soon(closed: Closed, day: date) -> list[date]:
    """The days of the coming week, today included, on which nobody is there."""
    return [found for ahead in range(_WEEK) if closed(found := day + timedelta(days=ahead))]


DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
"""Days as they are written, Monday first."""

_PART = re.compile(r"(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? ([0-2]\d:[0-5]\d)-([0-2]\d:[0-5]\d)")


@dataclass(frozen=True, slots=True)
class OpeningDay:
    """One day on which is opened.

    Attributes:
        weekday: 1 is Monday, 7 is Sunday.
        opens, closes: local times, such as '09:00'.
    """

    weekday: int
    opens: str
    closes: str


def read(text: str) -> list[OpeningDay]:
    """The days of a week, Monday first; days that are not named are closed.

    Raises:
        ValueError: this is no such text, a day occurs twice, or it closes before it opens.
    """
    found: dict[int, OpeningDay] = {}
    for part in text.split(",") if text.strip() else ():
        form = _PART.fullmatch(part.strip())
        if form is None:
            raise ValueError(f"these are no opening hours: {part.strip()!r}")
        first, last = DAYS.index(form[1]) + 1, DAYS.index(form[2] or form[1]) + 1
        if last < first or form[4] <= form[3] or form[4] > "24:00":
            raise ValueError(f"these opening hours run backwards: {part.strip()!r}")
        for weekday in range(first, last + 1):
            if weekday in found:
                raise ValueError(f"{DAYS[weekday - 1]} opens twice")
            found[weekday] = OpeningDay(weekday, form[3], form[4])
    return [found[weekday] for weekday in sorted(found)]
