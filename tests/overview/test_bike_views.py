"""Views of the page of a bike: actions, timeline, service, insurance, documents."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from portal.contract.models import Action
from portal.overview.api import BikeHome, TimelineEvent
from portal.overview.pages.bike_views import (
    bike_actions,
    clock,
    document_views,
    insurance,
    open_and_closed,
    shown_at_once,
    timeline,
)
from portal.vocabulary.actions import Feature, Opening, Reason
from tests.bikes.test_views import a_bike

CLOCK = {"job": "1", "urgency": "later", "due_on": "2026-11-01", "due_at_km": 500, "days_left": 40}
WARRANTY = {"since": "2026-06-01", "until": "2028-06-01", "expired": False, "days_left": 500}

INSURANCE = {
    "account": {"reference": "I1", "title": {}, "status": {"nl": "Wacht", "en": "Waits"}},
    "reference": "I1", "bike_id": "B234567890", "type": "theft", "insurer": "kettingzeker", "premium": "9.62",
    "status": "waiting_for_input", "requested_at": "2026-06-01T10:00:00Z",
}  # fmt: skip


def a_home(**values: Any) -> BikeHome:
    """Make the page data of a bike with the given values."""
    bike = a_bike().model_dump(mode="json") | values.pop("bike", {})
    plain = {"bike": bike, "warranty": WARRANTY, "clock": CLOCK, "timeline": [], "documents": [], "actions": []}
    return BikeHome.model_validate(plain | values)


def test_an_open_action_has_an_address_with_the_bike_or_its_order() -> None:
    home = a_home(actions=[Action(feature=feature, opening=Opening.OPEN) for feature in Feature])
    found = {action.feature: action.href for action in bike_actions(home)}
    assert found == {
        "repair": "/repair-request?bike=B234567890",
        "service": "/service-request?bike=B234567890",
        "claim": "/claim-request?bike=B234567890",
        "status": "/maintenance",
        "service_package": "/service-package?bike=B234567890",
        "insurance": "/insurance-package?bike=B234567890",
        "return": "/return-request?bike=B234567890",
        "order_status": f"/order-status/{home.bike.order_number}",
        "track_and_trace": f"/order-status/{home.bike.order_number}",
        "delivery_date": f"/delivery-date/{home.bike.order_number}",
        "customer_service": "/contact",
    }


def test_the_status_is_that_of_the_open_request() -> None:
    home = a_home(bike={"open_request": "S1"}, actions=[Action(feature=Feature.STATUS, opening=Opening.OPEN)])
    assert bike_actions(home)[0].href == "/maintenance/S1"


def test_closed_actions_are_separate_and_have_a_reason() -> None:
    closed = Action(feature=Feature.REPAIR, opening=Opening.CLOSED, reason=Reason.REQUEST_OPEN)
    later = Action(feature=Feature.STATUS, opening=Opening.LATER, reason=Reason.NO_REQUEST)
    openable, others = open_and_closed(
        bike_actions(a_home(actions=[closed, Action(feature=Feature.CLAIM, opening=Opening.OPEN), later]))
    )
    assert [action.feature for action in openable] == ["claim"]
    assert [(action.feature, action.reason, action.href) for action in others] == [
        ("repair", "request_open", ""),
        ("status", "no_request", ""),
    ]


def timeline_event(**values: Any) -> TimelineEvent:
    """Make a timeline event with the given values."""
    plain = {"kind": "order", "day": date(2026, 6, 1), "happened_at": datetime(2026, 6, 1, 10, tzinfo=UTC)}
    return TimelineEvent.model_validate(plain | values)


@pytest.mark.parametrize(
    ("kind", "details", "href", "detail"),
    [
        ("order", {}, "/orders/900000001", ""),
        ("delivery", {}, "/order-status/900000001", ""),
        ("date_change", {"new_day": "2026-06-09"}, "/delivery-date/900000001", ""),
        ("repair", {}, "/maintenance/R1", ""),
        ("service", {}, "/maintenance/R1", ""),
        ("claim", {}, "/maintenance/R1", ""),
        ("return", {"kind": "exchange", "return_id": "ABC"}, "/returns/ABC", "exchange"),
        ("return", {"kind": "exchange"}, "", "exchange"),
        ("insurance", {"type": "theft", "insurer": "kettingzeker"}, "", "theft"),
        ("service_package", {"code": "SERVICE31"}, "", "SERVICE31"),
        ("mileage", {"km": "512.4"}, "", "512.4"),
        ("warranty", {}, "", ""),
    ],
)
def test_a_timeline_event_links_to_its_page(kind: str, details: dict[str, str], href: str, detail: str) -> None:
    shown = timeline([timeline_event(kind=kind, reference="R1", details=details)], "900000001")[0]
    assert (shown.href, shown.detail) == (href, detail)
    assert shown.new_day == details.get("new_day", "")
    assert shown.at == "2026-06-01T10:00:00+00:00"


def test_a_long_timeline_is_split_and_shows_all_future_events() -> None:
    past, ahead = timeline_event(), timeline_event(ahead=True, happened_at=None)
    events = timeline([ahead, ahead, *[past] * 30], "900000001")
    assert shown_at_once(events) == 10
    assert shown_at_once(timeline([past] * 10, "900000001")) == 10, "two further events are not collapsed"
    assert events[0].at == ""


@pytest.mark.parametrize(
    ("values", "left", "over"),
    [({"km_left": 88}, "88", ""), ({"km_left": 0}, "", "0"), ({"km_left": -12}, "", "12"), ({}, "", "")],
)
def test_the_service_clock_counts_down_and_beyond(values: dict[str, int], left: str, over: str) -> None:
    shown = clock(a_home(clock=CLOCK | values | {"days_left": -3}).clock, [Feature.SERVICE])
    assert (shown.km_left, shown.km_over, shown.days_left, shown.days_over) == (left, over, 0, 3)
    assert shown.start
    assert not clock(a_home().clock, []).start, "a service that cannot be requested has no link"


def test_the_insurance_has_the_last_request_and_the_last_day_of_the_offer() -> None:
    offer = Action(feature=Feature.INSURANCE, opening=Opening.OPEN, until=date(2026, 6, 15))
    shown = insurance(a_home(insurance=INSURANCE, actions=[offer]))
    assert (shown.status, shown.account.status.nl, shown.until) == ("waiting_for_input", "Wacht", "2026-06-15")
    nothing = insurance(a_home())
    assert (nothing.status, nothing.until, nothing.start) == ("", "", "")


@pytest.mark.parametrize(
    ("values", "asks"),
    [({}, True), ({"link_expires_at": "2026-06-02T10:00:00Z"}, False), ({"status": "created"}, False)],
)
def test_an_insurance_that_waits_without_a_link_waits_for_an_answer(values: dict[str, str], asks: bool) -> None:
    assert insurance(a_home(insurance=INSURANCE | values)).asks is asks
    entry = timeline_event(kind="insurance", status="waiting_for_input", details={"asks": "insurer"} if asks else {})
    assert timeline([entry], "900000001")[0].asks is asks


def test_documents_are_newest_first_and_have_a_download_address() -> None:
    found = document_views(
        a_home(
            documents=[
                {"kind": "invoice", "reference": "INV1", "number": "F-1", "day": "2026-06-01"},
                {"kind": "request", "reference": "R1", "number": "R1", "day": "2026-06-05", "about": "repair"},
                {"kind": "date_change", "reference": "900000001", "number": "900000001", "day": "2026-06-03"},
                {"kind": "calendar", "reference": "900000001", "number": "900000001", "day": "2026-06-09"},
                {"kind": "hologram", "reference": "H1", "number": "H1", "day": "2026-06-09"},
            ]
        ).documents
    )
    assert [document.path for document in found] == [
        "/files/deliveries/900000001.ics",
        "/files/requests/R1.pdf",
        "/files/delivery-dates/900000001.pdf",
        "/files/invoices/INV1.pdf",
    ]
    assert [document.about for document in found] == ["", "repair", "", ""]
