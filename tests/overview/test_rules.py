"""Which tiles and buttons are open, and why not (part-1 §2 Dashboard)."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.contract.models import Rank
from portal.kernel.codes import Code
from portal.overview.rules import BikeDoorFacts, LineFacts, OrderFacts, decide, line_actions, place_of, rank_of
from portal.vocabulary.actions import BUTTONS, REASONS, TILES, Decision, Feature, Opening, Reason
from portal.vocabulary.deliveries import STUCK, DeliveryStatus
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.work_orders import WorkOrderStatus

DAY = date(2026, 5, 20)
ALL = frozenset(Feature)
WORK = [Feature.REPAIR, Feature.SERVICE, Feature.CLAIM]
BIKE = BikeDoorFacts(
    frame_number_known=True, open_request=False, insured=False, insurable_until=DAY - timedelta(days=186)
)

ORDER = OrderFacts(
    features=ALL, return_until=DAY + timedelta(days=90), status=DeliveryStatus.ORDER_DELIVERED, has_tracking=False
)

CANCELLED = replace(ORDER, return_until=None, status=DeliveryStatus.ORDER_CANCELLED)


def _is(decision: Decision, opening: Opening, reason: Reason | None = None) -> bool:
    return (decision.opening, decision.reason) == (opening, reason)


UNKNOWN, BUSY, RETURNED = (
    replace(BIKE, frame_number_known=False),
    replace(BIKE, open_request=True),
    replace(BIKE, insurable_until=DAY, gone=Reason.RETURNED),
)
INSURED = replace(BIKE, insured=True, insurable_until=DAY)
NEW = replace(UNKNOWN, insurable_until=DAY)
HERE = replace(ORDER, status=DeliveryStatus.ORDER_ASSEMBLED)


@pytest.mark.parametrize(
    ("features", "bikes", "orders", "reason"),
    [
        (WORK, [BIKE], [], None),
        (WORK, [UNKNOWN, BIKE], [], None),
        (WORK, [BUSY, BIKE], [], None),
        (WORK, [], [], Reason.NO_BIKE),
        (WORK, [BUSY], [], Reason.REQUEST_OPEN),
        (WORK, [UNKNOWN], [], Reason.FRAME_NUMBER_UNKNOWN),
        (WORK, [UNKNOWN, BUSY], [], Reason.REQUEST_OPEN),
        ([Feature.CLAIM], [replace(BIKE, insured=True)], [], None),
        ([*WORK, Feature.SERVICE_PACKAGE, Feature.INSURANCE], [RETURNED], [ORDER], Reason.RETURNED),
        ([Feature.INSURANCE], [INSURED], [], Reason.ALREADY_INSURED),
        ([Feature.INSURANCE], [INSURED, replace(BIKE, insurable_until=DAY)], [], None),
        ([Feature.INSURANCE], [], [], Reason.NO_BIKE),
        ([Feature.SERVICE_PACKAGE, Feature.INSURANCE], [NEW], [], Reason.FRAME_NUMBER_UNKNOWN),
        ([Feature.SERVICE_PACKAGE, Feature.INSURANCE], [NEW, replace(BIKE, insurable_until=DAY)], [], None),
        ([Feature.INSURANCE], [NEW, INSURED], [], Reason.FRAME_NUMBER_UNKNOWN),
        ([Feature.RETURN], [], [], Reason.NO_ORDER),
        ([Feature.RETURN], [], [replace(ORDER, return_until=None)], Reason.NOT_SHIPPED),
        ([Feature.RETURN], [], [CANCELLED], Reason.ORDER_CANCELLED),
        # An order opens only what is switched on for it.
        (
            [Feature.RETURN],
            [],
            [replace(ORDER, return_until=DAY - timedelta(days=200)), replace(ORDER, features=frozenset())],
            Reason.OLDER_THAN_100_DAYS,
        ),
        ([Feature.TRACK_AND_TRACE], [], [ORDER], Reason.NO_TRACKING),
        ([Feature.TRACK_AND_TRACE], [], [replace(ORDER, has_tracking=True)], None),
        ([Feature.DELIVERY_DATE, Feature.ORDER_STATUS], [], [], Reason.NO_ORDER),
        ([Feature.DELIVERY_DATE], [], [ORDER, HERE], None),
        ([Feature.ORDER_STATUS], [], [CANCELLED], None),
        ([Feature.DELIVERY_DATE], [], [CANCELLED], Reason.ORDER_CANCELLED),
        *(
            ([Feature.DELIVERY_DATE], [], [replace(ORDER, status=status), *further], reason)
            for further in ([], [ORDER])
            for status, reason in (
                (DeliveryStatus.ORDER_DELIVERED, Reason.ALREADY_HANDED_OVER),
                (DeliveryStatus.DRIVER_ON_THE_WAY, Reason.ALREADY_HANDED_OVER),
                (DeliveryStatus.CUSTOMER_NOT_AT_HOME, Reason.ALREADY_HANDED_OVER),
                (DeliveryStatus.ORDER_READY_FOR_PICKUP, Reason.COLLECTED_IN_STORE),
                (DeliveryStatus.ORDER_PICKED_UP, Reason.COLLECTED_IN_STORE),
                (DeliveryStatus.ORDER_NOT_DELIVERED, Reason.DELIVERY_FAILED),
                (DeliveryStatus.ORDER_REFUSED_AT_DOOR, Reason.DELIVERY_FAILED),
                (None, Reason.NOT_OFFERED),
            )
        ),
    ],
)
def test_what_bikes_and_orders_allow(
    features: list[Feature], bikes: list[BikeDoorFacts], orders: list[OrderFacts], reason: Reason | None
) -> None:
    decided = decide(ALL, bikes, orders, any_request=False, day=DAY)
    for feature in features:
        assert _is(decided[feature], Opening.CLOSED if reason else Opening.OPEN, reason), feature


@pytest.mark.parametrize("any_request", [False, True])
def test_the_status_is_available_once_there_was_a_request(any_request: bool) -> None:
    decided = decide(ALL, [], [], any_request=any_request, day=DAY)[Feature.STATUS]
    later = (Opening.LATER, Reason.NO_REQUEST)
    assert (decided.opening, decided.reason) == ((Opening.OPEN, None) if any_request else later)


@pytest.mark.parametrize(
    ("feature", "reason"),
    [(Feature.INSURANCE, Reason.INSURANCE_TERM_OVER), (Feature.RETURN, Reason.OLDER_THAN_100_DAYS)],
)
@pytest.mark.parametrize("left", [14, 0, -1])
def test_insurance_and_returns_are_offered_until_the_end_of_their_last_day(
    feature: Feature, reason: Reason, left: int
) -> None:
    until = DAY + timedelta(days=left)
    bike, order = replace(BIKE, insurable_until=until), replace(ORDER, return_until=until)
    decision = decide(ALL, [bike], [order], any_request=False, day=DAY)[feature]
    assert decision.until == until
    assert _is(decision, Opening.OPEN) if left >= 0 else _is(decision, Opening.CLOSED, reason)


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


def test_only_customer_service_is_open_without_features() -> None:
    decided = decide(frozenset(), [BIKE], [ORDER], any_request=True, day=DAY)
    assert decided.pop(Feature.CUSTOMER_SERVICE).opening is Opening.OPEN
    assert {(entry.opening, entry.reason) for entry in decided.values()} == {(Opening.CLOSED, Reason.NOT_OFFERED)}


BIKES = st.lists(
    st.builds(
        BikeDoorFacts,
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
    features: frozenset[Feature], bikes: list[BikeDoorFacts], orders: list[OrderFacts], any_request: bool
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
