"""One service request with everything that happened to it (part-1 §2 Repair and service status flow, §3)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from portal.contract.base import Shape
from portal.contract.bikes import ServiceRequest
from portal.contract.orders import KnownItemKind
from portal.contract.tolerance import otherwise
from portal.vocabulary.locations import LocationType
from portal.vocabulary.work_orders import Actor, WorkOrderStatus


class RequestEvent(Shape):
    """Something that happened to a request. `note` is what the back office told the customer; times in UTC."""

    happened_at: datetime
    status: Annotated[WorkOrderStatus, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)]
    actor: Annotated[Actor, otherwise(Actor, Actor.UNKNOWN)]
    note: str = ""
    planned_date: date | None = None


class RequestPartner(Shape):
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


class RequestBike(Shape):
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
