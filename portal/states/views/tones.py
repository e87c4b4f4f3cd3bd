"""The tone of a status: text comes first, colour second (design: F56)."""

from __future__ import annotations

from typing import Literal

from portal.domain.insurances import InsuranceStatus
from portal.domain.returns.statuses import ReturnStatus
from portal.domain.statuses import DeliveryStatus, InvoiceStatus, PaymentStatus, WorkOrderStatus

Tone = Literal["neutral", "info", "ok", "warn", "err"]

_REQUEST: dict[WorkOrderStatus, Tone] = {
    WorkOrderStatus.NEW: "info",
    WorkOrderStatus.ACCEPTED: "info",
    # Amber asks for patience or for an act of the customer.
    WorkOrderStatus.WAIT_FOR_OBJECT: "warn",
    WorkOrderStatus.WAIT_FOR_REPAIR: "info",
    WorkOrderStatus.IN_REPAIR: "info",
    WorkOrderStatus.WAIT_FOR_PARTS: "warn",
    WorkOrderStatus.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: "warn",
    WorkOrderStatus.REPAIR_CONTINUED: "info",
    WorkOrderStatus.WAIT_FOR_CUSTOMER: "ok",
    WorkOrderStatus.COMPLETED: "ok",
    WorkOrderStatus.DONE: "ok",
}
_DELIVERY: dict[DeliveryStatus, Tone] = {
    DeliveryStatus.IN_STOCK: "info",
    DeliveryStatus.BACKORDER: "warn",
    DeliveryStatus.ORDER_BEING_PROCESSED: "info",
    DeliveryStatus.ORDER_ASSEMBLED: "info",
    DeliveryStatus.READY_FOR_TRANSPORT: "info",
    DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE: "info",
    DeliveryStatus.DRIVER_ON_THE_WAY: "info",
    DeliveryStatus.ORDER_DELIVERED: "ok",
    DeliveryStatus.ORDER_READY_FOR_PICKUP: "ok",
    DeliveryStatus.ORDER_PICKED_UP: "ok",
    DeliveryStatus.ORDER_NOT_DELIVERED: "err",
    DeliveryStatus.ORDER_REFUSED_AT_DOOR: "warn",
    DeliveryStatus.CUSTOMER_NOT_AT_HOME: "warn",
}
_PAYMENT: dict[PaymentStatus, Tone] = {
    PaymentStatus.PAID: "ok",
    PaymentStatus.PARTLY_PAID: "warn",
    PaymentStatus.OPEN: "warn",
    PaymentStatus.REFUNDED: "info",
}
_INVOICE: dict[InvoiceStatus, Tone] = {
    InvoiceStatus.PAID: "ok",
    InvoiceStatus.OPEN: "info",
    InvoiceStatus.UNPAID: "warn",
}
_RETURN: dict[ReturnStatus, Tone] = {
    ReturnStatus.PENDING_CONFIRMATION: "warn",
    ReturnStatus.EXPIRED: "warn",
    ReturnStatus.REQUEST_RECEIVED: "info",
    ReturnStatus.PICKUP_REQUEST_CREATED: "info",
    ReturnStatus.PICKUP_CONFIRMED: "info",
    ReturnStatus.RECEIVED: "info",
    ReturnStatus.CLOSED: "ok",
    ReturnStatus.REFUND_PROCESSED: "ok",
    ReturnStatus.REJECTED: "err",
}


_INSURANCE: dict[InsuranceStatus, Tone] = {
    InsuranceStatus.CREATED: "info",
    InsuranceStatus.WAITING_FOR_INPUT: "warn",
    InsuranceStatus.FINISHED: "ok",
}


def request_tone(status: WorkOrderStatus | None) -> Tone:
    """The tone of a service request; an unknown or cancelled one is neutral."""
    return _REQUEST.get(status, "neutral") if status else "neutral"


def delivery_tone(status: DeliveryStatus | None) -> Tone:
    """The tone of a delivery; an unknown or cancelled one is neutral."""
    return _DELIVERY.get(status, "neutral") if status else "neutral"


def payment_tone(status: PaymentStatus) -> Tone:
    """The tone of a payment status."""
    return _PAYMENT.get(status, "neutral")


def invoice_tone(status: InvoiceStatus) -> Tone:
    """The tone of an invoice; a cancelled one is neutral."""
    return _INVOICE.get(status, "neutral")


def return_tone(status: ReturnStatus) -> Tone:
    """The tone of a return; an unknown or cancelled one is neutral."""
    return _RETURN.get(status, "neutral")


def insurance_tone(status: InsuranceStatus) -> Tone:
    """The tone of an insurance request; an unknown or cancelled one is neutral."""
    return _INSURANCE.get(status, "neutral")
