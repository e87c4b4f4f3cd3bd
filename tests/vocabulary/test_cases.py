"""What staff do next with a case."""

from portal.vocabulary import contracts, deliveries, insurance, returns, withdrawals, work_orders
from portal.vocabulary.cases import STEP_ACTIONS, CaseKind, likeliest_first
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus

GRAPHS = (
    *work_orders.WORK_ORDERS.values(), returns.RETURNS, withdrawals.DECLARATIONS, insurance.INSURANCE_REQUESTS,
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
