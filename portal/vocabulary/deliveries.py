"""Deliveries: statuses, phases, time windows, and requests for another day (part-2 §4, §9)."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from portal.kernel.codes import Code
from portal.kernel.status_graph import StatusGraph
from portal.kernel.terms import DATE_ANSWER_HOURS, DAY_STARTS, EVENING_ENDS, EVENING_STARTS
from portal.kernel.texts import N_
from portal.vocabulary.status import (
    STATUS_UNKNOWN,
    UNCLEAR,
    Due,
    StatusEntry,
    Tone,
    Turn,
    desk_labels_of,
    graph_of,
    labels_of,
    meanings_of,
    tone_of,
)


class DeliveryStatus(StrEnum):
    IN_STOCK = "in_stock"
    BACKORDER = "backorder"
    ORDER_BEING_PROCESSED = "order_being_processed"
    ORDER_ASSEMBLED = "order_assembled"
    READY_FOR_TRANSPORT = "ready_for_transport"
    HANDOVER_TO_PARCEL_SERVICE = "handover_to_parcel_service"
    DRIVER_ON_THE_WAY = "driver_on_the_way"
    ORDER_DELIVERED = "order_delivered"
    ORDER_READY_FOR_PICKUP = "order_ready_for_pickup"
    ORDER_PICKED_UP = "order_picked_up"
    ORDER_NOT_DELIVERED = "order_not_delivered"
    ORDER_REFUSED_AT_DOOR = "order_refused_at_door"
    CUSTOMER_NOT_AT_HOME = "customer_not_at_home"
    ORDER_CANCELLED = "order_cancelled"
    UNKNOWN = "unknown"


class DeliveryEnd(StrEnum):
    DELIVERY = "delivery"
    PICKUP = "pickup"


PHASES: dict[DeliveryEnd, tuple[str, ...]] = {
    DeliveryEnd.DELIVERY: (
        N_("Ordered"),
        N_("In preparation"),
        N_("Ready for transport"),
        N_("On its way"),
        N_("Delivered"),
    ),
    DeliveryEnd.PICKUP: (
        N_("Ordered"),
        N_("In preparation"),
        N_("Ready for transport"),
        N_("Ready for pick-up"),
        N_("Picked up"),
    ),
}

FINISHED = 5
"""Number of phases; as a phase it means that all are done."""

_S = DeliveryStatus
_AT_THE_DOOR = (_S.ORDER_DELIVERED, _S.CUSTOMER_NOT_AT_HOME, _S.ORDER_REFUSED_AT_DOOR, _S.ORDER_NOT_DELIVERED)


@dataclass(frozen=True, kw_only=True, slots=True)
class DeliveryStatusEntry(StatusEntry[DeliveryStatus]):
    """A status of a delivery.

    `fixed`: why the delivery day can no longer be changed; None while the order is with us.
    """

    fixed: Code | None = None
    finished: bool = False
    stuck: bool = False
    mailed: bool = False
    end: DeliveryEnd = DeliveryEnd.DELIVERY


DELIVERY_STATUSES: dict[DeliveryStatus, DeliveryStatusEntry] = {
    _S.BACKORDER: DeliveryStatusEntry(
        label=N_("Not in stock yet"),
        meaning=N_("Something you ordered is not in stock yet. We’ll plan the delivery as soon as it is."),
        tone="warn",
        phase=1,
        transitions=(_S.IN_STOCK, _S.ORDER_BEING_PROCESSED, _S.ORDER_CANCELLED),
        mailed=True,
    ),
    # From processing an order waits for missing items or is assembled.
    _S.ORDER_BEING_PROCESSED: DeliveryStatusEntry(
        label=N_("Being processed"),
        meaning=N_("We’re preparing your order."),
        tone="info",
        phase=1,
        transitions=(_S.IN_STOCK, _S.BACKORDER, _S.ORDER_ASSEMBLED, _S.READY_FOR_TRANSPORT, _S.ORDER_CANCELLED),
    ),
    _S.IN_STOCK: DeliveryStatusEntry(
        label=N_("In stock"),
        meaning=N_("We have everything you ordered. We’ll start preparing your order soon."),
        tone="info",
        phase=1,
        transitions=(
            _S.BACKORDER, _S.ORDER_BEING_PROCESSED, _S.ORDER_ASSEMBLED, _S.READY_FOR_TRANSPORT, _S.ORDER_CANCELLED
        ),
    ),
    _S.ORDER_ASSEMBLED: DeliveryStatusEntry(
        label=N_("Assembled"),
        meaning=N_("Your order has been assembled and checked."),
        tone="info",
        phase=2,
        transitions=(_S.READY_FOR_TRANSPORT, _S.ORDER_READY_FOR_PICKUP, _S.ORDER_CANCELLED),
    ),
    _S.READY_FOR_TRANSPORT: DeliveryStatusEntry(
        label=N_("Ready for transport"),
        meaning=N_("Your order is packed and waiting for the carrier."),
        tone="info",
        phase=2,
        transitions=(
            _S.HANDOVER_TO_PARCEL_SERVICE, _S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, _S.ORDER_CANCELLED
        ),
    ),
    _S.ORDER_NOT_DELIVERED: DeliveryStatusEntry(
        label=N_("Not delivered"),
        meaning=N_("We couldn’t deliver your order. Contact us to plan a new delivery."),
        tone="err",
        phase=3,
        transitions=(
            _S.READY_FOR_TRANSPORT, _S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, _S.ORDER_CANCELLED
        ),
        fixed=Code.DELIVERY_FAILED,
        stuck=True,
        mailed=True,
    ),
    # Next is another attempt, pick-up at the store, or the way back to us.
    _S.CUSTOMER_NOT_AT_HOME: DeliveryStatusEntry(
        label=N_("You weren’t in"),
        meaning=N_("The driver came by, but no one was in. The carrier will try again or send you a message."),
        tone="warn",
        phase=3,
        transitions=(
            _S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, _S.ORDER_DELIVERED, _S.ORDER_NOT_DELIVERED,
            _S.ORDER_CANCELLED,
        ),
        fixed=Code.ALREADY_HANDED_OVER,
        stuck=True,
        mailed=True,
    ),
    _S.HANDOVER_TO_PARCEL_SERVICE: DeliveryStatusEntry(
        label=N_("With the carrier"),
        meaning=N_("The carrier has your order."),
        tone="info",
        phase=3,
        transitions=(_S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, *_AT_THE_DOOR),
        fixed=Code.ALREADY_HANDED_OVER,
        mailed=True,
    ),
    _S.DRIVER_ON_THE_WAY: DeliveryStatusEntry(
        label=N_("On its way"),
        meaning=N_("Your order is on its way to you."),
        tone="info",
        phase=3,
        transitions=_AT_THE_DOOR,
        fixed=Code.ALREADY_HANDED_OVER,
        mailed=True,
    ),
    _S.ORDER_READY_FOR_PICKUP: DeliveryStatusEntry(
        label=N_("Ready for pick-up in the store"),
        meaning=N_("Your order is ready for you in the store. Bring your order number and ID."),
        tone="ok",
        phase=3,
        transitions=(_S.ORDER_PICKED_UP, _S.ORDER_NOT_DELIVERED, _S.ORDER_CANCELLED),
        fixed=Code.COLLECTED_IN_STORE,
        mailed=True,
        end=DeliveryEnd.PICKUP,
    ),
    _S.ORDER_REFUSED_AT_DOOR: DeliveryStatusEntry(
        label=N_("Refused at the door"),
        meaning=N_(
            "The order was refused at the door and is on its way back to us. Contact us if that was a mistake."
        ),
        tone="warn",
        transitions=(_S.READY_FOR_TRANSPORT, _S.ORDER_CANCELLED),
        fixed=Code.DELIVERY_FAILED,
        finished=True,
        stuck=True,
        mailed=True,
    ),
    _S.ORDER_CANCELLED: DeliveryStatusEntry(
        label=N_("Cancelled"),
        meaning=N_("This order was cancelled. Contact us if you have a question about it."),
        fixed=Code.ORDER_CANCELLED,
        finished=True,
        stuck=True,
        mailed=True,
    ),
    _S.ORDER_PICKED_UP: DeliveryStatusEntry(
        label=N_("Picked up"),
        meaning=N_("You’ve picked up your order from the store."),
        tone="ok",
        phase=FINISHED,
        fixed=Code.COLLECTED_IN_STORE,
        finished=True,
        end=DeliveryEnd.PICKUP,
    ),
    _S.ORDER_DELIVERED: DeliveryStatusEntry(
        label=N_("Delivered"),
        meaning=N_("Your order has been delivered."),
        tone="ok",
        phase=FINISHED,
        fixed=Code.ALREADY_HANDED_OVER,
        finished=True,
        mailed=True,
    ),
    # For an unknown status only customer service can tell whether the day can change.
    _S.UNKNOWN: DeliveryStatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR, fixed=Code.DATE_CHANGE_NOT_OFFERED),
}  # fmt: skip
"""All delivery statuses, from the least to the most advanced."""

DELIVERY_LABELS = labels_of(DELIVERY_STATUSES)
DELIVERY_MEANINGS = meanings_of(DELIVERY_STATUSES)
DELIVERIES: StatusGraph[DeliveryStatus] = graph_of(_S.ORDER_BEING_PROCESSED, DELIVERY_STATUSES)
FINISHED_DELIVERY = frozenset(status for status, row in DELIVERY_STATUSES.items() if row.finished)
CALLED_OFF = frozenset({_S.ORDER_CANCELLED, _S.ORDER_REFUSED_AT_DOOR})
"""Statuses in which nothing will be delivered, whatever was planned."""

MAILED_STATUSES = frozenset(status for status, row in DELIVERY_STATUSES.items() if row.mailed)
STUCK = {status: row.meaning for status, row in DELIVERY_STATUSES.items() if row.stuck}
"""Explanation of each status in which a delivery failed."""

BEFORE_HANDOVER = frozenset(status for status, row in DELIVERY_STATUSES.items() if row.fixed is None)
"""Statuses in which the order is still with us, so that its delivery day can be changed (part-2 §5)."""

ARRIVED = frozenset(status for status, row in DELIVERY_STATUSES.items() if row.phase == FINISHED)
ON_ITS_WAY = frozenset({_S.HANDOVER_TO_PARCEL_SERVICE, _S.DRIVER_ON_THE_WAY})
"""Statuses in which the carrier has the order."""

UNHEARD = BEFORE_HANDOVER | ON_ITS_WAY | {None}
"""Statuses in which what was sent counts as delivered after a while without news."""

_NAMES_DAY = BEFORE_HANDOVER - {_S.BACKORDER} | ON_ITS_WAY | {_S.ORDER_READY_FOR_PICKUP}
"""Statuses in which a planned day still holds: nothing is missing, and no attempt has failed."""


def names_day(status: DeliveryStatus | None) -> bool:
    """Whether a planned day still holds in this status; None while nothing is known."""
    return status is None or status in _NAMES_DAY


def delivery_tone(status: DeliveryStatus | None) -> Tone:
    return tone_of(DELIVERY_STATUSES, status)


def phase(status: DeliveryStatus | None) -> int | None:
    """The current phase, from 0; None when the order left the phases (cancelled, refused)."""
    return DELIVERY_STATUSES[status].phase if status else 0


def end(status: DeliveryStatus | None) -> DeliveryEnd:
    return DELIVERY_STATUSES[status].end if status else DeliveryEnd.DELIVERY


def why_it_stays(status: DeliveryStatus | None) -> Code | None:
    """Why the delivery day cannot be changed in this status; None while the order is with us."""
    return DELIVERY_STATUSES[status or _S.UNKNOWN].fixed


def handed_over(status: DeliveryStatus | None) -> bool:
    """Whether the delivery can no longer be moved: it is with the carrier or later, or its status is unknown."""
    return why_it_stays(status) is not None


def can_be_called_off(status: DeliveryStatus | None, *, shipped: bool) -> bool:
    """Whether a delivery or shipment can still be cancelled, so that the customer never gets it.

    `status`: None while nothing is known.
    `shipped`: whether it has left; a status from before that is then out of date.
    """
    if status is None or status in BEFORE_HANDOVER:
        return not shipped
    return status is _S.ORDER_CANCELLED or DELIVERIES.allows(status, _S.ORDER_CANCELLED)


def combined_status(shipments: list[DeliveryStatus]) -> DeliveryStatus | None:
    """The status of an order in several shipments: that of the least advanced shipment; None without shipments.

    Cancelled and refused shipments are ignored while another shipment continues.
    """
    alive = [status for status in shipments if status not in CALLED_OFF]
    return min(alive or shipments, key=list(DELIVERY_STATUSES).index, default=None)


class Window(StrEnum):
    DAY = "day"
    EVENING = "evening"


HOURS: dict[Window, tuple[time, time]] = {
    Window.DAY: (DAY_STARTS, EVENING_STARTS),
    Window.EVENING: (EVENING_STARTS, EVENING_ENDS),
}
"""Start and end of each window, in local time."""

WINDOW_NAMES: dict[Window, str] = {
    Window.DAY: N_("During the day, {day_starts}-{evening_starts}"),
    Window.EVENING: N_("In the evening, {evening_starts}-{evening_ends}"),
}

ALL_DAY = (DAY_STARTS, EVENING_ENDS)
"""Local times of a delivery for which no window was chosen (part-2 §9)."""


def is_evening(from_time: str) -> bool:
    """Whether a window that starts at this local time ('HH:MM') is the evening window."""
    return from_time >= f"{EVENING_STARTS:%H:%M}"


def window_of(from_time: str) -> tuple[str, str]:
    """The window on the new day: the evening if the current window is the evening, else the whole day."""
    first, last = HOURS[Window.EVENING] if is_evening(from_time) else ALL_DAY
    return f"{first:%H:%M}", f"{last:%H:%M}"


class DateChangeStatus(StrEnum):
    WAITING_FOR_CUSTOMER = "waiting_for_customer"
    """The mailed link has not been used yet."""
    WAITING_FOR_RETAILER = "waiting_for_retailer"
    """The customer has confirmed; the retailer has not answered yet."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


