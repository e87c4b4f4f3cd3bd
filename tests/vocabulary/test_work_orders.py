"""How a work order goes on, in every kind and both languages (part-1 §4)."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.vocabulary.work_orders import (
    CLOSED_WORK_ORDER,
    PHASES,
    WORK_ORDERS,
    RequestKind,
    WorkOrderStatus,
    phase,
    without_news,
)

KINDS = sorted(WORK_ORDERS)
STATUSES = [status for status in WorkOrderStatus if status is not WorkOrderStatus.UNKNOWN]
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS)
def test_every_status_is_in_the_graph_and_only_closed_ones_end_it(kind: RequestKind) -> None:
    graph = WORK_ORDERS[kind]
    assert graph.start is WorkOrderStatus.NEW
    assert graph.statuses == set(STATUSES)
    assert graph.ends == {WorkOrderStatus.DONE, WorkOrderStatus.CANCELLED}
    assert graph.ends < CLOSED_WORK_ORDER
    assert all(graph.after(status) <= CLOSED_WORK_ORDER for status in CLOSED_WORK_ORDER), "never opened again"


@given(st.sampled_from(KINDS), st.data())
def test_any_walk_along_the_graph_comes_to_an_end_when_it_wants_to(kind: RequestKind, data: st.DataObject) -> None:
    graph, status = WORK_ORDERS[kind], WorkOrderStatus.NEW
    for _step in range(30):
        following = graph.following(status)
        if not following:
            break
        assert phase(kind, status) is not None
        status = data.draw(st.sampled_from(following))
    assert status in graph.ends or graph.after(status) & graph.ends


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_of_a_bike_that_is_repaired_goes_through_every_phase(kind: RequestKind) -> None:
    way = [
        WorkOrderStatus.NEW,
        WorkOrderStatus.ACCEPTED,
        WorkOrderStatus.WAIT_FOR_OBJECT,
        WorkOrderStatus.WAIT_FOR_REPAIR,
        WorkOrderStatus.IN_REPAIR,
        WorkOrderStatus.WAIT_FOR_CUSTOMER,
        WorkOrderStatus.COMPLETED,
        WorkOrderStatus.DONE,
    ]
    assert all(WORK_ORDERS[kind].allows(before, after) for before, after in itertools.pairwise(way))
    phases = [phase(kind, status) for status in way]
    assert phases == sorted(phases, key=lambda entry: -1 if entry is None else entry)
    assert set(phases) == set(range(len(PHASES[kind]) + 1))


def test_a_cancelled_or_unknown_one_has_no_phase() -> None:
    assert phase(RequestKind.REPAIR, WorkOrderStatus.CANCELLED) is None
    assert phase(RequestKind.REPAIR, WorkOrderStatus.UNKNOWN) is None
    assert phase(RequestKind.UNKNOWN, WorkOrderStatus.NEW) is None


@pytest.mark.parametrize(
    ("status", "ago", "asked"),
    [
        (WorkOrderStatus.WAIT_FOR_PARTS, timedelta(days=21), True),
        (WorkOrderStatus.WAIT_FOR_PARTS, timedelta(days=21, seconds=-1), False),
        (WorkOrderStatus.DONE, timedelta(days=300), False),
    ],
)
def test_after_three_weeks_without_news_it_is_time_to_ask(status: WorkOrderStatus, ago: timedelta, asked: bool) -> None:
    assert without_news(status, NOW - ago, NOW) is asked
