"""Opening hours: open now, or when again (part-1 §9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Protocol

from portal.domain.dates import AMSTERDAM


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


def standing(hours: Sequence[OpeningHours], moment: datetime) -> Standing:
    """Say whether it is open at a moment (aware), and until or from when."""
    local = moment.astimezone(AMSTERDAM)
    clock = local.time()
    for ahead in range(8):
        day = local.date() + timedelta(days=ahead)
        for run in sorted(hours, key=lambda entry: entry.opens):
            if not run.first_day <= day.isoweekday() <= run.last_day:
                continue
            if ahead == 0 and run.opens <= clock < run.closes:
                return Standing(open=True, day=None, at=run.closes)
            if ahead > 0 or clock < run.opens:
                return Standing(open=False, day=day, at=run.opens)
    return Standing(open=False, day=None, at=None)
