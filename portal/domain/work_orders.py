"""How a work order goes on: its graph, its phases, and what each status means to the customer (part-1 §4)."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from portal.domain.marks import N_
from portal.domain.status_graph import StatusGraph, moves
from portal.domain.statuses import CLOSED_WORK_ORDER, WORK_ORDER_MEANINGS, RequestKind, WorkOrderStatus

_S = WorkOrderStatus

_COMMON: dict[WorkOrderStatus, tuple[WorkOrderStatus, ...]] = {
    _S.NEW: (_S.ACCEPTED, _S.CANCELLED),
    # The bike comes later, is there already, or has to wait for parts first.
    _S.ACCEPTED: (_S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR, _S.WAIT_FOR_PARTS, _S.CANCELLED),
    # Back to accepted: the appointment did not go through, a new one is made.
    _S.WAIT_FOR_OBJECT: (_S.ACCEPTED, _S.WAIT_FOR_REPAIR, _S.IN_REPAIR, _S.CANCELLED),
    _S.WAIT_FOR_REPAIR: (_S.IN_REPAIR, _S.WAIT_FOR_PARTS, _S.CANCELLED),
    _S.IN_REPAIR: (_S.WAIT_FOR_PARTS, _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR, _S.WAIT_FOR_CUSTOMER, _S.CANCELLED),
    _S.WAIT_FOR_PARTS: (
        _S.WAIT_FOR_OBJECT,
        _S.WAIT_FOR_REPAIR,
        _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR,
        _S.REPAIR_CONTINUED,
        _S.CANCELLED,
    ),
    _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: (_S.WAIT_FOR_OBJECT, _S.WAIT_FOR_PARTS, _S.REPAIR_CONTINUED, _S.CANCELLED),
    _S.REPAIR_CONTINUED: (
        _S.WAIT_FOR_PARTS,
        _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR,
        _S.WAIT_FOR_CUSTOMER,
        _S.CANCELLED,
    ),
    # Back to the repair: something was found that is not right yet.
    _S.WAIT_FOR_CUSTOMER: (_S.REPAIR_CONTINUED, _S.COMPLETED, _S.DONE),
    _S.COMPLETED: (_S.DONE,),
    _S.DONE: (),
    _S.CANCELLED: (),
}
_AT_HOME: dict[WorkOrderStatus, tuple[WorkOrderStatus, ...]] = {
    # The mechanic comes to the customer: nothing is brought in, nothing is fetched.
    _S.ACCEPTED: (_S.IN_REPAIR,),
    _S.IN_REPAIR: (_S.COMPLETED,),
    _S.REPAIR_CONTINUED: (_S.COMPLETED,),
}
_QUOTE: dict[WorkOrderStatus, tuple[WorkOrderStatus, ...]] = {
    # The insurer asks for another quote.
    _S.ACCEPTED: (_S.NEW,),
}

WORK_ORDERS: dict[RequestKind, StatusGraph[WorkOrderStatus]] = {
    RequestKind.REPAIR: StatusGraph(_S.NEW, moves(_COMMON)),
    RequestKind.SERVICE: StatusGraph(_S.NEW, moves(_COMMON, _AT_HOME)),
    RequestKind.CLAIM: StatusGraph(_S.NEW, moves(_COMMON, _QUOTE)),
}
"""The graph of each kind. A claim begins with the quote (new) and the review of the insurer (accepted)."""


class Actor(StrEnum):
    """Who moved something."""

    CUSTOMER = "customer"
    BACK_OFFICE = "back_office"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


TOLD_BY_MAIL: frozenset[WorkOrderStatus] = frozenset(
    {
        _S.ACCEPTED,
        _S.WAIT_FOR_OBJECT,
        _S.WAIT_FOR_PARTS,
        _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR,
        _S.WAIT_FOR_CUSTOMER,
        _S.DONE,
        _S.CANCELLED,
    }
)
"""What a customer wants to hear at once; what happens inside the workshop can be looked up."""

_WORK: dict[WorkOrderStatus, str] = {
    **WORK_ORDER_MEANINGS,
    _S.NEW: N_("Your request has been reported."),
    _S.IN_REPAIR: N_("The work has started."),
    _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: N_("The work is paused. You have your bike back for now."),
    _S.REPAIR_CONTINUED: N_("The work goes on."),
    _S.WAIT_FOR_CUSTOMER: N_("Your bike is ready: for pick-up, or scheduled for delivery."),
    _S.COMPLETED: N_("The work is completed."),
}
_CLAIM: dict[WorkOrderStatus, str] = {
    **WORK_ORDER_MEANINGS,
    _S.NEW: N_("Your damage has been reported. A mechanic makes a quote."),
    _S.ACCEPTED: N_(
        "The quote is ready for the review by your insurer. The mechanic contacts you to schedule the repair."
    ),
}
MEANINGS: dict[RequestKind, dict[WorkOrderStatus, str]] = {
    RequestKind.REPAIR: WORK_ORDER_MEANINGS,
    RequestKind.SERVICE: _WORK,
    RequestKind.CLAIM: _CLAIM,
    RequestKind.UNKNOWN: _WORK,
}
"""What a status means, by kind: the specification speaks of a repair, a service is none."""

_REPAIR_PHASES = (N_("Request"), N_("Appointment"), N_("Repair"), N_("Pick up"))
_CLAIM_PHASES = (N_("Quote"), N_("Review"), N_("Repair"))
PHASES: dict[RequestKind, tuple[str, ...]] = {
    RequestKind.REPAIR: _REPAIR_PHASES,
    RequestKind.SERVICE: _REPAIR_PHASES,
    RequestKind.CLAIM: _CLAIM_PHASES,
}
"""The phases of each kind (part-1 §2)."""

_PHASE: dict[WorkOrderStatus, int] = {
    _S.NEW: 0,
    _S.ACCEPTED: 1,
    _S.WAIT_FOR_OBJECT: 1,
    _S.WAIT_FOR_REPAIR: 2,
    _S.IN_REPAIR: 2,
    _S.WAIT_FOR_PARTS: 2,
    _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: 2,
    _S.REPAIR_CONTINUED: 2,
    _S.WAIT_FOR_CUSTOMER: 3,
    _S.COMPLETED: 4,
    _S.DONE: 4,
}


def phase(kind: RequestKind, status: WorkOrderStatus) -> int | None:
    """Which phase is going on, from 0; as many as there are when all are done.

    None when the work order left the road (cancelled), or the status or kind is not known.
    """
    if kind not in PHASES or status not in _PHASE:
        return None
    if kind is not RequestKind.CLAIM:
        return _PHASE[status]
    # A claim has no phase for fetching the bike: the repair lasts until the bike is back.
    if status is _S.WAIT_FOR_OBJECT:
        return 2
    return {3: 2, 4: 3}.get(_PHASE[status], _PHASE[status])


PATIENCE = timedelta(weeks=3)
"""After so long without news a customer is told to ask (part-1 §4)."""


def without_news(status: WorkOrderStatus, last: datetime, now: datetime) -> bool:
    """Whether nothing was heard for so long that it is time to ask.

    Args:
        status: where the work order stands.
        last: when something was heard last (UTC).
        now: the current moment (UTC).
    """
    return status not in CLOSED_WORK_ORDER and now - last >= PATIENCE
