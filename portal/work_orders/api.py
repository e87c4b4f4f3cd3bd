"""Requests to the workshop, with everything that happened to them: models and operations (part-1 §2, §3)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.bikes.api import ServiceRequest
from portal.contract.errors import Refused, Unavailable
from portal.contract.models import Amount, Document, Model, Page, only_known, otherwise
from portal.contract.operations import CALENDAR, PDF, DeclaredRefusal, FileLocale, PageNumber, Token, operation
from portal.kernel.codes import Code
from portal.orders.api import KnownItemKind, KnownServicePackage
from portal.vocabulary.locations import LocationType
from portal.vocabulary.services import Drive, ServiceJob
from portal.vocabulary.work_orders import Actor, WorkOrderStatus
from portal.work_orders.rules import Urgency


class RequestEvent(Model):
    """Something that happened to a request. `note` is what the back office told the customer; times in UTC."""

    happened_at: datetime
    status: Annotated[WorkOrderStatus, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)]
    actor: Annotated[Actor, otherwise(Actor, Actor.UNKNOWN)]
    note: str = ""
    planned_date: date | None = None


class RequestPartner(Model):
    """Where the bike is, or goes to. Phone in E.164; texts are empty when they are not known."""

    name: str
    location_type: Annotated[LocationType, otherwise(LocationType, LocationType.UNKNOWN)]
    phone: str = ""
    email: str = ""
    street: str
    house_number: str
    house_number_addon: str = ""
    post_code: str
    city: str


class RequestBike(Model):
    """The bike that a request is about. `color_code` is a CSS hex colour for the illustration."""

    bike_id: str
    name: str
    kind: KnownItemKind
    color_code: str
    frame_number: str


class RequestDetail(ServiceRequest):
    """A whole request. The day it was signed up is that of `created_at`.

    Attributes:
        bike: what it is about.
        partner: the assigned service location, none while there is none.
        events: what happened, oldest first.
    """

    bike: RequestBike
    partner: RequestPartner | None = None
    events: list[RequestEvent] = Field(min_length=1)


class ServiceProduct(Model):
    """A job, in the variant for this bike. Euro including VAT; `reduced` is the price with the service package."""

    job: ServiceJob
    price: Amount
    reduced: Amount | None = None


class ServiceDue(Model):
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


class ServiceOffer(Model):
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


class WorkOrdersApi(Protocol):
    """Work on the customer's bikes."""

    @operation("GET", "/service-requests")
    async def service_requests(self, token: Token, page: PageNumber = 1) -> Page[ServiceRequest]:
        """The customer's repairs, services and claims: open ones first, then newest first."""
        ...

    @operation("GET", "/service-requests/{reference}")
    async def service_request(self, token: Token, reference: str) -> RequestDetail:
        """One request with its partner and everything that happened to it."""
        ...

    @operation(
        "GET", "/service-requests/{reference}/pdf", media=PDF, refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),)
    )
    async def request_document(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """What was asked for, as a PDF in the given language."""
        ...

    @operation("GET", "/service-requests/{reference}/calendar", media=CALENDAR)
    async def request_calendar(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """The day the work is planned for, as an iCalendar file.

        Not found while nothing is planned.
        """
        ...

    @operation(
        "GET",
        "/bikes/{bike_id}/service-products",
        refuses=(DeclaredRefusal(Refused, Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID),),
    )
    async def service_products(self, token: Token, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike with their prices, and which one it is due for."""
        ...
