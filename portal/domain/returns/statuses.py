"""Kinds of returns, and where one stands (part-2 §2, §4)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_
from portal.domain.status_graph import StatusGraph
from portal.domain.statuses import STATUS_UNKNOWN


class ReturnKind(StrEnum):
    """What was asked for."""

    RETURN = "return"
    ACCESSORIES = "accessories"
    EXCHANGE = "exchange"
    ORDER_RETURN = "order_return"
    WITHDRAWAL = "withdrawal"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


RETURN_KIND_NAMES: dict[ReturnKind, str] = {
    ReturnKind.RETURN: N_("Return"),
    ReturnKind.ACCESSORIES: N_("Return of accessories"),
    ReturnKind.EXCHANGE: N_("Exchange"),
    ReturnKind.ORDER_RETURN: N_("Return"),
    ReturnKind.WITHDRAWAL: N_("Withdrawal"),
    ReturnKind.UNKNOWN: N_("Request"),
}


class ReturnStatus(StrEnum):
    """Where a return stands; the values in the middle are those of part-2 §4."""

    PENDING_CONFIRMATION = "pending_confirmation"
    EXPIRED = "expired"
    REQUEST_RECEIVED = "request_received"
    PICKUP_REQUEST_CREATED = "pickup_request_created"
    PICKUP_CONFIRMED = "pickup_confirmed_to_customer"
    RECEIVED = "RMA_order_received_at_DC"
    CLOSED = "return_closed"
    REFUND_PROCESSED = "refund_processed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


_S = ReturnStatus

RETURN_LABELS: dict[ReturnStatus, str] = {
    _S.PENDING_CONFIRMATION: N_("Waiting for your confirmation"),
    _S.EXPIRED: N_("Not confirmed in time"),
    _S.REQUEST_RECEIVED: N_("Request received"),
    _S.PICKUP_REQUEST_CREATED: N_("Return requested"),
    _S.PICKUP_CONFIRMED: N_("Confirmed"),
    _S.RECEIVED: N_("Received at the distribution centre"),
    _S.CLOSED: N_("Return closed"),
    _S.REFUND_PROCESSED: N_("Refund processed"),
    _S.REJECTED: N_("Return not accepted"),
    _S.CANCELLED: N_("Cancelled"),
    _S.UNKNOWN: STATUS_UNKNOWN,
}

RETURN_MEANINGS: dict[ReturnStatus, str] = {
    _S.PENDING_CONFIRMATION: N_("One more step: confirm your return within 24 hours with the link in our email."),
    _S.EXPIRED: N_("The link was not used within 24 hours, so nothing was requested."),
    _S.REQUEST_RECEIVED: N_("We have your request. We contact you within two working days."),
    _S.PICKUP_REQUEST_CREATED: N_("Your return has been handed to our carrier."),
    _S.PICKUP_CONFIRMED: N_("The pick-up is confirmed."),
    _S.RECEIVED: N_("Your return has arrived. We check it and process your refund within 14 days."),
    _S.CLOSED: N_("We have checked your return. It is done."),
    _S.REFUND_PROCESSED: N_("Your money is on its way. It depends on your bank when it arrives."),
    _S.REJECTED: N_("We could not accept this return. We have told you why; contact us if you have a question."),
    _S.CANCELLED: N_("This return was cancelled. You can request a new one."),
    _S.UNKNOWN: N_("We cannot show here how far this is. Contact us if you want to know more."),
}

EXCHANGE_LABELS: dict[ReturnStatus, str] = {
    _S.PICKUP_REQUEST_CREATED: N_("Exchange requested"),
    _S.CLOSED: N_("Exchange completed"),
    _S.REFUND_PROCESSED: N_("Difference refunded"),
    _S.REJECTED: N_("Exchange not accepted"),
}
"""What an exchange calls differently."""

EXCHANGE_MEANINGS: dict[ReturnStatus, str] = {
    _S.PICKUP_REQUEST_CREATED: N_("Our carrier knows that you send something back for your exchange."),
    _S.RECEIVED: N_("What you sent back has arrived. We check it, and then send you your new item."),
    _S.CLOSED: N_("We have checked what you sent back. Your new item is on its way."),
    _S.REFUND_PROCESSED: N_("Your new item was cheaper: the difference is on its way to you."),
    _S.REJECTED: N_("We could not accept this exchange. We have told you why; contact us if you have a question."),
    _S.CANCELLED: N_("This exchange was cancelled. You can request a new one."),
}
"""What means something else for an exchange: a new item, not money."""


PICKUP_TEXTED = N_("You get a text message the day before.")
"""Said of a confirmed pick-up on a day that is known."""
PICKUP_DAY_OPEN = N_("Our carrier agrees the day with you.")
"""Said of a confirmed pick-up that the back office planned, when nobody has chosen a day."""


def label_of(kind: ReturnKind, status: ReturnStatus) -> str:
    """What a status is called, of a kind."""
    own = EXCHANGE_LABELS if kind is ReturnKind.EXCHANGE else {}
    return own.get(status, RETURN_LABELS[status])


def meaning_of(kind: ReturnKind, status: ReturnStatus) -> str:
    """What a status means for the customer, of a kind."""
    own = EXCHANGE_MEANINGS if kind is ReturnKind.EXCHANGE else {}
    return own.get(status, RETURN_MEANINGS[status])


_OUT = (_S.CANCELLED, _S.REJECTED)
RETURNS: StatusGraph[ReturnStatus] = StatusGraph(
    _S.PENDING_CONFIRMATION,
    {
        status: frozenset(targets)
        for status, targets in {
            _S.PENDING_CONFIRMATION: (_S.REQUEST_RECEIVED, _S.EXPIRED, _S.CANCELLED),
            # Asking for a new link makes it wait again.
            _S.EXPIRED: (_S.PENDING_CONFIRMATION,),
            # What is brought to a store arrives without a pick-up.
            _S.REQUEST_RECEIVED: (_S.PICKUP_REQUEST_CREATED, _S.RECEIVED, *_OUT),
            _S.PICKUP_REQUEST_CREATED: (_S.PICKUP_CONFIRMED, _S.RECEIVED, *_OUT),
            _S.PICKUP_CONFIRMED: (_S.PICKUP_REQUEST_CREATED, _S.RECEIVED, *_OUT),
            _S.RECEIVED: (_S.CLOSED, _S.REJECTED),
            _S.CLOSED: (_S.REFUND_PROCESSED,),
            _S.REFUND_PROCESSED: (),
        }.items()
    },
)
"""How a return goes on. An exchange stays closed: there is no refund, unless the new one is cheaper."""

GIVES_BACK: frozenset[ReturnStatus] = frozenset({_S.EXPIRED, _S.REJECTED, _S.CANCELLED})
"""Its units can be returned again."""
DONE: frozenset[ReturnStatus] = frozenset({_S.CLOSED, _S.REFUND_PROCESSED})
"""Its units have been returned for good."""
CANCELLABLE: frozenset[ReturnStatus] = frozenset(
    {_S.PENDING_CONFIRMATION, _S.REQUEST_RECEIVED, _S.PICKUP_REQUEST_CREATED, _S.PICKUP_CONFIRMED}
)
"""Nothing was picked up or brought yet."""


PICKED_UP: frozenset[ReturnStatus] = frozenset({_S.PICKUP_REQUEST_CREATED, _S.PICKUP_CONFIRMED})
"""A pick-up is planned."""


class ReturnPhase(StrEnum):
    """The four labels of the overview (part-2 §2)."""

    REQUEST = "request"
    ASSESSMENT = "assessment"
    RETURN = "return"
    CREDIT = "credit"
    DELIVERY = "delivery"


PHASE_NAMES: dict[ReturnPhase, str] = {
    ReturnPhase.REQUEST: N_("Request"),
    ReturnPhase.ASSESSMENT: N_("Assessment"),
    ReturnPhase.RETURN: N_("Return"),
    ReturnPhase.CREDIT: N_("Credit"),
    ReturnPhase.DELIVERY: N_("Delivery"),
}

_REACHED: dict[ReturnStatus, int] = {
    _S.PENDING_CONFIRMATION: 0,
    _S.EXPIRED: 0,
    _S.REQUEST_RECEIVED: 1,
    _S.PICKUP_REQUEST_CREATED: 2,
    _S.PICKUP_CONFIRMED: 2,
    _S.RECEIVED: 3,
    _S.CLOSED: 3,
    _S.REFUND_PROCESSED: 4,
}


def phases(kind: ReturnKind) -> tuple[ReturnPhase, ...]:
    """The four phases of a kind: an exchange ends with a delivery."""
    last = ReturnPhase.DELIVERY if kind is ReturnKind.EXCHANGE else ReturnPhase.CREDIT
    return (ReturnPhase.REQUEST, ReturnPhase.ASSESSMENT, ReturnPhase.RETURN, last)


def phases_done(kind: ReturnKind, status: ReturnStatus) -> int:
    """How many phases are done, 0 to 4; what follows is the current one. 0 when it has ended without a result."""
    if kind is ReturnKind.EXCHANGE and status in DONE:
        return len(phases(kind))
    return _REACHED.get(status, 0)
