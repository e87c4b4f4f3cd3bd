"""Dashboard, one order and one bike: the models that travel, and the operations (part-1 §2, §3)."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.bikes.api import Bike
from portal.contract.errors import InvalidInput
from portal.contract.models import Action, Model, Ongoing, OngoingKind, only_known, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.flow.api import DraftSummary
from portal.insurance.api import InsuranceRequest
from portal.kernel.codes import Code
from portal.vocabulary.actions import Feature
from portal.vocabulary.services import ServiceJob
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.rules import Urgency


class Dashboard(Model):
    """Everything the dashboard shows.

    Attributes:
        actions: tiles and buttons, in the order of the domain.
        ongoing: what is going on, newest first.
        drafts: requests to go on with, the last one first.
    """

    first_name: str
    has_features: bool
    actions: Annotated[list[Action], only_known(Feature, "feature")]
    ongoing: Annotated[list[Ongoing], only_known(OngoingKind, "kind")]
    drafts: list[DraftSummary] = Field(default_factory=list)


class HappeningKind(StrEnum):
    """What an entry of the timeline is about."""

    ORDER = "order"
    DELIVERY = "delivery"
    DATE_CHANGE = "date_change"
    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    RETURN = "return"
    INSURANCE = "insurance"
    SERVICE_PACKAGE = "service_package"
    MILEAGE = "mileage"
    WARRANTY = "warranty"


class BikeHappening(Model):
    """An entry of the timeline.

    Attributes:
        day: the local day.
        happened_at: the moment (UTC), where one is known; none for what is only a day, and for what is to come.
        ahead: it lies ahead: a planned delivery or appointment, the end of the warranty.
        status: of its kind: a delivery, work order, date change, insurance or return status; empty when it has none.
        reference: order number or reference, empty when there is none.
        text: what a person wrote: title of a request, note of the shop; empty when nothing.
        details: by kind: `km` (mileage), `code` (service package), `new_day` (date change), `type` (insurance;
            `asks` while the insurer waits for something of the customer), `kind` and `return_id` (return).
    """

    kind: Annotated[HappeningKind, otherwise(HappeningKind, HappeningKind.ORDER)]
    day: date
    happened_at: datetime | None = None
    ahead: bool = False
    status: str = ""
    reference: str = ""
    text: str = ""
    details: dict[str, Any] = Field(default_factory=dict)


class ServiceClock(Model):
    """When the next service is due: by a day or by kilometres, whichever comes first.

    Attributes:
        job: which service.
        due_on: by which day.
        due_at_km: by which mileage; none after the first service, which then comes yearly.
        km_left: kilometres until then, negative when passed; none while the mileage is unknown.
        days_left: days until then, negative when passed.
        by_distance: it is due because of the kilometres.
        last_on: day of the last service; none when there was none.
    """

    job: Annotated[ServiceJob, otherwise(ServiceJob, ServiceJob.UNKNOWN)]
    urgency: Annotated[Urgency, otherwise(Urgency, Urgency.LATER)]
    due_on: date
    due_at_km: int | None = None
    km_left: int | None = None
    days_left: int
    by_distance: bool = False
    last_on: date | None = None


class Warranty(Model):
    """The warranty. `days_left` is negative when it has expired."""

    since: date
    until: date
    expired: bool
    days_left: int


class BikeDocumentKind(StrEnum):
    """What a document is."""

    INVOICE = "invoice"
    REQUEST = "request"
    """What was asked for: a repair, service or claim."""
    DATE_CHANGE = "date_change"
    CALENDAR = "calendar"


class BikeDocument(Model):
    """A document about the bike. `reference` is what its operation takes, `number` is what people read.

    Attributes:
        about: of a request: what it asks for.
    """

    kind: BikeDocumentKind
    reference: str
    number: str
    day: date
    about: Annotated[RequestKind | None, otherwise(RequestKind, RequestKind.UNKNOWN)] = None


class BikeHome(Model):
    """The page of a bike. `timeline` is newest first, what lies ahead on top; `actions` are those of this bike."""

    bike: Bike
    mileage_km: str = ""
    """As last entered, with its decimals: '12.5'; empty when never."""
    warranty: Warranty
    clock: ServiceClock
    timeline: list[BikeHappening]
    documents: Annotated[list[BikeDocument], only_known(BikeDocumentKind, "kind")]
    actions: Annotated[list[Action], only_known(Feature, "feature")]
    insurance: InsuranceRequest | None = None


class MileageEntry(Model):
    """What the odometer says, raw: '12,5'. `corrects` accepts less than was known before."""

    mileage: str = Field(default="", max_length=100)
    corrects: bool = False


class OverviewApi(Protocol):
    """What is going on, for the customer and for one bike."""

    @operation("GET", "/dashboard")
    async def dashboard(self, token: Token) -> Dashboard:
        """What is going on and what can be started."""
        ...

    @operation("GET", "/bikes/{bike_id}/home")
    async def bike_home(self, token: Token, bike_id: str) -> BikeHome:
        """Everything about a bike."""
        ...

    @operation(
        "POST",
        "/bikes/{bike_id}/mileage",
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER, Code.MILEAGE_LOWER),),
    )
    async def enter_mileage(self, token: Token, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Keep what the odometer says.

        What is refused is about the field `mileage`.
        """
        ...