_D = DateChangeStatus


@dataclass(frozen=True, kw_only=True, slots=True)
class DateChangeStatusEntry(StatusEntry[DateChangeStatus]):
    """A status of a request for another day. A pending request blocks a new one (part-2 §4)."""

    pending: bool = False


DATE_CHANGE_STATUSES: dict[DateChangeStatus, DateChangeStatusEntry] = {
    _D.WAITING_FOR_CUSTOMER: DateChangeStatusEntry(
        due=Due(2, Turn.CUSTOMER),
        label=N_("Waiting for your confirmation"),
        meaning=N_("One more step: confirm the new day with the link in our email, within {link_hours} hours."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        transitions=(_D.WAITING_FOR_RETAILER, _D.EXPIRED, _D.CANCELLED),
        pending=True,
    ),
    _D.WAITING_FOR_RETAILER: DateChangeStatusEntry(
        due=Due(2),
        label=N_("Waiting for our confirmation"),
        meaning=N_(
            "You’ve confirmed the new day. We’ll let you know within {date_answer_hours} hours whether it works."
        ),
        desk=N_("To be confirmed by us"),
        tone="info",
        transitions=(_D.ACCEPTED, _D.REFUSED, _D.CANCELLED),
        pending=True,
    ),
    _D.ACCEPTED: DateChangeStatusEntry(
        label=N_("Accepted"), meaning=N_("Your order will be delivered on the new day."), tone="ok"
    ),
    _D.REFUSED: DateChangeStatusEntry(
        label=N_("Not possible"),
        meaning=N_("The new day is not possible. Your order will arrive on the day that was planned."),
        tone="err",
    ),
    # A new link makes the request wait for the customer again.
    _D.EXPIRED: DateChangeStatusEntry(
        label=N_("Expired"),
        meaning=N_("The link was not used within {link_hours} hours, so nothing has changed. Choose a day again."),
        tone="warn",
        transitions=(_D.WAITING_FOR_CUSTOMER,),
    ),
    _D.CANCELLED: DateChangeStatusEntry(
        label=N_("Cancelled"), meaning=N_("This request was cancelled. Nothing has changed.")
    ),
    _D.UNKNOWN: DateChangeStatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}

DATE_CHANGE_LABELS = labels_of(DATE_CHANGE_STATUSES)
DATE_CHANGE_DESK_LABELS = desk_labels_of(DATE_CHANGE_STATUSES)
DATE_CHANGE_MEANINGS = meanings_of(DATE_CHANGE_STATUSES)
DATE_CHANGES: StatusGraph[DateChangeStatus] = graph_of(_D.WAITING_FOR_CUSTOMER, DATE_CHANGE_STATUSES)
PENDING = frozenset(status for status, row in DATE_CHANGE_STATUSES.items() if row.pending)
"""Statuses that block a new request for another day (part-2 §4)."""

DATE_OPEN = N_("We’ll email you as soon as the delivery day is known.")
"""What happens next with an order for which no day is planned."""

DATE_CHANGE_STEPS: tuple[str, ...] = (
    N_("You choose another day for us to deliver."),
    N_("You confirm it within {link_hours} hours with the link in our email."),
    N_("We’ll let you know within {date_answer_hours} hours whether the new day works."),
)
"""The three steps that the entry page explains (part-2 §2)."""

ANSWER_WITHIN = timedelta(hours=DATE_ANSWER_HOURS)
"""Time within which the retailer answers after the customer's confirmation (part-2 §9)."""


def date_change_tone(status: DateChangeStatus) -> Tone:
    return tone_of(DATE_CHANGE_STATUSES, status)


def current_status(status: DateChangeStatus, link_expires_at: datetime, now: datetime) -> DateChangeStatus:
    """The status at `now`: a request with an overdue link counts as expired even if that is not stored yet."""
    return _D.EXPIRED if status is _D.WAITING_FOR_CUSTOMER and link_expires_at <= now else status
