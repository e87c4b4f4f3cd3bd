"""Models and operations of the dashboard and of the page of a bike (part-1 §2, §3)."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import Field

from portal.bikes.api import Bike
from portal.contract.account import Account, AccountFact
from portal.contract.errors import InvalidInput, Refused
from portal.contract.models import (
    Action,
    Model,
    Ongoing,
    OngoingKind,
    OptionalPage,
    OwnPage,
    Picture,
    only_known,
    otherwise,
)
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.contracts.api import Contract
from portal.conversations.api import KnownCaseKind, RequestNews
from portal.deliveries.api import KnownCode
from portal.flow.api import DraftSummary
from portal.insurance.api import InsuranceRequest
from portal.kernel.codes import Code
from portal.vocabulary.actions import Feature
from portal.vocabulary.services import ServiceJob
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.rules import Urgency


class FirstBike(Model):
    """The bike that a customer who has none waits for, and what can be arranged for it now.

    `order_number`: of the delivery in `ongoing` that brings it.
    `movable`: whether its delivery day can be chosen or changed.
    `insurable_until`: last day to insure it; None if it is insured, or cannot be.
    `package`: whether a service package can be added.
    """

    order_number: str
    movable: bool = False
    insurable_until: date | None = None
    package: bool = False


class Dashboard(Model):
    """Everything the dashboard shows.

    `ongoing`: open requests, deliveries, returns, insurances and invoices: first what the customer has to do, then what
    happens today, then the rest; within these the soonest first, then the newest.
    `complete`: whether `ongoing` certainly has all of them; the lists have.
    `news`: requests about which the retailer asks or wrote something, newest first.
    `bike`: the bike that a request would be about: the newest without an open one, else the newest; None without a
    bike.
    `first_bike`: what a customer without a bike waits for; None with one, and while none is on order.
    `item`: an item of the newest order that was shipped, while something can be returned; else None.
    """

    first_name: str
    has_features: bool
    actions: Annotated[list[Action], only_known(Feature, "feature")]
    ongoing: Annotated[list[Ongoing], only_known(OngoingKind, "kind")]
    complete: bool = True
    drafts: list[DraftSummary] = Field(default_factory=list)
    news: list[RequestNews] = Field(default_factory=list)
    bike: Picture | None = None
    first_bike: FirstBike | None = None
    item: Picture | None = None


class TimelineEventKind(StrEnum):
    ORDER = "order"
    DELIVERY = "delivery"
    DATE_CHANGE = "date_change"
    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    RETURN = "return"
    INSURANCE = "insurance"
    SERVICE_PACKAGE = "service_package"
    CONTRACT_END = "contract_end"
    MILEAGE = "mileage"
    WARRANTY = "warranty"


class TimelineEvent(Model):
    """A timeline event.

    `day`: the local day.
    `happened_at`: the moment (UTC); None if only the day is known, and for future events.
    `ahead`: whether it is in the future: a planned delivery or appointment, the end of the warranty.
    `status`: delivery, work order, date change, insurance or return status; empty if the kind has none.
    `reference`: order number or reference, empty without one.
    `title`: for the end of a contract, what ends; by language.
    `label`: for a request, a return or the end of a contract, the status in the words of its account, by language;
    empty for the last day of a contract.
    `text`: free text: title of a request, note of the shop; empty without one.
    `detail`: kilometres (mileage), code (service package), type (insurance) or kind (return); empty for other kinds.
    `new_day`: the day asked for, of a date change.
    `asks`: whether the insurer needs something from the customer.
    `page`: path of the page about it; empty without one.
    """

    kind: Annotated[TimelineEventKind, otherwise(TimelineEventKind, TimelineEventKind.ORDER)]
    day: date
    happened_at: datetime | None = None
    ahead: bool = False
    status: str = ""
    reference: str = ""
    title: dict[str, str] = Field(default_factory=dict)
    label: dict[str, str] = Field(default_factory=dict)
    text: str = ""
    detail: str = ""
    new_day: date | None = None
    asks: bool = False
    page: OptionalPage = ""


class ServiceClock(Model):
    """When the next service is due: by a day or by mileage, whichever comes first.

    `due_at_km`: the mileage by which it is due; None after the first service, because later ones are yearly.
    `km_left`: kilometres until `due_at_km`, negative when passed; None while the mileage is unknown.
    `days_left`: days until `due_on`, negative when passed.
    `last_on`: day of the last service; None if there was none.
    """

    job: Annotated[ServiceJob, otherwise(ServiceJob, ServiceJob.UNKNOWN)]
    urgency: Annotated[Urgency, otherwise(Urgency, Urgency.LATER)]
    due_on: date
    due_at_km: int | None = None
    km_left: int | None = None
    days_left: int
    last_on: date | None = None


class Warranty(Model):
    """The warranty of a bike. `days_left` is negative after it has expired."""

    since: date
    until: date
    expired: bool
    days_left: int


class BikeDocumentKind(StrEnum):
    INVOICE = "invoice"
    REQUEST = "request"
    DATE_CHANGE = "date_change"
    CALENDAR = "calendar"


class BikeDocument(Model):
    """A document about the bike.

    `reference`: identifies it in the operation that returns it.
    `number`: for reading, a reference in groups.
    `about`: kind of the request, for a document about one.
    """

    kind: BikeDocumentKind
    reference: str
    number: str
    day: date
    about: Annotated[RequestKind | None, otherwise(RequestKind, RequestKind.UNKNOWN)] = None


class BikeHome(Model):
    """The page of a bike. `timeline` starts with future events, then newest first; `documents` are newest first."""

    bike: Bike
    mileage_km: str = ""
    """As last entered, with decimals: '12.5'; empty if unknown."""
    warranty: Warranty | None = None
    clock: ServiceClock | None = None
    timeline: list[TimelineEvent]
    documents: Annotated[list[BikeDocument], only_known(BikeDocumentKind, "kind")]
    actions: Annotated[list[Action], only_known(Feature, "feature")]
    insurance: InsuranceRequest | None = None
    contracts: list[Contract] = Field(default_factory=list)
    consequences: list[AccountFact] = Field(default_factory=list)
    """While it goes back: what hangs on it, and what becomes of that."""


class FrameNumber(Model):
    """The frame number of a bike, as typed."""

    frame_number: str = Field(default="", max_length=100)


class MileageEntry(Model):
    """A reading of the odometer as typed: '12,5'. `corrects` accepts less than the last one."""

    mileage: str = Field(default="", max_length=100)
    corrects: bool = False


class LineAction(Model):
    """What can be started for a line of an order.

    `feature`: `return`, `repair` or `insurance`.
    `refusal`: why it cannot be started now; None if it can.
    `flow`: name of the flow that returns the item; empty for other actions.
    `page`: path of the open request that keeps it from being started; empty for other reasons.
    """

    feature: Feature
    refusal: KnownCode = None
    flow: str = ""
    page: OptionalPage = ""


class LineActions(Model):
    """What can be started for a line of an order."""

    position: int
    item: str
    bike_id: str | None = None
    actions: Annotated[list[LineAction], only_known(Feature, "feature")]


class OwnRequest(Model):
    """A request for insurance or another delivery day, or the end of a contract.

    `page`: path of the page where the customer can do something about it.
    """

    kind: KnownCaseKind
    reference: str
    account: Account
    tone: str = ""
    page: OwnPage


class OverviewApi(Protocol):
    """Dashboard, page of a bike, page of a request, and what can be started for the lines of an order."""

    @operation("GET", "/dashboard")
    async def dashboard(self, token: Token) -> Dashboard:
        """What is in progress, and what can be started."""

    @operation("GET", "/bikes/{bike_id}/home")
    async def bike_home(self, token: Token, bike_id: str) -> BikeHome:
        """Everything about a bike."""

    @operation("GET", "/requests/{reference}")
    async def own_request(self, token: Token, reference: str) -> OwnRequest:
        """One request of a kind that has no page in its own subject: insurance, delivery day, end of a contract."""

    @operation("GET", "/orders/{order_number}/actions")
    async def line_actions(self, token: Token, order_number: str) -> list[LineActions]:
        """What can be started for each line of an order, and why the rest cannot."""

    @operation(
        "POST",
        "/bikes/{bike_id}/frame-number",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_FRAME_NUMBER),
            DeclaredRefusal(Refused, Code.BIKE_GOING_BACK, Code.ALREADY_RETURNED, Code.ORDER_CANCELLED),
        ),
    )
    async def enter_frame_number(self, token: Token, bike_id: str, entry: FrameNumber) -> BikeHome:
        """Store the frame number of a bike that the customer has; one that is known stays.

        Refusals of an input are about the field `frame_number`.
        """

    @operation(
        "POST",
        "/bikes/{bike_id}/mileage",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_NUMBER, Code.MILEAGE_LOWER),
            DeclaredRefusal(Refused, Code.BIKE_GOING_BACK, Code.ALREADY_RETURNED, Code.ORDER_CANCELLED),
        ),
    )
    async def enter_mileage(self, token: Token, bike_id: str, entry: MileageEntry) -> BikeHome:
        """Store a reading of the odometer of a bike that the customer has.

        Refusals of an input are about the field `mileage`.
        """
