"""Which tiles and buttons are open, and why not (part-1 §2 Dashboard)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.contract.models import Rank
from portal.kernel.codes import Code
from portal.overview.rules import BikeFacts, LineFacts, OrderFacts, decide, line_actions, place_of, rank_of
from portal.vocabulary.actions import BUTTONS, REASONS, TILES, Decision, Feature, Opening, Reason
from portal.vocabulary.deliveries import STUCK, DeliveryStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import WorkOrderStatus

DAY = date(2026, 5, 20)
ALL = frozenset(Feature)
BIKE = BikeFacts(frame_number_known=True, open_request=False, insured=False, insurable_until=DAY - timedelta(days=186))

ORDER = OrderFacts(
    features=ALL,
    return_until=DAY + timedelta(days=90),
    status=DeliveryStatus.ORDER_DELIVERED,
    has_tracking=False,
)

CANCELLED = replace(ORDER, return_until=None, status=DeliveryStatus.ORDER_CANCELLED)


def _decided(
    feature: Feature,
    bikes: list[BikeFacts] | None = None,
    orders: list[OrderFacts] | None = None,
    *,
    features: frozenset[Feature] = ALL,
    any_request: bool = False,
) -> Decision:
    return decide(features, bikes or [], orders or [], any_request=any_request, day=DAY)[feature]


def _is(decision: Decision, opening: Opening, reason: Reason | None = None) -> bool:
    return (decision.opening, decision.reason) == (opening, reason)


@pytest.mark.parametrize("feature", [Feature.REPAIR, Feature.SERVICE, Feature.CLAIM])
def test_repair_service_and_claim_need_a_bike_with_a_frame_number_and_no_open_request(feature: Feature) -> None:
    assert _is(_decided(feature, [BIKE]), Opening.OPEN)
    assert _is(_decided(feature, []), Opening.CLOSED, Reason.NO_BIKE)
    assert _is(_decided(feature, [replace(BIKE, open_request=True)]), Opening.CLOSED, Reason.REQUEST_OPEN)
    unknown = replace(BIKE, frame_number_known=False)
    assert _is(_decided(feature, [unknown]), Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN)
    assert _is(_decided(feature, [unknown, BIKE]), Opening.OPEN)
    assert _is(_decided(feature, [replace(BIKE, open_request=True), BIKE]), Opening.OPEN)


def test_an_open_request_is_a_stronger_reason_than_a_missing_frame_number() -> None:
    bikes = [replace(BIKE, frame_number_known=False), replace(BIKE, open_request=True)]
    assert _is(_decided(Feature.REPAIR, bikes), Opening.CLOSED, Reason.REQUEST_OPEN)


def test_a_claim_may_be_on_the_policy_of_another_insurer() -> None:
    assert _is(_decided(Feature.CLAIM, [BIKE]), Opening.OPEN)
    assert _is(_decided(Feature.CLAIM, [replace(BIKE, insured=True)]), Opening.OPEN)


def test_the_status_is_available_once_there_was_a_request() -> None:
    assert _is(_decided(Feature.STATUS), Opening.LATER, Reason.NO_REQUEST)
    assert _is(_decided(Feature.STATUS, any_request=True), Opening.OPEN)


@pytest.mark.parametrize(("days", "opening"), [(0, Opening.OPEN), (14, Opening.OPEN), (15, Opening.CLOSED)])
def test_insurance_is_offered_until_the_end_of_day_14(days: int, opening: Opening) -> None:
    bought = DAY - timedelta(days=days)
    decision = _decided(Feature.INSURANCE, [replace(BIKE, insurable_until=bought + timedelta(days=14))])
    assert decision.opening is opening
    assert decision.until == bought + timedelta(days=14)
    assert decision.reason is (None if opening is Opening.OPEN else Reason.INSURANCE_TERM_OVER)


def test_an_insured_bike_needs_no_insurance() -> None:
    insured = replace(BIKE, insured=True, insurable_until=DAY)
    assert _is(_decided(Feature.INSURANCE, [insured]), Opening.CLOSED, Reason.ALREADY_INSURED)
    assert _is(_decided(Feature.INSURANCE, [insured, replace(BIKE, insurable_until=DAY)]), Opening.OPEN)
    assert _is(_decided(Feature.INSURANCE), Opening.CLOSED, Reason.NO_BIKE)


@pytest.mark.parametrize(("days", "opening"), [(0, Opening.OPEN), (100, Opening.OPEN), (101, Opening.CLOSED)])
def test_a_return_is_accepted_until_the_end_of_day_100(days: int, opening: Opening) -> None:
    shipped = DAY - timedelta(days=days)
    decision = _decided(Feature.RETURN, orders=[replace(ORDER, return_until=shipped + timedelta(days=100))])
    assert decision.opening is opening
    assert decision.until == shipped + timedelta(days=100)


def test_a_return_needs_a_shipped_order_that_was_not_cancelled() -> None:
    assert _is(_decided(Feature.RETURN), Opening.CLOSED, Reason.NO_ORDER)
    assert _is(_decided(Feature.RETURN, orders=[replace(ORDER, return_until=None)]), Opening.CLOSED, Reason.NOT_SHIPPED)
    assert _is(_decided(Feature.RETURN, orders=[CANCELLED]), Opening.CLOSED, Reason.ORDER_CANCELLED)


def test_an_order_opens_only_what_is_switched_on_for_it() -> None:
    old = replace(ORDER, return_until=DAY - timedelta(days=200))
    new_without_returns = replace(ORDER, features=frozenset({Feature.REPAIR}))
    decision = _decided(Feature.RETURN, orders=[old, new_without_returns])
    assert _is(decision, Opening.CLOSED, Reason.OLDER_THAN_100_DAYS)


def test_track_and_trace_needs_a_parcel_on_its_way() -> None:
    assert _is(_decided(Feature.TRACK_AND_TRACE, orders=[ORDER]), Opening.CLOSED, Reason.NO_TRACKING)
    assert _is(_decided(Feature.TRACK_AND_TRACE, orders=[replace(ORDER, has_tracking=True)]), Opening.OPEN)


def test_the_delivery_date_can_be_moved_until_the_order_is_handed_over() -> None:
    here = replace(ORDER, status=DeliveryStatus.ORDER_ASSEMBLED)
    assert _is(_decided(Feature.DELIVERY_DATE, orders=[ORDER, here]), Opening.OPEN)
    assert _is(_decided(Feature.DELIVERY_DATE, orders=[ORDER]), Opening.CLOSED, Reason.ALREADY_HANDED_OVER)
    assert _is(_decided(Feature.DELIVERY_DATE), Opening.CLOSED, Reason.NO_ORDER)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (DeliveryStatus.DRIVER_ON_THE_WAY, Reason.ALREADY_HANDED_OVER),
        (DeliveryStatus.CUSTOMER_NOT_AT_HOME, Reason.ALREADY_HANDED_OVER),
        (DeliveryStatus.ORDER_READY_FOR_PICKUP, Reason.COLLECTED_IN_STORE),
        (DeliveryStatus.ORDER_PICKED_UP, Reason.COLLECTED_IN_STORE),
        (DeliveryStatus.ORDER_NOT_DELIVERED, Reason.DELIVERY_FAILED),
        (DeliveryStatus.ORDER_REFUSED_AT_DOOR, Reason.DELIVERY_FAILED),
        (DeliveryStatus.ORDER_CANCELLED, Reason.ORDER_CANCELLED),
        (None, Reason.NOT_OFFERED),
    ],
)
def test_a_delivery_that_cannot_be_moved_has_the_reason_of_its_status(
    status: DeliveryStatus | None, reason: Reason
) -> None:
    newest = replace(ORDER, status=status)
    assert _is(_decided(Feature.DELIVERY_DATE, orders=[newest]), Opening.CLOSED, reason)
    if reason is not Reason.ORDER_CANCELLED:
        assert _is(_decided(Feature.DELIVERY_DATE, orders=[newest, ORDER]), Opening.CLOSED, reason)


def test_a_cancelled_only_order_is_the_reason_for_every_closed_action() -> None:
    bought = replace(BIKE, insurable_until=DAY, gone=Reason.ORDER_CANCELLED)
    for bikes in ([], [bought]):
        decided = decide(ALL, bikes, [CANCELLED], any_request=False, day=DAY)
        for feature in set(decided) - {Feature.ORDER_STATUS, Feature.CUSTOMER_SERVICE, Feature.STATUS}:
            assert _is(decided[feature], Opening.CLOSED, Reason.ORDER_CANCELLED), feature
        assert decided[Feature.ORDER_STATUS].opening is Opening.OPEN
    another = decide(ALL, [bought, BIKE], [CANCELLED, ORDER], any_request=False, day=DAY)
    assert _is(another[Feature.REPAIR], Opening.OPEN)
    assert _is(another[Feature.SERVICE_PACKAGE], Opening.OPEN)
    assert _is(another[Feature.INSURANCE], Opening.CLOSED, Reason.INSURANCE_TERM_OVER)
    assert _is(another[Feature.DELIVERY_DATE], Opening.CLOSED, Reason.ALREADY_HANDED_OVER)


def test_a_bike_that_was_returned_opens_nothing() -> None:
    returned = replace(BIKE, insurable_until=DAY, gone=Reason.RETURNED)
    for feature in (Feature.REPAIR, Feature.SERVICE, Feature.CLAIM, Feature.SERVICE_PACKAGE, Feature.INSURANCE):
        assert _is(_decided(feature, [returned], [ORDER]), Opening.CLOSED, Reason.RETURNED)


def test_the_order_status_needs_an_order() -> None:
    assert _is(_decided(Feature.ORDER_STATUS), Opening.CLOSED, Reason.NO_ORDER)
    assert _is(_decided(Feature.ORDER_STATUS, orders=[CANCELLED]), Opening.OPEN)


def test_only_customer_service_is_open_without_features() -> None:
    decided = decide(frozenset(), [BIKE], [ORDER], any_request=True, day=DAY)
    assert decided.pop(Feature.CUSTOMER_SERVICE).opening is Opening.OPEN
    assert {(entry.opening, entry.reason) for entry in decided.values()} == {(Opening.CLOSED, Reason.NOT_OFFERED)}


BIKES = st.lists(
    st.builds(
        BikeFacts,
        frame_number_known=st.booleans(),
        open_request=st.booleans(),
        insured=st.booleans(),
        insurable_until=st.dates(DAY - timedelta(days=16), DAY + timedelta(days=14)),
        gone=st.sampled_from([None, Reason.ORDER_CANCELLED, Reason.RETURNED]),
    ),
    max_size=3,
)

ORDERS = st.lists(
    st.builds(
        OrderFacts,
        features=st.frozensets(st.sampled_from(Feature)),
        return_until=st.none() | st.dates(DAY - timedelta(days=10), DAY + timedelta(days=100)),
        status=st.none() | st.sampled_from(DeliveryStatus),
        has_tracking=st.booleans(),
    ),
    max_size=3,
)


@given(st.frozensets(st.sampled_from(Feature)), BIKES, ORDERS, st.booleans())
def test_every_action_has_a_decision_and_a_closed_one_a_reason_with_a_text(
    features: frozenset[Feature], bikes: list[BikeFacts], orders: list[OrderFacts], any_request: bool
) -> None:
    decided = decide(features, bikes, orders, any_request=any_request, day=DAY)
    assert list(decided) == [*TILES, *BUTTONS]
    for feature, decision in decided.items():
        assert decision.feature is feature
        assert (decision.reason is None) == (decision.opening is Opening.OPEN)
        assert decision.reason is None or REASONS[decision.reason]
        if decision.until and decision.opening is Opening.OPEN:
            assert decision.until >= DAY
        if decision.until and decision.opening is Opening.CLOSED:
            assert decision.until < DAY


@pytest.mark.parametrize("planned", [None, DAY, DAY + timedelta(days=1)])
def test_what_waits_for_the_customer_comes_first_whatever_the_day(planned: date | None) -> None:
    waiting = (*STUCK, DeliveryStatus.ORDER_READY_FOR_PICKUP, ReturnStatus.PENDING_CONFIRMATION)
    assert {rank_of(status, planned, DAY) for status in waiting} == {Rank.NEEDS_YOU}
    assert rank_of(DeliveryStatus.ORDER_ASSEMBLED, planned, DAY, waits=True) is Rank.NEEDS_YOU


def test_what_happens_today_comes_before_what_is_under_way() -> None:
    assert rank_of(DeliveryStatus.ORDER_ASSEMBLED, DAY, DAY) is Rank.TODAY
    assert rank_of(WorkOrderStatus.ACCEPTED, DAY, DAY) is Rank.TODAY
    assert rank_of(DeliveryStatus.DRIVER_ON_THE_WAY, None, DAY) is Rank.TODAY
    for planned in (None, DAY - timedelta(days=1), DAY + timedelta(days=1)):
        assert rank_of(DeliveryStatus.ORDER_ASSEMBLED, planned, DAY) is Rank.UNDER_WAY
        assert rank_of(None, planned, DAY) is Rank.UNDER_WAY


_ITEMS = st.tuples(
    st.sampled_from(Rank),
    st.none() | st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC)),
)


@given(st.lists(_ITEMS, max_size=12))
def test_ranks_stay_together_with_the_soonest_and_then_the_newest_first(items: list[tuple]) -> None:
    ordered = sorted(items, key=lambda item: place_of(*item))
    for (rank, planned, since), (next_rank, next_planned, next_since) in pairwise(ordered):
        assert list(Rank).index(rank) <= list(Rank).index(next_rank)
        if rank is next_rank:
            assert (planned or date.max) <= (next_planned or date.max)
            if planned == next_planned:
                assert since >= next_since


def test_a_line_without_a_bike_is_only_returned() -> None:
    assert line_actions(LineFacts(None), ALL) == [(Feature.RETURN, None)]
    assert line_actions(LineFacts(Code.ORDER_NOT_SHIPPED), ALL) == [(Feature.RETURN, Code.ORDER_NOT_SHIPPED)]


def test_a_line_of_several_bikes_is_open_as_soon_as_one_bike_allows_it() -> None:
    line = LineFacts(None, [Code.OPEN_WORK_ORDER_EXISTS, None], [Code.INSURANCE_EXISTS, Code.INSURANCE_TERM_OVER])
    assert line_actions(line, ALL) == [
        (Feature.RETURN, None),
        (Feature.REPAIR, None),
        (Feature.INSURANCE, Code.INSURANCE_EXISTS),
    ]


def test_a_line_shows_only_what_the_shop_offers_for_the_order() -> None:
    line = LineFacts(None, [None], [None])
    assert line_actions(line, frozenset({Feature.REPAIR})) == [(Feature.REPAIR, None)]
    assert line_actions(line, frozenset()) == []
