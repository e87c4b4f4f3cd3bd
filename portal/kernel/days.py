"""Dates, times and opening hours. Moments are stored in UTC and shown in Europe/Amsterdam."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar
from zoneinfo import ZoneInfo

from portal.kernel.address import Country
from portal.kernel.texts import N_

if TYPE_CHECKING:
    import holidays

AMSTERDAM = ZoneInfo("Europe/Amsterdam")

ALWAYS = date(2000, 1, 1)
"""First day of a price or number that was never announced: it has held since before the portal."""


def now() -> datetime:
    """The current moment (aware, UTC)."""
    return datetime.now(UTC)


def local_day(moment: datetime) -> date:
    """The calendar day of a moment in Europe/Amsterdam."""
    return moment.astimezone(AMSTERDAM).date()


def today() -> date:
    """The current calendar day in Europe/Amsterdam."""
    return local_day(now())


def whole_months(since: date, until: date) -> int:
    """Whole months from one day to another; 0 if it is not later."""
    months = (until.year - since.year) * 12 + until.month - since.month
    return max(0, months - (until.day < since.day))


def add_years(day: date, years: int) -> date:
    """The same day `years` later; 29 February becomes 28 February in a common year."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def add_months(day: date, months: int) -> date:
    """The same day `months` later, or the last day of the month if that month is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return day.replace(year=year, month=month, day=min(day.day, monthrange(year, month)[1]))


_WEEK = 7
_DAY = timedelta(days=1)


class OpeningHours(Protocol):
    """Equal opening hours on consecutive weekdays, in local time; ISO weekdays, 1 is Monday."""

    first_day: int
    last_day: int
    opens: time
    closes: time


@dataclass(frozen=True, slots=True)
class OpeningState:
    """Whether the shop or service is open now, and when that changes.

    `day`: when closed, the day on which it opens next, today or later; None when open or when it never opens.
    `at`: local time at which it closes today or opens on `day`; None when it never opens.
    """

    open: bool
    day: date | None
    at: time | None


Closed = Callable[[date], bool]
"""Function that tells whether a day is closed, regardless of the weekly hours."""


def never(day: date) -> bool:  # noqa: ARG001 - the answer is the same for every day
    """Report no day as closed."""
    return False


@cache
def _public_holidays() -> holidays.HolidayBase:
    # The calendar adds a year when a day of that year is looked up.
    import holidays

    return holidays.country_holidays(Country.NL.value)


def is_holiday(day: date) -> bool:
    """Whether a day is a public holiday in the Netherlands, where customer service is located."""
    return day in _public_holidays()


WORK_ENDS = time(17)
"""Local time at which a working day of staff ends; a promise in working days ends then."""


def in_working_days(moment: datetime, days: int) -> datetime:
    """The end of the working day that comes so many working days after a moment (UTC).

    Working days are Monday to Friday, except public holidays.
    """
    day = local_day(moment)
    while days:
        day += timedelta(days=1)
        days -= day.isoweekday() < 6 and not is_holiday(day)
    return datetime.combine(day, WORK_ENDS, AMSTERDAM).astimezone(UTC)


def start_of_day(day: date) -> datetime:
    """The first moment of a local day (UTC)."""
    return datetime.combine(day, time(), AMSTERDAM).astimezone(UTC)


def end_of_day(day: date) -> datetime:
    """The last minute of a local day (UTC)."""
    return datetime.combine(day, time(23, 59), AMSTERDAM).astimezone(UTC)


def opening_state(hours: Sequence[OpeningHours], moment: datetime, closed: Closed = never) -> OpeningState:
    """Whether it is open at a moment, and when it next closes or opens."""
    local = moment.astimezone(AMSTERDAM)
    clock = local.time()
    # Two weeks are enough, because consecutive holidays never last a week.
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
    """When to compute the state again (UTC): at closing time, at opening time, or at the start of the next day.

    `found`: the state at `moment`.
    `moment`: the moment (aware).
    """
    local = moment.astimezone(AMSTERDAM)
    midnight = datetime.combine(local.date() + _DAY, time(), AMSTERDAM)
    if found.at is None or (found.day is not None and found.day != local.date()):
        return midnight.astimezone(UTC)
    return datetime.combine(local.date(), found.at, AMSTERDAM).astimezone(UTC)


def closed_soon(closed: Closed, day: date) -> list[date]:
    """The closed days among the seven days that start with `day`."""
    return [found for ahead in range(_WEEK) if closed(found := day + timedelta(days=ahead))]


DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
"""Abbreviations of the weekdays in opening hours, Monday first."""

WEEKDAYS: dict[str, str] = {
    "1": N_("Monday"),
    "2": N_("Tuesday"),
    "3": N_("Wednesday"),
    "4": N_("Thursday"),
    "5": N_("Friday"),
    "6": N_("Saturday"),
    "7": N_("Sunday"),
}
"""Names of the ISO weekdays."""

UNTIL: dict[str, str] = {
    "2": N_("to Tuesday"),
    "3": N_("to Wednesday"),
    "4": N_("to Thursday"),
    "5": N_("to Friday"),
    "6": N_("to Saturday"),
    "7": N_("to Sunday"),
}
"""The last of several weekdays, after the first one."""

_PART = re.compile(r"(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? ([0-2]\d:[0-5]\d)-([0-2]\d:[0-5]\d)")


@dataclass(frozen=True, slots=True)
class OpeningDay:
    """Opening hours of one weekday.

    `weekday`: 1 is Monday, 7 is Sunday.
    `opens`, `closes`: local times, such as '09:00'.
    """

    weekday: int
    opens: str
    closes: str


def read(text: str) -> list[OpeningDay]:
    """Parse opening hours such as 'Mo-Fr 09:00-18:00, Sa 10:00-17:00'; other days are closed.

    Returns the open days, Monday first.
    Raises `ValueError`: the text has another form, a day occurs twice, or closing is not after opening.
    """
    found: dict[int, OpeningDay] = {}
    for part in text.split(",") if text.strip() else ():
        form = _PART.fullmatch(part.strip())
        if form is None:
            raise ValueError(f"not valid opening hours: {part.strip()!r}")
        first, last = DAYS.index(form[1]) + 1, DAYS.index(form[2] or form[1]) + 1
        if last < first or form[4] <= form[3] or form[4] > "24:00":
            raise ValueError(f"opening hours end before they begin: {part.strip()!r}")
        for weekday in range(first, last + 1):
            if weekday in found:
                raise ValueError(f"{DAYS[weekday - 1]} is listed twice")
            found[weekday] = OpeningDay(weekday, form[3], form[4])
    return [found[weekday] for weekday in sorted(found)]


class OpenOn(Protocol):
    """Opening hours of a weekday, as `OpeningDay`."""

    @property
    def weekday(self) -> int:
        """1 is Monday."""

    @property
    def opens(self) -> str:
        """Local time."""

    @property
    def closes(self) -> str:
        """Local time."""


DayHours = TypeVar("DayHours", bound=OpenOn)


def runs(days: Iterable[DayHours]) -> list[tuple[DayHours, DayHours]]:
    """Group consecutive days with the same hours: the first and the last day of each group."""
    found: list[tuple[DayHours, DayHours]] = []
    for day in days:
        first, last = found[-1] if found else (day, day)
        if (last.opens, last.closes, last.weekday + 1) == (day.opens, day.closes, day.weekday):
            found[-1] = (first, day)
        else:
            found.append((day, day))
    return found


def write(days: Iterable[OpenOn]) -> str:
    """Opening hours in the form that `read` parses; Monday first."""
    return ", ".join(
        f"{DAYS[first.weekday - 1]}{f'-{DAYS[last.weekday - 1]}' if last is not first else ''}"
        f" {first.opens}-{first.closes}"
        for first, last in runs(days)
    )


_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]?([0-5][0-9]))?")


def clock(text: str) -> str:
    """Read a time of the day as people type it: '9', '9:00', '0930', '17.30'. Returns 'HH:MM', at most '24:00'."""
    found = _CLOCK.fullmatch(text.strip())
    read_as = f"{int(found[1]):02}:{found[2] or '00'}" if found else ""
    if not read_as or read_as > "24:00":
        raise ValueError(f"no time of the day: {text!r}")
    return read_as
