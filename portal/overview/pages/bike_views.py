"""Views of the page of a bike: timeline, next service, warranty, insurance, documents, actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from portal.bikes.api import Bike
from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.contract.models import Action
from portal.frontend.actions import ActionView, action_view, contact_about
from portal.insurance.api import InsuranceRequest
from portal.kernel.validation import in_groups
from portal.overview.api import BikeDocument, BikeDocumentKind, BikeHome, ServiceClock, TimelineEvent, TimelineEventKind
from portal.returns.flow.returns import RETURN
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.insurance import InsuranceStatus
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from portal.work_orders.pages.requests import request_path

SHOWN_AT_ONCE = 8
"""Past events that are shown before 'earlier' is opened; future ones are always shown."""

_REQUESTS = (TimelineEventKind.REPAIR, TimelineEventKind.SERVICE, TimelineEventKind.CLAIM)


@dataclass(frozen=True, slots=True)
class TimelineEventView:
    """A timeline event.

    Attributes:
        day: ISO day.
        at: moment, ISO 8601; empty if only the day is known.
        status: empty if the kind has none.
        title: what ends, for the end of a contract; by language, empty for other kinds.
        label: the status in words, by language; empty for kinds whose words the page has.
        new_day: requested delivery day, ISO.
        href: page about the event; empty if there is none.
    """

    kind: str
    day: str
    at: str
    ahead: bool
    status: str
    title: dict[str, str]
    label: dict[str, str]
    reference: str
    text: str
    detail: str
    asks: bool
    new_day: str
    href: str


@dataclass(frozen=True, slots=True)
class ClockView:
    """The next service; `job` is empty if there is none. Days are ISO.

    `due_km` is empty if only the day counts; `km_left` and `km_over` if the mileage is unknown. `start` is not empty if
    the service can be requested.
    """

    job: str = ""
    urgency: str = "later"
    due: str = ""
    due_km: str = ""
    km_left: str = ""
    km_over: str = ""
    days_left: int = 0
    months_left: int = 0
    years_left: int = 0
    days_over: int = 0
    last: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class WarrantyView:
    """The warranty; `until` is empty if there is none. Days are ISO.

    `days_left` is 0 after it has expired, the others as in `time_left`.
    """

    since: str = ""
    until: str = ""
    expired: bool = False
    days_left: int = 0
    months_left: int = 0
    years_left: int = 0


@dataclass(frozen=True, slots=True)
class BikeInsuranceView:
    """The last request for insurance; `status` is empty if there is none.

    `asks` says whether the insurer needs something from the customer. `until` is the last day on which insurance is
    offered; `start` is not empty if it can be requested. `document_id` is the product information document that the
    customer saw.
    """

    account: Account = EMPTY_ACCOUNT
    status: str = ""
    asks: bool = False
    until: str = ""
    start: str = ""
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document. `about` is the kind of its request; `path` is the address of the download."""

    kind: str
    number: str
    about: str
    day: str
    path: str


def timeline(entries: Sequence[TimelineEvent], order_number: str) -> list[TimelineEventView]:
    """Map timeline events, in the order of the provider."""
    return [_event_view(entry, order_number) for entry in entries]


def shown_at_once(entries: Sequence[TimelineEventView]) -> int:
    """Return how many events are shown at first. One or two further events are not collapsed."""
    ahead = sum(entry.ahead for entry in entries)
    return len(entries) if len(entries) <= ahead + SHOWN_AT_ONCE + 2 else ahead + SHOWN_AT_ONCE


class TimeLeft(TypedDict):
    """Days as people say them: `months_left` is 0 below two months, `years_left` below two years."""

    days_left: int
    months_left: int
    years_left: int


def time_left(days: int) -> TimeLeft:
    """What is left of a period, in whole days, rounded months and rounded years."""
    months = round(days / 30.44) if days >= 60 else 0
    return TimeLeft(days_left=max(days, 0), months_left=months, years_left=round(months / 12) if months >= 24 else 0)


def clock(known: ServiceClock | None, actions: Sequence[Feature]) -> ClockView:
    """Map the next service."""
    if known is None:
        return ClockView()
    left = known.km_left
    return ClockView(
        job=known.job.value,
        urgency=known.urgency.value,
        due=known.due_on.isoformat(),
        due_km="" if known.due_at_km is None else str(known.due_at_km),
        km_left=str(left) if left is not None and left > 0 else "",
        km_over=str(-left) if left is not None and left <= 0 else "",
        **time_left(known.days_left),
        days_over=max(-known.days_left, 0),
        last=known.last_on.isoformat() if known.last_on else "",
        start="yes" if Feature.SERVICE in actions else "",
    )


def warranty(home: BikeHome) -> WarrantyView:
    """Map the warranty; empty for a bike that has left."""
    known = home.warranty
    if known is None:
        return WarrantyView()
    return WarrantyView(
        since=known.since.isoformat(),
        until=known.until.isoformat(),
        expired=known.expired,
        **time_left(known.days_left),
    )


