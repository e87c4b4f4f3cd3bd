"""The addresses of the dashboard's buttons, and what its tiles say together."""

from __future__ import annotations

from datetime import date

from portal.contract.models import Action, Ongoing, OngoingKind
from portal.overview.api import Dashboard, FirstBike
from portal.overview.pages.views import buttons, tiles
from portal.vocabulary.actions import Feature, Opening, Reason
from portal.vocabulary.deliveries import DeliveryStatus


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
    assert [tile.open_request for tile in tiles(one)] == ["/maintenance/K7M3P9RT", ""]
    two = board.model_copy(update={"ongoing": [request("K7M3P9RT"), request("W9M3P9RT")]})
    assert [tile.open_request for tile in tiles(two)] == ["/maintenance", ""]
