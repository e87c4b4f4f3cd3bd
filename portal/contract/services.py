"""Maintenance jobs that are offered for a bike (part-1 §3 Service product, §9)."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from portal.contract.base import Amount, Shape
from portal.contract.orders import KnownServicePackage
from portal.contract.tolerance import only_known, otherwise
from portal.domain.service_jobs import Urgency
from portal.vocabulary.services import Drive, ServiceJob


class ServiceProduct(Shape):
    """A job, in the variant for this bike. Euro including VAT; `reduced` is the price with the service package."""

    job: ServiceJob
    price: Amount
    reduced: Amount | None = None


class ServiceDue(Shape):
    """The service the bike needs next.

    Attributes:
        job: which one.
        day: local day by which it should be done.
        by_distance: it is due for the kilometres, before that day.
        mileage, mileage_at: kilometres as last read, and when; none when never read.
        last: local day of the last service that we know of.
    """

    job: Annotated[ServiceJob, otherwise(ServiceJob, ServiceJob.UNKNOWN)]
    day: date
    urgency: Annotated[Urgency, otherwise(Urgency, Urgency.LATER)]
    by_distance: bool = False
    mileage: int | None = None
    mileage_at: date | None = None
    last: date | None = None


class ServiceOffer(Shape):
    """What can be done for a bike.

    Attributes:
        drive: the variant: bike or e-bike.
        service_package: whose prices are told.
        products: the jobs in their order; empty when nothing is offered.
    """

    bike_id: str
    drive: Annotated[Drive, otherwise(Drive, Drive.BIKE)]
    service_package: KnownServicePackage = None
    products: Annotated[list[ServiceProduct], only_known(ServiceJob, "job")] = Field(default_factory=list)
    due: ServiceDue
