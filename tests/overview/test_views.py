"""What the pages compute: addresses of actions, tiles, how much of the timeline is open, deadlines."""

from datetime import date, timedelta
from typing import Any

import pytest

from portal.bikes.api import Bike
from portal.contract.models import Action, Ongoing, OngoingKind
from portal.frontend.models import viewed
from portal.kernel.days import now
from portal.overview.api import BikeHome, Dashboard, FirstBike, TimelineEvent, TimelineEventKind
from portal.overview.pages.views import OngoingEntry, TimeLeft, bike_actions, buttons, shown_at_once, tiles, time_left
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind


def a_home(**values: Any) -> BikeHome:
    day = date(2026, 6, 1)
    bike = Bike(
        bike_id="B234567890", name="Noordveld Horizon 5", brand="Noordveld", kind=ItemKind.E_BIKE, color="blauw",
        color_code="#123456", frame_number="NVH172080", order_number="900000001", order_date=day, warranty_until=day,
        warranty_expired=False, open_request=values.pop("open_request", None),
    )  # fmt: skip
    return BikeHome.model_validate({"bike": bike, "timeline": [], "documents": [], "actions": []} | values)


def test_an_open_action_has_an_address_with_the_bike_or_its_order() -> None:
    home = a_home(actions=[Action(feature=feature, opening=Opening.OPEN) for feature in Feature])
    found = {action.feature: action.href for action in bike_actions(home)[0]}
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
    home = a_home(open_request="S1", actions=[Action(feature=Feature.STATUS, opening=Opening.OPEN)])
    assert bike_actions(home)[0][0].href == "/maintenance/S1"


def test_closed_actions_are_separate_and_have_a_reason() -> None:
    closed = Action(feature=Feature.REPAIR, opening=Opening.CLOSED, reason=Reason.REQUEST_OPEN)
    later = Action(feature=Feature.STATUS, opening=Opening.LATER, reason=Reason.NO_REQUEST)
    claim = Action(feature=Feature.CLAIM, opening=Opening.OPEN)
    openable, others = bike_actions(a_home(actions=[closed, claim, later]))
    assert [action.feature for action in openable] == ["claim"]
    assert [(action.feature, action.reason, action.href) for action in others] == [
        ("repair", "request_open", ""),
        ("status", "no_request", ""),
    ]


def test_a_long_timeline_is_split_and_shows_all_future_events() -> None:
    past, ahead = (
        TimelineEvent(kind=TimelineEventKind.ORDER, day=date(2026, 6, 1), ahead=ahead) for ahead in (False, True)
    )
    assert shown_at_once([ahead, ahead, *[past] * 30]) == 10
    assert shown_at_once([past] * 10) == 10, "two further events are not collapsed"


@pytest.mark.parametrize(
    ("days", "left"),
    [
        (-3, (3, 0, 0)),
        (-695, (695, 23, 0)),
        (59, (59, 0, 0)),
        (60, (60, 2, 0)),
        (700, (700, 23, 0)),
        (730, (730, 24, 2)),
    ],
)
def test_what_is_left_or_overdue_is_said_in_days_then_months_then_years(days: int, left: tuple[int, int, int]) -> None:
    assert time_left(days) == TimeLeft(*left)


@pytest.mark.parametrize(("days", "nearness"), [(None, ""), (-1, ""), (0, "today"), (1, "tomorrow"), (2, "")])
def test_a_deadline_of_today_or_tomorrow_is_near(days: int | None, nearness: str) -> None:
    before = None if days is None else now() + timedelta(days=days)
    waiting = Ongoing(kind=OngoingKind.INSURANCE, reference="I1", name="Zilt", since=date(2026, 6, 1), before=before)
    assert viewed(OngoingEntry, waiting).nearness == nearness


