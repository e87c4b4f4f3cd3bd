"""Models and operations of bikes (part-1 §3)."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account
from portal.contract.models import Model, OptionalLink, Page, Picture, otherwise
from portal.contract.operations import PageNumber, Token, operation
from portal.orders.api import KnownItemKind, KnownServicePackage
from portal.vocabulary.departures import Departure
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus


class BikeSelection(StrEnum):
    """Which bikes to list: all, those with an open request, or those without one."""

    ALL = "all"
    IN_PROGRESS = "in_progress"
    OTHERS = "others"


class BikeSummary(Model):
    """A bike as a card shows it.

    `frame_number` is empty when unknown. `open_request` is the reference of the open request. `departure` says that the
    bike is on its way back or has left; a bike that has left for good is in no list.
    """

    bike_id: str
    name: str
    brand: str
    kind: KnownItemKind
    color: str
    color_code: str
    """CSS hex colour of the frame."""
    picture: Picture = Picture()
    frame_number: str
    order_number: str
    order_date: date
    warranty_until: date
    warranty_expired: bool
    open_request: str | None = None
    departure: Annotated[Departure | None, otherwise(Departure, Departure.UNKNOWN)] = None


class Bike(BikeSummary):
    """Everything about a bike (part-1 §3).

    Empty texts and None mean unknown. Mileage is in km. The pin code itself is never sent. A bike that has left has
    neither insurance nor service package.
    """

    size: str = ""
    engine_brand: str = ""
    engine_system: str = ""
    battery_number: str = ""
    battery_passport: OptionalLink = ""
    """https URL of the passport of the battery (Regulation (EU) 2023/1542)."""
    imei_number: str = ""
    key_numbers: list[str] = Field(default_factory=list)
    """At most three, in the order of their numbers."""
    service_card: str = ""
    service_package: KnownServicePackage = None
    insurance: str = ""
    policy_number: str = ""
    insurance_start: date | None = None
    mileage: int | None = None
    mileage_at: date | None = None
    has_pin_code: bool = False


class ServiceRequest(Model):
    """A repair, service or claim in the list (part-1 §3).

    `account`: what every channel says about it.
    `bike_mark`: what tells the bike from others of its name.
    `asked`: whether staff wait for an answer of the customer; lists then say so in place of the status.
    """

    reference: str
    kind: Annotated[RequestKind, otherwise(RequestKind, RequestKind.UNKNOWN)]
    status: Annotated[WorkOrderStatus, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)]
    title: str
    planned_date: date | None
    created_at: datetime
    closed: bool
    bike_id: str
    bike_mark: str = ""
    picture: Picture = Picture()
    partner_name: str = ""
    account: Account
    asked: bool = False


class BikesApi(Protocol):
    """The bikes of a customer."""

    @operation("GET", "/bikes")
    async def bikes(
        self,
        token: Token,
        page: PageNumber = 1,
        selection: Annotated[BikeSelection, Field(description="Which of the bikes.")] = BikeSelection.ALL,
    ) -> Page[BikeSummary]:
        """The customer's bikes, newest order first."""

    @operation("GET", "/bikes/{bike_id}")
    async def bike(self, token: Token, bike_id: str) -> Bike:
        """One bike."""
