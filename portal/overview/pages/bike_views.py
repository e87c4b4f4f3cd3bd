"""One bike as its page shows it: timeline, next service, warranty, insurance, documents, actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portal.bikes.api import Bike
from portal.contract.models import Action
from portal.frontend.actions import ActionView, action_view, contact_about
from portal.insurance.api import InsuranceRequest
from portal.kernel.validation import in_groups
from portal.overview.api import BikeDocument, BikeDocumentKind, BikeHappening, BikeHome, HappeningKind, ServiceClock
from portal.returns.flow.returns import RETURN
from portal.service_packages.flow import SERVICE_PACKAGE
from portal.vocabulary.actions import Feature, Opening
from portal.vocabulary.insurance import InsuranceStatus
from portal.work_orders.flow.claim import CLAIM
from portal.work_orders.flow.repair import REPAIR
from portal.work_orders.flow.service import SERVICE
from portal.work_orders.pages.views import request_path

SHOWN_AT_ONCE = 8
"""Entries of the timeline before 'earlier' is pressed; what lies ahead is always shown."""

_DESCRIBED = (HappeningKind.REPAIR, HappeningKind.SERVICE, HappeningKind.CLAIM)


@dataclass(frozen=True, slots=True)
class TimelineEventView:
    """One entry of the timeline.

    Attributes:
        day, at: ISO day; the moment (ISO 8601), empty where only the day is known.
        ahead: it is planned.
        status: of its kind; empty when it has none.
        text: what a person wrote.
        detail: kilometres, package, kind of return, or the insurance that was asked for.
        asks: what an insurance waits for is something the insurer asked.
        new_day: the day that was asked for (ISO).
        href: the page about it; empty when there is none.
    """

    kind: str
    day: str
    at: str
    ahead: bool
    status: str
    reference: str
    text: str
    detail: str
    asks: bool
    new_day: str
    href: str


@dataclass(frozen=True, slots=True)
class ClockView:
    """The next service. Days ISO; `due_km` is empty where only the day counts, `km_left` where nothing is known."""

    job: str = ""
    urgency: str = "later"
    due: str = ""
    due_km: str = ""
    km_left: str = ""
    km_over: str = ""
    days_left: int = 0
    days_over: int = 0
    last: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class WarrantyView:
    """Days ISO; one of `days_left` and `days_over` is 0."""

    since: str = ""
    until: str = ""
    expired: bool = False
    days_left: int = 0


@dataclass(frozen=True, slots=True)
class BikeInsuranceView:
    """What was asked for last; `status` is empty while nothing was. `until`: how long insurance is offered.

    `asks`: what it waits for is something the insurer asked, not the link.
    """

    status: str = ""
    asks: bool = False
    type: str = ""
    insurer: str = ""
    premium: str = ""
    asked: str = ""
    note: str = ""
    until: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document. `about` is the kind of the request it tells of; `path` is where it is downloaded."""

    kind: str
    number: str
    about: str
    day: str
    path: str


def timeline(entries: Sequence[BikeHappening], order_number: str) -> list[TimelineEventView]:
    """Tell what happened, as the provider sorted it."""
    return [_event_view(entry, order_number) for entry in entries]


def shown_at_once(entries: Sequence[TimelineEventView]) -> int:
    """How many entries are shown before the earlier ones are asked for. Two or three more are not worth a press."""
    ahead = sum(entry.ahead for entry in entries)
    return len(entries) if len(entries) <= ahead + SHOWN_AT_ONCE + 2 else ahead + SHOWN_AT_ONCE


def clock(known: ServiceClock, actions: Sequence[Feature]) -> ClockView:
    """Tell the next service.

    Args:
        known: when it is due.
        actions: what can be started for this bike.
    """
    left = known.km_left
    return ClockView(
        job=known.job.value,
        urgency=known.urgency.value,
        due=known.due_on.isoformat(),
        due_km="" if known.due_at_km is None else str(known.due_at_km),
        km_left=str(left) if left is not None and left > 0 else "",
        km_over=str(-left) if left is not None and left <= 0 else "",
        days_left=max(known.days_left, 0),
        days_over=max(-known.days_left, 0),
        last=known.last_on.isoformat() if known.last_on else "",
        start="yes" if Feature.SERVICE in actions else "",
    )


def warranty(home: BikeHome) -> WarrantyView:
    """Tell the warranty."""
    known = home.warranty
    return WarrantyView(
        since=known.since.isoformat(),
        until=known.until.isoformat(),
        expired=known.expired,
        days_left=max(known.days_left, 0),
    )


def insurance(home: BikeHome) -> BikeInsuranceView:
    """Tell the insurance that was asked for, and how long one is offered."""
    offer = next((one for one in home.actions if one.feature is Feature.INSURANCE), None)
    offered = offer is not None and offer.opening is Opening.OPEN
    until = offer.until.isoformat() if offer and offered and offer.until else ""
    return _asked(home.insurance, until, "yes" if offered else "")