def insurance(home: BikeHome) -> BikeInsuranceView:
    """Map the last request for insurance, and the period in which insurance is offered."""
    offer = next((action for action in home.actions if action.feature is Feature.INSURANCE), None)
    offered = offer is not None and offer.opening is Opening.OPEN
    until = offer.until.isoformat() if offer and offered and offer.until else ""
    return _asked(home.insurance, until, "yes" if offered else "")


def document_views(documents: Sequence[BikeDocument]) -> list[DocumentView]:
    """Map the documents, newest first."""
    return [
        DocumentView(
            kind=document.kind.value,
            number=in_groups(document.number) if document.kind is BikeDocumentKind.REQUEST else document.number,
            about=document.about.value if document.about else "",
            day=document.day.isoformat(),
            path=_PATHS[document.kind].format(document.reference),
        )
        for document in sorted(documents, key=lambda document: document.day, reverse=True)
    ]


_PATHS = {
    BikeDocumentKind.INVOICE: "/files/invoices/{}.pdf",
    BikeDocumentKind.REQUEST: "/files/requests/{}.pdf",
    BikeDocumentKind.DATE_CHANGE: "/files/delivery-dates/{}.pdf",
    BikeDocumentKind.CALENDAR: "/files/deliveries/{}.ics",
}


def _event_view(entry: TimelineEvent, order_number: str) -> TimelineEventView:
    details = entry.details
    detail = details.get("km") or details.get("code") or details.get("type") or details.get("kind") or ""
    return TimelineEventView(
        kind=entry.kind.value,
        day=entry.day.isoformat(),
        at=entry.happened_at.isoformat() if entry.happened_at else "",
        ahead=entry.ahead,
        status=entry.status,
        title=dict(entry.title),
        label=dict(entry.label),
        reference=entry.reference,
        text=entry.text,
        detail=str(detail),
        asks=bool(details.get("asks")),
        new_day=str(details.get("new_day", "")),
        href=_page(entry, order_number),
    )


def _page(entry: TimelineEvent, order_number: str) -> str:
    """Address of the page about an event; empty if there is none."""
    if entry.kind in _REQUESTS:
        return request_path(entry.reference)
    if entry.kind is TimelineEventKind.ORDER:
        return f"/orders/{order_number}"
    if entry.kind is TimelineEventKind.DELIVERY:
        return f"/order-status/{order_number}"
    if entry.kind is TimelineEventKind.DATE_CHANGE:
        return f"/delivery-date/{order_number}"
    if entry.kind is TimelineEventKind.CONTRACT_END:
        return f"/contracts/{entry.details['contract']}"
    return_id = entry.details.get("return_id", "") if entry.kind is TimelineEventKind.RETURN else ""
    return f"/returns/{return_id}" if return_id else ""


def _asked(request: InsuranceRequest | None, until: str, start: str) -> BikeInsuranceView:
    if request is None:
        return BikeInsuranceView(until=until, start=start)
    return BikeInsuranceView(
        account=request.account,
        status=request.status.value,
        asks=request.asked or (request.status is InsuranceStatus.WAITING_FOR_INPUT and request.link_expires_at is None),
        until=until,
        start=start,
        document_id=request.document_id,
    )


_FLOW_PATHS = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: RETURN.path,
}
"""Addresses that take the bike as a parameter."""

_ORDER_PATHS = {
    Feature.ORDER_STATUS: "/order-status/{order}",
    Feature.TRACK_AND_TRACE: "/order-status/{order}",
    Feature.DELIVERY_DATE: "/delivery-date/{order}",
}
"""Addresses of pages about the order of the bike."""


def bike_actions(home: BikeHome) -> list[ActionView]:
    """Map the actions of the bike; an open one has an address, a closed one a reason."""
    return [_for_this_bike(action, home.bike) for action in home.actions]


def open_and_closed(actions: Sequence[ActionView]) -> tuple[list[ActionView], list[ActionView]]:
    """Split actions into open and closed ones, in the order of the provider."""
    startable = [action for action in actions if action.opening == Opening.OPEN]
    return startable, [action for action in actions if action.opening != Opening.OPEN]


def _for_this_bike(action: Action, bike: Bike) -> ActionView:
    view = action_view(action, [])
    if action.opening is Opening.OPEN:
        return replace(view, href=_target(action.feature, bike))
    if view.open_request and bike.open_request:
        return replace(view, open_request=request_path(bike.open_request))
    return view


def _target(feature: Feature, bike: Bike) -> str:
    """Address of an open action."""
    if feature in _FLOW_PATHS:
        return f"{_FLOW_PATHS[feature]}?bike={bike.bike_id}"
    if feature in _ORDER_PATHS:
        return _ORDER_PATHS[feature].format(order=bike.order_number)
    if feature is Feature.STATUS:
        # Without an open request: the list of all requests.
        return request_path(bike.open_request) if bike.open_request else "/maintenance"
    return contact_about(feature)
