"""The five phases of a delivery: fourteen statuses, told as a road with a beginning and an end (part-2 §4)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_
from portal.domain.statuses import DeliveryStatus


class DeliveryEnd(StrEnum):
    """How a delivery that goes as planned ends."""

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
"""Every phase lies behind."""

_PICKUP = frozenset({DeliveryStatus.ORDER_READY_FOR_PICKUP, DeliveryStatus.ORDER_PICKED_UP})
_PHASE: dict[DeliveryStatus, int] = {
    DeliveryStatus.IN_STOCK: 1,
    DeliveryStatus.BACKORDER: 1,
    DeliveryStatus.ORDER_BEING_PROCESSED: 1,
    DeliveryStatus.ORDER_ASSEMBLED: 2,
    DeliveryStatus.READY_FOR_TRANSPORT: 2,
    DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE: 3,
    DeliveryStatus.DRIVER_ON_THE_WAY: 3,
    DeliveryStatus.ORDER_READY_FOR_PICKUP: 3,
    DeliveryStatus.ORDER_NOT_DELIVERED: 3,
    DeliveryStatus.CUSTOMER_NOT_AT_HOME: 3,
    DeliveryStatus.ORDER_DELIVERED: FINISHED,
    DeliveryStatus.ORDER_PICKED_UP: FINISHED,
}


def phase(status: DeliveryStatus | None) -> int | None:
    """Which phase is going on, from 0; none when the order left the road (cancelled, refused)."""
    if status is None:
        return 0
    return _PHASE.get(status)


def end(status: DeliveryStatus | None) -> DeliveryEnd:
    """Whether the order comes to the customer or the customer to the store."""
    return DeliveryEnd.PICKUP if status in _PICKUP else DeliveryEnd.DELIVERY


STUCK: dict[DeliveryStatus, str] = {
    DeliveryStatus.ORDER_NOT_DELIVERED: N_("The delivery did not succeed. Contact us to plan a new delivery."),
    DeliveryStatus.CUSTOMER_NOT_AT_HOME: N_(
        "The driver came by, but nobody was at home. The carrier tries again or sends you a message."
    ),
    DeliveryStatus.ORDER_REFUSED_AT_DOOR: N_(
        "The order was refused at the door and is on its way back to us. Contact us if that was a mistake."
    ),
    DeliveryStatus.ORDER_CANCELLED: N_("This order was cancelled. Contact us if you have a question about it."),
}
"""What a customer should know when an order did not arrive as planned."""
