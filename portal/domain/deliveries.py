"""How a delivery goes on: what each status means, which may follow which, and within which hours (part-2 §4, §9)."""

from __future__ import annotations

from datetime import time

from portal.domain.code import Code
from portal.domain.marks import N_
from portal.domain.status_graph import StatusGraph
from portal.domain.statuses import BEFORE_HANDOVER, DeliveryStatus

_S = DeliveryStatus

DELIVERY_MEANINGS: dict[DeliveryStatus, str] = {
    _S.IN_STOCK: N_("We have everything you ordered. We start preparing your order soon."),
    _S.BACKORDER: N_("Something you ordered is not in stock yet. We plan the delivery as soon as it is."),
    _S.ORDER_BEING_PROCESSED: N_("We are preparing your order."),
    _S.ORDER_ASSEMBLED: N_("Your order is assembled and checked."),
    _S.READY_FOR_TRANSPORT: N_("Your order is packed and waits for the carrier."),
    _S.HANDOVER_TO_PARCEL_SERVICE: N_("The carrier has your order."),
    _S.DRIVER_ON_THE_WAY: N_("The driver is on the way to you."),
    _S.ORDER_DELIVERED: N_("Your order has been delivered."),
    _S.ORDER_READY_FOR_PICKUP: N_("Your order is ready for you in the store. Bring your order number and an ID."),
    _S.ORDER_PICKED_UP: N_("You have picked up your order in the store."),
    _S.ORDER_NOT_DELIVERED: N_("The delivery did not succeed. Contact us to plan a new delivery."),
    _S.ORDER_REFUSED_AT_DOOR: N_(
        "The order was refused at the door and is on its way back to us. Contact us if that was a mistake."
    ),
    _S.CUSTOMER_NOT_AT_HOME: N_(
        "The driver came by, but nobody was at home. The carrier tries again or sends you a message."
    ),
    _S.ORDER_CANCELLED: N_("This order was cancelled. Contact us if you have a question about it."),
    _S.UNKNOWN: N_("We cannot show here how far this is. Contact us if you want to know more."),
}
"""What a status means to the customer."""

_CANCEL = _S.ORDER_CANCELLED
_AT_THE_DOOR = (_S.ORDER_DELIVERED, _S.CUSTOMER_NOT_AT_HOME, _S.ORDER_REFUSED_AT_DOOR, _S.ORDER_NOT_DELIVERED)

DELIVERIES: StatusGraph[DeliveryStatus] = StatusGraph(
    _S.ORDER_BEING_PROCESSED,
    {
        status: frozenset(targets)
        for status, targets in {
            # An order begins in the books; what is missing is waited for, what is there is put together.
            _S.ORDER_BEING_PROCESSED: (_S.IN_STOCK, _S.BACKORDER, _S.ORDER_ASSEMBLED, _S.READY_FOR_TRANSPORT, _CANCEL),
            _S.BACKORDER: (_S.IN_STOCK, _S.ORDER_BEING_PROCESSED, _CANCEL),
            _S.IN_STOCK: (_S.BACKORDER, _S.ORDER_BEING_PROCESSED, _S.ORDER_ASSEMBLED, _S.READY_FOR_TRANSPORT, _CANCEL),
            _S.ORDER_ASSEMBLED: (_S.READY_FOR_TRANSPORT, _S.ORDER_READY_FOR_PICKUP, _CANCEL),
            _S.READY_FOR_TRANSPORT: (
                _S.HANDOVER_TO_PARCEL_SERVICE,
                _S.DRIVER_ON_THE_WAY,
                _S.ORDER_READY_FOR_PICKUP,
                _CANCEL,
            ),
            _S.HANDOVER_TO_PARCEL_SERVICE: (_S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, *_AT_THE_DOOR),
            _S.DRIVER_ON_THE_WAY: _AT_THE_DOOR,
            # Another try, or the parcel waits in the store or goes back.
            _S.CUSTOMER_NOT_AT_HOME: (
                _S.DRIVER_ON_THE_WAY,
                _S.ORDER_READY_FOR_PICKUP,
                _S.ORDER_DELIVERED,
                _S.ORDER_NOT_DELIVERED,
                _CANCEL,
            ),
            _S.ORDER_NOT_DELIVERED: (_S.READY_FOR_TRANSPORT, _S.DRIVER_ON_THE_WAY, _S.ORDER_READY_FOR_PICKUP, _CANCEL),
            _S.ORDER_READY_FOR_PICKUP: (_S.ORDER_PICKED_UP, _S.ORDER_NOT_DELIVERED, _CANCEL),
            _S.ORDER_REFUSED_AT_DOOR: (_S.READY_FOR_TRANSPORT, _CANCEL),
            _S.ORDER_DELIVERED: (),
            _S.ORDER_PICKED_UP: (),
            _CANCEL: (),
        }.items()
    },
)
"""The moves a delivery may make, whole orders and single shipments alike."""

