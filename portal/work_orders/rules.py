"""Maintenance jobs: which one a bike needs next (part-1 §3, §9)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from portal.kernel.days import add_months
from portal.kernel.terms import FIRST_SERVICE_KM, FIRST_SERVICE_MONTHS, FURTHER_SERVICE_MONTHS
from portal.vocabulary.services import JOBS, ServiceJob

SOON = timedelta(days=30)
"""A service counts as due soon this long before its due date."""


class Urgency(StrEnum):
    """How close the due date of a service is. `NOW` means that it is due or overdue."""

    LATER = "later"
    SOON = "soon"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Due:
    """The maintenance job that a bike needs next.

    Attributes:
        day: due date, as a local day.
        by_distance: the job is due because of the mileage, before `day`.
    """

    job: ServiceJob
    day: date
    urgency: Urgency
    by_distance: bool = False


def due(start: date, done: int, last: date | None, mileage: int | None, day: date) -> Due:
    """Return the maintenance job that a bike needs next, and its due date.

    The first service is due a fixed time after `start`, or earlier at a mileage of `FIRST_SERVICE_KM`. Each further one
    is due a fixed time after the last. After the last job in the list, that job repeats.

    Args:
        start: local day of delivery, or of purchase if the delivery day is unknown.
        done: number of services the bike has had.
        last: local day of the last service; None if there was none.
        mileage: last known mileage in km; None if it was never read.
        day: today, as a local day.
    """
    job = JOBS[min(max(done, 0), len(JOBS) - 1)]
    if done <= 0 or last is None:
        by = add_months(start, FIRST_SERVICE_MONTHS if done <= 0 else FURTHER_SERVICE_MONTHS)
        if done <= 0 and mileage is not None and mileage >= FIRST_SERVICE_KM and day < by:
            return Due(job, by, Urgency.NOW, by_distance=True)
    else:
        by = add_months(last, FURTHER_SERVICE_MONTHS)
    urgency = Urgency.NOW if day >= by else Urgency.SOON if day >= by - SOON else Urgency.LATER
    return Due(job, by, urgency)


def half_of(price: Decimal) -> Decimal:
    """What a service costs with a package that halves it: half of the price of the day (decision 0075)."""
    return (price / 2).quantize(Decimal("0.01"), ROUND_HALF_UP)
