"""Maintenance jobs: which there are, what they hold, and which one a bike is due for (part-1 §3, §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.kernel.days import add_months
from portal.kernel.terms import FIRST_SERVICE_KM, FIRST_SERVICE_MONTHS, FURTHER_SERVICE_MONTHS
from portal.vocabulary.services import JOBS, ServiceJob, ServicePackage

HALF_PRICE: Mapping[ServicePackage, tuple[ServiceJob, ...]] = {
    ServicePackage.SERVICE11: (ServiceJob.FIRST,),
    ServicePackage.SERVICE21: (ServiceJob.FIRST, ServiceJob.SECOND),
    ServicePackage.SERVICE31: JOBS,
    ServicePackage.SERVICE12: (),
    ServicePackage.SERVICE22: (ServiceJob.FIRST,),
    ServicePackage.SERVICE32: (ServiceJob.FIRST, ServiceJob.SECOND, ServiceJob.THIRD),
    ServicePackage.SERVICE42: JOBS,
}
"""For which jobs a service package gives the variant at half the price."""

SOON = timedelta(days=30)
"""So long before its day a service is soon due."""


class Urgency(StrEnum):
    """How near the day is."""

    LATER = "later"
    SOON = "soon"
    NOW = "now"


@dataclass(frozen=True, slots=True)
class Due:
    """The service that a bike needs next.

    Attributes:
        job: which one.
        day: local day by which it should be done.
        urgency: how near that is.
        by_distance: it is due because of the kilometres, not because of the day.
    """

    job: ServiceJob
    day: date
    urgency: Urgency
    by_distance: bool = False


def half_price(package: ServicePackage | None, job: ServiceJob) -> bool:
    """Whether a package gives this job at half the price."""
    return package is not None and job in HALF_PRICE[package]


def due(start: date, done: int, last: date | None, mileage: int | None, day: date) -> Due:
    """Which service a bike needs next, and by when.

    Args:
        start: local day of delivery, or of purchase where that is not known.
        done: how many services it has had.
        last: local day of the last one, none without any.
        mileage: kilometres as last read, none when never read.
        day: today.
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