WINDOW = (time(9), time(20))
"""Local times between which is delivered (part-2 §9)."""
EVENING = (time(17, 30), time(20))
"""Local times of the evening slot (part-2 §9)."""


def handed_over(status: DeliveryStatus | None) -> bool:
    """Whether the delivery can no longer be moved: it is with the carrier or beyond, or nothing is known of it."""
    return status not in BEFORE_HANDOVER


_STAYS: dict[DeliveryStatus | None, Code] = {
    _S.HANDOVER_TO_PARCEL_SERVICE: Code.ALREADY_HANDED_OVER,
    _S.DRIVER_ON_THE_WAY: Code.ALREADY_HANDED_OVER,
    _S.CUSTOMER_NOT_AT_HOME: Code.ALREADY_HANDED_OVER,
    _S.ORDER_DELIVERED: Code.ALREADY_HANDED_OVER,
    _S.ORDER_READY_FOR_PICKUP: Code.COLLECTED_IN_STORE,
    _S.ORDER_PICKED_UP: Code.COLLECTED_IN_STORE,
    _S.ORDER_NOT_DELIVERED: Code.DELIVERY_FAILED,
    _S.ORDER_REFUSED_AT_DOOR: Code.DELIVERY_FAILED,
    _S.ORDER_CANCELLED: Code.ORDER_CANCELLED,
}


def why_it_stays(status: DeliveryStatus | None) -> Code | None:
    """Why the day of a delivery cannot be changed with this status; none as long as it is with us.

    Where nothing is known of the delivery, it is the customer service that has to look.
    """
    return _STAYS.get(status, Code.DATE_CHANGE_NOT_OFFERED) if handed_over(status) else None


def is_evening(from_time: str) -> bool:
    """Whether a window that begins at this local time ('HH:MM') is the evening slot."""
    return from_time >= f"{EVENING[0]:%H:%M}"


def window_of(from_time: str) -> tuple[str, str]:
    """The window on another day for a delivery whose present one begins then: an evening stays an evening."""
    first, last = EVENING if is_evening(from_time) else WINDOW
    return f"{first:%H:%M}", f"{last:%H:%M}"


_ROAD = (
    _S.BACKORDER,
    _S.ORDER_BEING_PROCESSED,
    _S.IN_STOCK,
    _S.ORDER_ASSEMBLED,
    _S.READY_FOR_TRANSPORT,
    _S.ORDER_NOT_DELIVERED,
    _S.CUSTOMER_NOT_AT_HOME,
    _S.HANDOVER_TO_PARCEL_SERVICE,
    _S.DRIVER_ON_THE_WAY,
    _S.ORDER_READY_FOR_PICKUP,
    _S.ORDER_REFUSED_AT_DOOR,
    _S.ORDER_CANCELLED,
    _S.ORDER_PICKED_UP,
    _S.ORDER_DELIVERED,
)


def together(shipments: list[DeliveryStatus]) -> DeliveryStatus | None:
    """The status of an order that travels in parts: that of the part that is furthest behind; none without parts.

    A part that was cancelled or refused holds nothing up as long as another one still goes on.
    """
    alive = [status for status in shipments if status not in {_S.ORDER_CANCELLED, _S.ORDER_REFUSED_AT_DOOR}]
    return min(alive or shipments, key=_ROAD.index, default=None)
