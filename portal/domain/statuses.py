"""Statuses and what each means to a customer (part-1 §4, part-2 §4)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_

STATUS_UNKNOWN = N_("Status unknown")
"""Label of a status that a newer provider sends and this portal does not know yet."""


class WorkOrderStatus(StrEnum):
    """Where a repair or a service stands (part-1 §4)."""

    NEW = "new"
    ACCEPTED = "accepted"
    WAIT_FOR_OBJECT = "wait_for_object"
    WAIT_FOR_REPAIR = "wait_for_repair"
    IN_REPAIR = "in_repair"
    WAIT_FOR_PARTS = "wait_for_parts"
    WAIT_FOR_REPAIR_AFTER_IN_REPAIR = "wait_for_repair_after_in_repair"
    REPAIR_CONTINUED = "repair_continued"
    WAIT_FOR_CUSTOMER = "wait_for_customer"
    COMPLETED = "completed"
    DONE = "done"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


CLOSED_WORK_ORDER: frozenset[WorkOrderStatus] = frozenset(
    {WorkOrderStatus.COMPLETED, WorkOrderStatus.DONE, WorkOrderStatus.CANCELLED}
)
"""A bike may have a new request again; every other status blocks one (part-1 §4)."""

WORK_ORDER_LABELS: dict[WorkOrderStatus, str] = {
    WorkOrderStatus.NEW: N_("Reported"),
    WorkOrderStatus.ACCEPTED: N_("Accepted"),
    WorkOrderStatus.WAIT_FOR_OBJECT: N_("Ready for intake"),
    WorkOrderStatus.WAIT_FOR_REPAIR: N_("In the workshop"),
    WorkOrderStatus.IN_REPAIR: N_("In repair"),
    WorkOrderStatus.WAIT_FOR_PARTS: N_("Waiting for parts"),
    WorkOrderStatus.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: N_("Paused"),
    WorkOrderStatus.REPAIR_CONTINUED: N_("Repair continued"),
    WorkOrderStatus.WAIT_FOR_CUSTOMER: N_("Repaired"),
    WorkOrderStatus.COMPLETED: N_("Completed"),
    WorkOrderStatus.DONE: N_("Returned to you"),
    WorkOrderStatus.CANCELLED: N_("Cancelled"),
    WorkOrderStatus.UNKNOWN: STATUS_UNKNOWN,
}

WORK_ORDER_MEANINGS: dict[WorkOrderStatus, str] = {
    WorkOrderStatus.NEW: N_("Your repair has been reported."),
    WorkOrderStatus.ACCEPTED: N_("Your order is accepted and ready for scheduling. The mechanic will contact you."),
    WorkOrderStatus.WAIT_FOR_OBJECT: N_("Ready for intake. Bring your bike at the agreed time."),
    WorkOrderStatus.WAIT_FOR_REPAIR: N_("Your bike is in the workshop and scheduled."),
    WorkOrderStatus.IN_REPAIR: N_("The repair has started."),
    WorkOrderStatus.WAIT_FOR_PARTS: N_("We are waiting for parts."),
    WorkOrderStatus.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: N_("The repair is paused. You have your bike back for now."),
    WorkOrderStatus.REPAIR_CONTINUED: N_("The repair goes on."),
    WorkOrderStatus.WAIT_FOR_CUSTOMER: N_("Your bike is repaired: ready for pick-up or scheduled for delivery."),
    WorkOrderStatus.COMPLETED: N_("The repair is completed."),
    WorkOrderStatus.DONE: N_("Your bike has been returned to you."),
    WorkOrderStatus.CANCELLED: N_("This request was cancelled."),
    WorkOrderStatus.UNKNOWN: N_("We cannot show here how far this is. Contact us if you want to know more."),
}


class DeliveryStatus(StrEnum):
    """Where the delivery of an order stands (part-2 §4)."""

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
    """Sent by a newer provider; never stored."""


DELIVERY_LABELS: dict[DeliveryStatus, str] = {
    DeliveryStatus.IN_STOCK: N_("In stock"),
    DeliveryStatus.BACKORDER: N_("Back order"),
    DeliveryStatus.ORDER_BEING_PROCESSED: N_("Being processed"),
    DeliveryStatus.ORDER_ASSEMBLED: N_("Assembled"),
    DeliveryStatus.READY_FOR_TRANSPORT: N_("Ready for transport"),
    DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE: N_("With the carrier"),
    DeliveryStatus.DRIVER_ON_THE_WAY: N_("On its way"),
    DeliveryStatus.ORDER_DELIVERED: N_("Delivered"),
    DeliveryStatus.ORDER_READY_FOR_PICKUP: N_("Ready for pick-up in the store"),
    DeliveryStatus.ORDER_PICKED_UP: N_("Picked up"),
    DeliveryStatus.ORDER_NOT_DELIVERED: N_("Not delivered"),
    DeliveryStatus.ORDER_REFUSED_AT_DOOR: N_("Refused at the door"),
    DeliveryStatus.CUSTOMER_NOT_AT_HOME: N_("You were not at home"),
    DeliveryStatus.ORDER_CANCELLED: N_("Cancelled"),
    DeliveryStatus.UNKNOWN: STATUS_UNKNOWN,
}

FINISHED_DELIVERY: frozenset[DeliveryStatus] = frozenset(
    {
        DeliveryStatus.ORDER_DELIVERED,
        DeliveryStatus.ORDER_PICKED_UP,
        DeliveryStatus.ORDER_REFUSED_AT_DOOR,
        DeliveryStatus.ORDER_CANCELLED,
    }
)
"""Nothing is on its way any more."""

BEFORE_HANDOVER: frozenset[DeliveryStatus] = frozenset(
    {
        DeliveryStatus.IN_STOCK,
        DeliveryStatus.BACKORDER,
        DeliveryStatus.ORDER_BEING_PROCESSED,
        DeliveryStatus.ORDER_ASSEMBLED,
        DeliveryStatus.READY_FOR_TRANSPORT,
    }
)
"""The order is still with us, so its delivery date can be moved (decisions: Rules)."""


class PaymentStatus(StrEnum):
    """Whether an order has been paid (part-1 §3)."""

    PAID = "paid"
    PARTLY_PAID = "partly_paid"
    OPEN = "open"
    REFUNDED = "refunded"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


PAYMENT_LABELS: dict[PaymentStatus, str] = {
    PaymentStatus.PAID: N_("Paid"),
    PaymentStatus.PARTLY_PAID: N_("Partly paid"),
    PaymentStatus.OPEN: N_("Not paid yet"),
    PaymentStatus.REFUNDED: N_("Refunded"),
    PaymentStatus.UNKNOWN: STATUS_UNKNOWN,
}


class InvoiceStatus(StrEnum):
    """State of an invoice (part-1 §3 names cancelled, open and unpaid; a settled one is paid)."""

    PAID = "paid"
    OPEN = "open"
    UNPAID = "unpaid"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


INVOICE_LABELS: dict[InvoiceStatus, str] = {
    InvoiceStatus.PAID: N_("Paid"),
    InvoiceStatus.OPEN: N_("Open"),
    InvoiceStatus.UNPAID: N_("Unpaid"),
    InvoiceStatus.CANCELLED: N_("Cancelled"),
    InvoiceStatus.UNKNOWN: STATUS_UNKNOWN,
}


class RequestKind(StrEnum):
    """What a service request asks for."""

    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


REQUEST_LABELS: dict[RequestKind, str] = {
    RequestKind.REPAIR: N_("Repair"),
    RequestKind.SERVICE: N_("Service"),
    RequestKind.CLAIM: N_("Insurance claim"),
    RequestKind.UNKNOWN: N_("Request"),
}


class ServicePackage(StrEnum):
    """Codes of the service packages (part-1 §3)."""

    SERVICE11 = "SERVICE11"
    SERVICE21 = "SERVICE21"
    SERVICE31 = "SERVICE31"
    SERVICE12 = "SERVICE12"
    SERVICE22 = "SERVICE22"
    SERVICE32 = "SERVICE32"
    SERVICE42 = "SERVICE42"


SERVICE_PACKAGE_NAMES: dict[ServicePackage, str] = {
    ServicePackage.SERVICE11: N_("Standard"),
    ServicePackage.SERVICE21: N_("Comfort"),
    ServicePackage.SERVICE31: N_("Deluxe"),
    ServicePackage.SERVICE12: N_("None"),
    ServicePackage.SERVICE22: N_("Start"),
    ServicePackage.SERVICE32: N_("Complete"),
    ServicePackage.SERVICE42: N_("Carefree"),
}
"""English names; the catalogue gives the Dutch ones: Basic, Comfort, Deluxe, geen, Start, Complete, Carefree."""
