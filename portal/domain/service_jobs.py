"""Maintenance jobs: which there are, what they hold, and which one a bike is due for (part-1 §3, §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.domain.dates import add_months
from portal.domain.marks import N_
from portal.domain.statuses import ServicePackage


class ServiceJob(StrEnum):
    """The jobs in their order. After the fourth the fourth comes again, year after year."""

    FIRST = "1"
    SECOND = "2"
    THIRD = "3"
    FOURTH = "4"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never offered, never stored."""


JOBS: tuple[ServiceJob, ...] = tuple(job for job in ServiceJob if job is not ServiceJob.UNKNOWN)
JOB_NAMES: dict[ServiceJob, str] = {
    ServiceJob.FIRST: N_("First service"),
    ServiceJob.SECOND: N_("Second service"),
    ServiceJob.THIRD: N_("Third service"),
    ServiceJob.FOURTH: N_("Fourth service"),
    ServiceJob.UNKNOWN: N_("Service"),
}
JOB_CONTENTS: dict[ServiceJob, str] = {
    ServiceJob.FIRST: N_("Everything that settled in the first months is adjusted: brakes, gears, spokes and bolts."),
    ServiceJob.SECOND: N_("The yearly check, with the chain cleaned and the tyres looked at."),
    ServiceJob.THIRD: N_("The yearly check, with brake pads, cables and bearings measured for wear."),
    ServiceJob.FOURTH: N_("The large service: everything is checked, and the drive is taken apart and cleaned."),
    ServiceJob.UNKNOWN: "",
}


class Drive(StrEnum):
    """Which variant of a job a bike gets (part-1 §3: bike and e-bike variants)."""

    BIKE = "bike"
    E_BIKE = "e_bike"


DRIVE_CONTENTS: dict[Drive, str] = {
    Drive.BIKE: "",
    Drive.E_BIKE: N_("Motor, battery and software are checked as well."),
}

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

FIRST_MONTHS = 5
FIRST_KILOMETRES = 500
FURTHER_MONTHS = 12
"""The first service within 5 months or 500 km, whichever comes first; then yearly (part-1 §9)."""
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
        by = add_months(start, FIRST_MONTHS if done <= 0 else FURTHER_MONTHS)
        if done <= 0 and mileage is not None and mileage >= FIRST_KILOMETRES and day < by:
            return Due(job, by, Urgency.NOW, by_distance=True)
    else:
        by = add_months(last, FURTHER_MONTHS)
    urgency = Urgency.NOW if day >= by else Urgency.SOON if day >= by - SOON else Urgency.LATER
    return Due(job, by, urgency)