def document_views(documents: Sequence[BikeDocument]) -> list[DocumentView]:
    """Tell the documents, the newest first."""
    return [
        DocumentView(
            kind=one.kind.value,
            number=in_groups(one.number) if one.kind is BikeDocumentKind.REQUEST else one.number,
            about=one.about.value if one.about else "",
            day=one.day.isoformat(),
            path=_PATHS[one.kind].format(one.reference),
        )
        for one in sorted(documents, key=lambda one: one.day, reverse=True)
    ]


_PATHS = {
    BikeDocumentKind.INVOICE: "/files/invoices/{}.pdf",
    BikeDocumentKind.REQUEST: "/files/requests/{}.pdf",
    BikeDocumentKind.DATE_CHANGE: "/files/delivery-dates/{}.pdf",
    BikeDocumentKind.CALENDAR: "/files/deliveries/{}.ics",
}


def _event_view(entry: BikeHappening, order_number: str) -> TimelineEventView:
    details = entry.details
    detail = details.get("km") or details.get("code") or details.get("type") or details.get("kind") or ""
    return TimelineEventView(
        kind=entry.kind.value,
        day=entry.day.isoformat(),
        at=entry.happened_at.isoformat() if entry.happened_at else "",
        ahead=entry.ahead,
        status=entry.status,
        reference=entry.reference,
        text=entry.text,
        detail=str(detail),
        asks=bool(details.get("asks")),
        new_day=str(details.get("new_day", "")),
        href=_page(entry, order_number),
    )


def _page(entry: BikeHappening, order_number: str) -> str:
    """The page that says more about it."""
    if entry.kind in _DESCRIBED:
        return request_path(entry.reference)
    if entry.kind is HappeningKind.ORDER:
        return f"/orders/{order_number}"
    if entry.kind is HappeningKind.DELIVERY:
        return f"/order-status/{order_number}"
    if entry.kind is HappeningKind.DATE_CHANGE:
        return f"/delivery-date/{order_number}"
    return_id = entry.details.get("return_id", "") if entry.kind is HappeningKind.RETURN else ""
    return f"/returns/{return_id}" if return_id else ""


def _asked(request: InsuranceRequest | None, until: str, start: str) -> BikeInsuranceView:
    if request is None:
        return BikeInsuranceView(until=until, start=start)
    return BikeInsuranceView(
        status=request.status.value,
        asks=request.status is InsuranceStatus.WAITING_FOR_INPUT and request.link_expires_at is None,
        type=request.type.value,
        insurer=request.insurer.value if request.insurer else "",
        premium=str(request.premium) if request.premium is not None else "",
        asked=request.requested_at.isoformat(),
        note=request.note,
        until=until,
        start=start,
    )


_BEGINS = {
    Feature.REPAIR: REPAIR.path,
    Feature.SERVICE: SERVICE.path,
    Feature.CLAIM: CLAIM.path,
    Feature.SERVICE_PACKAGE: SERVICE_PACKAGE.path,
    Feature.INSURANCE: "/insurance-package",
    Feature.RETURN: RETURN.path,
}
"""Begins with this bike chosen (`?bike=`)."""

_OF_ITS_ORDER = {
    Feature.ORDER_STATUS: "/order-status/{order}",
    Feature.TRACK_AND_TRACE: "/order-status/{order}",
    Feature.DELIVERY_DATE: "/delivery-date/{order}",
}
"""Pages about the order that it came with."""


def bike_actions(home: BikeHome) -> list[ActionView]:
    """Everything that can be arranged for this bike; what is open leads there, what is closed says why."""
    return [_for_this_bike(action, home.bike) for action in home.actions]


def open_and_closed(actions: Sequence[ActionView]) -> tuple[list[ActionView], list[ActionView]]:
    """What can be started, and what cannot, each in the order of the provider."""
    startable = [action for action in actions if action.opening == Opening.OPEN]
    return startable, [action for action in actions if action.opening != Opening.OPEN]


def _for_this_bike(action: Action, bike: Bike) -> ActionView:
    view = action_view(action, [])
    return replace(view, href=_target(action.feature, bike)) if action.opening is Opening.OPEN else view


def _target(feature: Feature, bike: Bike) -> str:
    """Where an open action begins."""
    if feature in _BEGINS:
        return f"{_BEGINS[feature]}?bike={bike.bike_id}"
    if feature in _OF_ITS_ORDER:
        return _OF_ITS_ORDER[feature].format(order=bike.order_number)
    if feature is Feature.STATUS:
        # Without an open request, all earlier ones.
        return request_path(bike.open_request) if bike.open_request else "/maintenance"
    return contact_about(feature)
