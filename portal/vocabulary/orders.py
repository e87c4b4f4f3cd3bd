"""Orders: kinds of items, payment and delivery methods, insurances, and statuses of payments and invoices."""

from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.status import STATUS_UNKNOWN, StatusEntry, Tone, labels_of, tone_of


class ItemKind(StrEnum):
    CITY_BIKE = "city_bike"
    E_BIKE = "e_bike"
    CARGO_BIKE = "cargo_bike"
    ACCESSORY = "accessory"


class PaymentStatus(StrEnum):
    PAID = "paid"
    PARTLY_PAID = "partly_paid"
    OPEN = "open"
    REFUNDED = "refunded"
    UNKNOWN = "unknown"


PAYMENT_STATUSES: dict[PaymentStatus, StatusEntry[PaymentStatus]] = {
    PaymentStatus.PAID: StatusEntry(label=N_("Paid"), tone="ok"),
    PaymentStatus.PARTLY_PAID: StatusEntry(label=N_("Partly paid"), tone="warn"),
    PaymentStatus.OPEN: StatusEntry(label=N_("Not paid yet"), tone="warn"),
    PaymentStatus.REFUNDED: StatusEntry(label=N_("Refunded"), tone="info"),
    PaymentStatus.UNKNOWN: StatusEntry(label=STATUS_UNKNOWN),
}

PAYMENT_LABELS = labels_of(PAYMENT_STATUSES)


def payment_tone(status: PaymentStatus) -> Tone:
    return tone_of(PAYMENT_STATUSES, status)


def tells_payment(status: PaymentStatus, delivery: DeliveryStatus | None) -> bool:
    """Whether pages say how far the payment is: not of what was paid, nor of what nobody has to pay any more."""
    owed = delivery is not DeliveryStatus.ORDER_CANCELLED
    return status is not PaymentStatus.PAID and (owed or status is PaymentStatus.REFUNDED)


class InvoiceStatus(StrEnum):
    """Status of an invoice (part-1 §3 names cancelled, open and unpaid; a settled invoice is paid)."""

    PAID = "paid"
    OPEN = "open"
    UNPAID = "unpaid"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


INVOICE_STATUSES: dict[InvoiceStatus, StatusEntry[InvoiceStatus]] = {
    InvoiceStatus.PAID: StatusEntry(label=N_("Paid"), tone="ok"),
    InvoiceStatus.OPEN: StatusEntry(label=N_("Open"), tone="info"),
    InvoiceStatus.UNPAID: StatusEntry(label=N_("Unpaid"), tone="warn"),
    InvoiceStatus.CANCELLED: StatusEntry(label=N_("Cancelled")),
    InvoiceStatus.UNKNOWN: StatusEntry(label=STATUS_UNKNOWN),
}

INVOICE_LABELS = labels_of(INVOICE_STATUSES)


def invoice_tone(status: InvoiceStatus) -> Tone:
    return tone_of(INVOICE_STATUSES, status)


PAY_BY_APP = N_("Pay with your banking app")
PAY_UNTIL = N_("Scan the code with your banking app, or transfer the amount yourself. Pay no later than {date}.")
PAY_OVERDUE = N_("Scan the code with your banking app, or transfer the amount yourself. The due date was {date}.")
ACCOUNT_HOLDER = N_("In the name of")
PAYMENT_REFERENCE = N_("Payment reference")
PAYMENT_CODE = N_("QR code for your banking app: {amount} to {name}, {iban}, reference {number}")
"""What the page of an invoice and its PDF say about paying it."""

# A payment method that is not listed is shown under the name that the retailer sends.
PAYMENT_METHODS: dict[str, str] = {
    "ideal": N_("iDEAL"),
    "bancontact": N_("Bancontact"),
    "credit_card": N_("Credit card"),
    "bank_transfer": N_("Bank transfer"),
    "pay_later": N_("Pay later"),
    "lease_company": N_("Lease company"),
    "unknown": N_("Unknown"),
}

STORE_PICKUP = "store_pickup"
"""Delivery method of an order that the customer picks up at the store."""

DELIVERY_METHODS: dict[str, str] = {
    "home_ready_to_ride": N_("Delivered to your home, ready to ride"),
    "parcel": N_("Parcel"),
    STORE_PICKUP: N_("Collect from the store"),
}

INSURANCES: dict[str, str] = {
    "theft": N_("Theft"),
    "theft_and_damage": N_("Theft and damage"),
}
"""Names of the insurances sold with an order (part-2 §3)."""
