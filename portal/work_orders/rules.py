"""Maintenance jobs: which one a bike needs next (part-1 §3, §9)."""

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
class DueService:
    """The job that a bike needs next by the local day `day`, or `by_distance`: before it, because of the mileage."""

    job: ServiceJob
    day: date
    urgency: Urgency
    by_distance: bool = False


def due(start: date, done: int, last: date | None, mileage: int | None, day: date) -> DueService:
    """The maintenance job that a bike needs next, after `done` services.

    The first service is due a fixed time after the delivery (`start`), or earlier at `FIRST_SERVICE_KM`. Each further
    one is due a fixed time after the last. After the last job in the list, that job repeats.
    """
    job = JOBS[min(max(done, 0), len(JOBS) - 1)]
    if done <= 0 or last is None:
        by = add_months(start, FIRST_SERVICE_MONTHS if done <= 0 else FURTHER_SERVICE_MONTHS)
        if done <= 0 and mileage is not None and mileage >= FIRST_SERVICE_KM and day < by:
            return DueService(job, by, Urgency.NOW, by_distance=True)
    else:
        by = add_months(last, FURTHER_SERVICE_MONTHS)
    urgency = Urgency.NOW if day >= by else Urgency.SOON if day >= by - SOON else Urgency.LATER
    return DueService(job, by, urgency)


def half_of(price: Decimal) -> Decimal:
    """What a service costs with a package that halves it: half of the price of the day (decision 0075)."""
    return (price / 2).quantize(Decimal("0.01"), ROUND_HALF_UP)
