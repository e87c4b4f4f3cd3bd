"""What staff do next with a case."""

import pytest

from portal.vocabulary import contracts, deliveries, insurance, returns, work_orders
from portal.vocabulary.cases import STATUSES_OF, STEP_ACTIONS, CaseKind, due_of, likeliest_first
from portal.vocabulary.status import TURNS, UNKNOWN, Turn
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

GRAPHS = (
    *work_orders.WORK_ORDERS.values(), returns.RETURNS, contracts.DECLARATIONS, insurance.INSURANCE_REQUESTS,
    deliveries.DATE_CHANGES, contracts.CONTRACT_ENDS,
)  # fmt: skip


def test_each_status_that_may_follow_another_has_its_action_and_no_other_has_one() -> None:
    following = {status.value for graph in GRAPHS for after in graph.transitions.values() for status in after}
    assert set(STEP_ACTIONS) == following


def test_the_likeliest_step_of_a_repair_comes_first_and_the_cancellation_last() -> None:
    graph, order = work_orders.WORK_ORDERS[RequestKind.REPAIR], {}
    for status in (WorkOrderStatus.IN_REPAIR, WorkOrderStatus.WAIT_FOR_OBJECT, WorkOrderStatus.WAIT_FOR_CUSTOMER):
        order[status.value] = likeliest_first(CaseKind.REPAIR, status.value, graph.following(status))
    assert order == {
        "in_repair": ["wait_for_customer", "wait_for_parts", "wait_for_repair_after_in_repair", "cancelled"],
        "wait_for_object": ["wait_for_repair", "in_repair", "accepted", "cancelled"],
        "wait_for_customer": ["completed", "done", "repair_continued"],
    }


OF_WORK = {"done", "cancelled"}
OF_RETURN = {"expired", "refund_processed", "rejected", "cancelled"}
ENDED = {
    CaseKind.REPAIR: OF_WORK,
    CaseKind.SERVICE: OF_WORK,
    CaseKind.CLAIM: OF_WORK,
    CaseKind.RETURN: OF_RETURN,
    CaseKind.BATTERY_ALARM: OF_RETURN,
    # A confirmed declaration goes on as a return.
    CaseKind.WITHDRAWAL: OF_RETURN | {"confirmed", "taken_back"},
    CaseKind.INSURANCE: {"cancelled", "finished"},
    CaseKind.DATE_CHANGE: {"accepted", "refused", "expired", "cancelled"},
    CaseKind.CONTRACT_END: {"processed", "taken_back"},
}


@pytest.mark.parametrize("kind", sorted(set(CaseKind) - {CaseKind.UNKNOWN}))
def test_every_open_status_says_how_long_it_may_last_and_who_acts_next(kind: CaseKind) -> None:
    dues = {str(status): due_of(kind, str(status)) for status in STATUSES_OF[kind] if status != UNKNOWN}
    assert {status for status, due in dues.items() if due is None} == ENDED[kind]
    assert all(due.days > 0 and TURNS[due.turn] for due in dues.values() if due)


def test_a_quote_waits_for_the_insurer_and_a_repaired_bike_for_its_owner() -> None:
    turns = {
        (kind, status): due.turn
        for kind, status in (
            (CaseKind.CLAIM, "accepted"), (CaseKind.REPAIR, "accepted"), (CaseKind.REPAIR, "wait_for_customer"),
            (CaseKind.RETURN, "RMA_order_received_at_DC"), (CaseKind.INSURANCE, "created"),
        )
        if (due := due_of(kind, status))
    }  # fmt: skip
    assert list(turns.values()) == [Turn.INSURER, Turn.PARTNER, Turn.CUSTOMER, Turn.STAFF, Turn.INSURER]
