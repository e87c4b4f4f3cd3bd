"""Opening hours: open now, or when again (part-1 §9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Protocol

import holidays

from portal.domain.countries import Country
from portal.domain.dates import AMSTERDAM

_WEEK = 7
_LONGEST_PAUSE = timedelta(days=1)


class OpeningHours(Protocol):
    """The same hours on a run of days; ISO weekdays, 1 is Monday. Local times."""

    first_day: int
    last_day: int
    opens: time
    closes: time


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether somebody is there now.

    Attributes:
        open: whether it is open.
        day: when it is closed, the day on which it opens again; today or later. None when it never opens.
        at: when it closes today, or opens on `day`; local time.
    """

    open: bool
    day: date | None
    at: time | None


Closed = Callable[[date], bool]
"""Whether nobody is there on a day, whatever the hours of the week say."""


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


def standing(hours: Sequence[OpeningHours], moment: datetime, closed: Closed = never) -> Standing:
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
                return Standing(open=True, day=None, at=run.closes)
            if ahead > 0 or clock < run.opens:
                return Standing(open=False, day=day, at=run.opens)
    return Standing(open=False, day=None, at=None)


def changes_at(found: Standing, moment: datetime) -> datetime:
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