def test_an_order_action_leads_to_the_only_matching_order() -> None:
    def delivery(number: str, status: DeliveryStatus) -> Ongoing:
        return Ongoing(
            kind=OngoingKind.DELIVERY, reference=number, name="x", delivery_status=status, since=date(2026, 6, 1)
        )

    board = Dashboard(
        first_name="Sanne",
        has_features=True,
        actions=[
            Action(feature=Feature.ORDER_STATUS, opening=Opening.OPEN),
            Action(feature=Feature.TRACK_AND_TRACE, opening=Opening.OPEN),
            Action(feature=Feature.DELIVERY_DATE, opening=Opening.OPEN),
        ],
        ongoing=[
            delivery("900000031", DeliveryStatus.ORDER_BEING_PROCESSED),
            delivery("900000021", DeliveryStatus.DRIVER_ON_THE_WAY),
        ],
    )
    paths = [action.href for action in buttons(board)]
    assert paths == ["/orders", "/order-status/900000021", "/delivery-date/900000031"]
    single = board.model_copy(update={"ongoing": board.ongoing[:1]})
    paths = [action.href for action in buttons(single)]
    assert paths == ["/order-status/900000031", "/orders", "/delivery-date/900000031"]
    resting = board.model_copy(update={"ongoing": []})
    assert [action.href for action in buttons(resting)] == ["/orders"] * 3


def _board(*actions: Action) -> Dashboard:
    return Dashboard(first_name="Joris", has_features=True, actions=list(actions), ongoing=[])


def _closed(feature: Feature, reason: Reason, until: date | None = None) -> Action:
    return Action(feature=feature, opening=Opening.CLOSED, reason=reason, until=until)


def test_an_unknown_frame_number_leads_to_the_bikes_and_on_the_page_of_one_nowhere() -> None:
    (tile,) = tiles(_board(_closed(Feature.REPAIR, Reason.FRAME_NUMBER_UNKNOWN)))
    assert tile.remedy == "/bikes"
    (own,) = bike_actions(a_home(actions=[_closed(Feature.REPAIR, Reason.FRAME_NUMBER_UNKNOWN)]))[1]
    assert own.remedy == ""


def test_what_is_closed_for_one_reason_says_it_once() -> None:
    board = _board(
        _closed(Feature.REPAIR, Reason.REQUEST_OPEN),
        _closed(Feature.SERVICE, Reason.REQUEST_OPEN),
        _closed(Feature.CLAIM, Reason.REQUEST_OPEN),
        Action(feature=Feature.STATUS, opening=Opening.OPEN),
        Action(feature=Feature.SERVICE_PACKAGE, opening=Opening.OPEN),
        _closed(Feature.INSURANCE, Reason.INSURANCE_TERM_OVER, date(2026, 5, 14)),
    )
    shown = [(tile.feature, *tile.others) for tile in tiles(board)]
    assert shown == [("status",), ("service_package",), ("repair", "service", "claim"), ("insurance",)]


def test_before_the_first_bike_nothing_is_closed_for_what_has_not_come() -> None:
    board = _board(
        _closed(Feature.RETURN, Reason.NOT_SHIPPED),
        Action(feature=Feature.ORDER_STATUS, opening=Opening.OPEN),
        _closed(Feature.TRACK_AND_TRACE, Reason.NO_TRACKING),
        Action(feature=Feature.DELIVERY_DATE, opening=Opening.OPEN),
    )
    assert len(buttons(board)) == 4
    for movable, shown in ((True, ["order_status"]), (False, ["order_status", "delivery_date"])):
        first = FirstBike(order_number="900000004", movable=movable, insurable_until=None, package=False)
        waiting = board.model_copy(update={"first_bike": first})
        assert [button.feature for button in buttons(waiting)] == shown


def test_reasons_of_different_days_stay_apart() -> None:
    days = (date(2026, 5, 14), date(2026, 6, 1))
    board = _board(
        *(
            _closed(feature, Reason.INSURANCE_TERM_OVER, day)
            for feature, day in zip((Feature.CLAIM, Feature.INSURANCE), days, strict=True)
        )
    )
    assert [tile.others for tile in tiles(board)] == [[], []]


def test_a_tile_that_a_request_closes_leads_to_it() -> None:
    def request(reference: str) -> Ongoing:
        return Ongoing(kind=OngoingKind.REQUEST, reference=reference, name="x", since=date(2026, 6, 1))

    board = _board(_closed(Feature.REPAIR, Reason.REQUEST_OPEN), _closed(Feature.INSURANCE, Reason.INSURANCE_TERM_OVER))
    one = board.model_copy(update={"ongoing": [request("K7M3P9RT")]})
    assert [tile.remedy for tile in tiles(one)] == ["/maintenance/K7M3P9RT", ""]
    two = board.model_copy(update={"ongoing": [request("K7M3P9RT"), request("W9M3P9RT")]})
    assert [tile.remedy for tile in tiles(two)] == ["/maintenance", ""]
