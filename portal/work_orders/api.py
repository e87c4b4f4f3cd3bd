"""Operations and models: service requests with their history, and maintenance jobs (part-1 §2, §3)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.bikes.api import ServiceRequest
from portal.contract.account import LocalizedText
from portal.contract.errors import Refused, Unavailable
from portal.contract.models import Amount, Document, Model, Page, only_known, otherwise
from portal.contract.operations import CALENDAR, PDF, DeclaredRefusal, FileLocale, PageNumber, Token, operation
from portal.flow.api import Upload
from portal.kernel.codes import Code
from portal.orders.api import KnownServicePackage
from portal.vocabulary.locations import LocationType
from portal.vocabulary.services import Drive, ServiceJob
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.rules import Urgency


class RequestEvent(Model):
    """An entry in the history of a request.

    `happened_at`: UTC.
    `label`: the status in words.
    `meaning`: what it meant to the customer, for the chosen handover.
    `note`: message from the back office to the customer; empty if there is none.
    `planned_date`: the day that was planned with this event; None if none was.
    """

    happened_at: datetime
    status: Annotated[WorkOrderStatus, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)]
    label: LocalizedText
    meaning: LocalizedText
    note: str = ""
    planned_date: date | None = None


class RequestPartner(Model):
    """The service location that does the work. `phone` is in E.164 format. Unknown values are empty."""

    name: str
    location_type: Annotated[LocationType, otherwise(LocationType, LocationType.UNKNOWN)]
    phone: str = ""
    email: str = ""
    street: str
    house_number: str
    house_number_addon: str = ""
    post_code: str
    city: str


class RequestDetail(ServiceRequest):
    """One request with its history. `created_at` is the moment it was sent.

    `frame_number`: of the bike; empty if unknown.
    `partner`: the assigned service location; None until one is assigned.
    `events`: the history, oldest first.
    `files`: what the customer sent with it, as long as it is kept.
    """

    frame_number: str
    partner: RequestPartner | None = None
    events: list[RequestEvent] = Field(min_length=1)
    files: list[Upload] = Field(default_factory=list)


class ServiceProduct(Model):
    """A maintenance job for the bike, with its price in euros including VAT.

    `reduced`: price with the service package of the bike; None if the package does not reduce it.
    """

    job: ServiceJob
    price: Amount
    reduced: Amount | None = None


class ServiceDue(Model):
    """The maintenance job that the bike needs next.

    `day`: due date, as a local day.
    `by_distance`: the job is due early because of the mileage.
    `mileage`: last known mileage in km; None if it was never read.
    `mileage_at`: day on which the mileage was read.
    `last`: local day of the last recorded service; None if there is none.
    """

    job: Annotated[ServiceJob, otherwise(ServiceJob, ServiceJob.UNKNOWN)]
    day: date
    urgency: Annotated[Urgency, otherwise(Urgency, Urgency.LATER)]
    by_distance: bool = False
    mileage: int | None = None
    mileage_at: date | None = None
    last: date | None = None


class ServiceOffer(Model):
    """The maintenance jobs for one bike.

    `drive`: the price list that applies: bike or e-bike.
    `service_package`: the package that reduces prices; None without a package.
    `products`: the jobs from the first to the last service; empty if none is offered.
    """

    drive: Annotated[Drive, otherwise(Drive, Drive.BIKE)]
    service_package: KnownServicePackage = None
    products: Annotated[list[ServiceProduct], only_known(ServiceJob, "job")] = Field(default_factory=list)
    due: ServiceDue


class WorkOrdersApi(Protocol):
    """Operations on service requests and maintenance jobs."""

    @operation("GET", "/service-requests")
    async def service_requests(self, token: Token, page: PageNumber = 1) -> Page[ServiceRequest]:
        """List the customer's repairs, services and claims: open ones first, then the newest first."""

    @operation("GET", "/service-requests/{reference}")
    async def service_request(self, token: Token, reference: str) -> RequestDetail:
        """One request with its service location and history."""

    @operation(
        "GET", "/service-requests/{reference}/pdf", media=PDF, refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),)
    )
    async def request_document(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """The confirmation of a request as a PDF."""

    @operation("GET", "/service-requests/{reference}/calendar", media=CALENDAR)
    async def request_calendar(self, token: Token, reference: str, locale: FileLocale) -> Document:
        """The planned day of a request as an iCalendar file.

        Not found if no day is planned, or it is no longer ahead.
        """

    @operation(
        "GET",
        "/bikes/{bike_id}/service-products",
        refuses=(DeclaredRefusal(Refused, Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID),),
    )
    async def service_products(self, token: Token, bike_id: str) -> ServiceOffer:
        """The maintenance jobs for one bike with their prices, and the job it needs next."""
