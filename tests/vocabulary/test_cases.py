"""What staff do next with a case."""

from portal.vocabulary import work_orders
from portal.vocabulary.cases import CaseKind, due_of, likeliest_first
from portal.vocabulary.status import Turn
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus


def test_the_likeliest_step_of_a_repair_comes_first_and_the_cancellation_last() -> None:
    graph, order = work_orders.WORK_ORDERS[RequestKind.REPAIR], {}
    for status in (WorkOrderStatus.IN_REPAIR, WorkOrderStatus.WAIT_FOR_OBJECT, WorkOrderStatus.WAIT_FOR_CUSTOMER):
        order[status.value] = likeliest_first(CaseKind.REPAIR, status.value, graph.following(status))
    assert order == {
        "in_repair": ["wait_for_customer", "wait_for_parts", "wait_for_repair_after_in_repair", "cancelled"],
        "wait_for_object": ["wait_for_repair", "in_repair", "accepted", "cancelled"],
        "wait_for_customer": ["completed", "done", "repair_continued"],
    }


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
