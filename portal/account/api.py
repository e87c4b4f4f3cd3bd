"""The customer, and what the dashboard tells (part-1 §2, §3)."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from portal.contract.base import KnownLocale, Locale, Shape
from portal.contract.drafts import DraftSummary
from portal.contract.tolerance import only_known, otherwise
from portal.domain.countries import Country
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.returns import ReturnKind, ReturnStatus
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus


class Address(Shape):
    """A postal address; house number and addition are separate."""

    post_code: str
    house_number: str
    house_number_addon: str = ""
    street: str
    city: str
    country_code: Annotated[Country, otherwise(Country, Country.UNKNOWN)]


class CustomerAddress(Address):
    """The address of the customer, with the phone number (E.164, empty when unknown) as the requirements have it."""

    phone: str = ""


class Customer(Shape):
    """`userData.customer` (part-1 §3). `prefix` stands between first and last name ('van der')."""

    first_name: str
    prefix: str = ""
    last_name: str
    email: str
    address: CustomerAddress


class LoginOrder(Shape):
    """`userData.order`: the order the customer logged in with."""

    order_number: str
    invoiced_at: date | None = None


class UserData(Shape):
    """The answer of `customer/info` (part-1 §7, call 3). `features` is empty when nothing is offered (part-1 §6)."""

    customer: Customer
    order: LoginOrder | None = None
    features: Annotated[list[Feature], only_known(Feature)] = Field(default_factory=list)
    locale: KnownLocale = "nl"


class CustomerUpdate(Shape):
    """What a customer may change about themselves; raw as typed, the provider checks it. All fields are sent."""

    first_name: str = Field(max_length=1000)
    prefix: str = Field(default="", max_length=1000)
    last_name: str = Field(max_length=1000)
    post_code: str = Field(max_length=1000)
    house_number: str = Field(max_length=1000)
    house_number_addon: str = Field(default="", max_length=1000)
    street: str = Field(max_length=1000)
    city: str = Field(max_length=1000)
    country_code: str = Field(max_length=1000)
    phone: str = Field(default="", max_length=1000)


class EmailChange(Shape):
    """The address the customer wants to use from now on."""

    email: str = Field(max_length=1000)


class EmailChangeCode(Shape):
    """The code that was sent to the old address."""

    code: str = Field(max_length=1000)


class EmailChangeSent(Shape):
    """A code went to the old address (masked). Times in UTC."""

    email: str
    expires_at: datetime
    resend_at: datetime


class LocaleChoice(Shape):
    """The language of mails and documents."""

    locale: Locale


class Action(Shape):
    """A tile or button of the dashboard. `until`: last day it stays open, or the day it closed, when known."""

    feature: Feature
    opening: Annotated[Opening, otherwise(Opening, Opening.CLOSED)]
    reason: Annotated[Reason | None, otherwise(Reason, None)] = None
    until: date | None = None


class OngoingKind(StrEnum):
    """What kind of thing is going on."""

    REQUEST = "request"
    DELIVERY = "delivery"
    RETURN = "return"


class Ongoing(Shape):
    """Something that is going on now: an open request, a delivery or a return.

    Attributes:
        reference: reference of the request, number of the order, or id of the return.
        name: the bike, or the first item of the order or the return.
        request_kind, work_order_status: for a request.
        delivery_status: for a delivery.
        return_kind, return_status: for a return.
        since: when it was reported or ordered.
        planned: the planned or scheduled day, when known.
        partner: the service partner or carrier, when known.
    """

    kind: OngoingKind
    reference: str
    name: str
    request_kind: Annotated[RequestKind | None, otherwise(RequestKind, RequestKind.UNKNOWN)] = None
    work_order_status: Annotated[WorkOrderStatus | None, otherwise(WorkOrderStatus, WorkOrderStatus.UNKNOWN)] = None
    delivery_status: Annotated[DeliveryStatus | None, otherwise(DeliveryStatus, DeliveryStatus.UNKNOWN)] = None
    return_kind: Annotated[ReturnKind | None, otherwise(ReturnKind, ReturnKind.UNKNOWN)] = None
    return_status: Annotated[ReturnStatus | None, otherwise(ReturnStatus, ReturnStatus.UNKNOWN)] = None
    since: date
    planned: date | None = None
    partner: str = ""


class Dashboard(Shape):
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
