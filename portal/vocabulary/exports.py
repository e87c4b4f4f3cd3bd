"""What leaves the portal: types of events, states of their deliveries, and mailboxes of the retailer."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.cases import CaseEventType


class DeliveryState(StrEnum):
    """Where the delivery of an event stands."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Given up after three days; it can be replayed."""
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


DELIVERY_STATES: Mapping[DeliveryState, str] = {
    DeliveryState.WAITING: N_("Waiting"),
    DeliveryState.DELIVERED: N_("Delivered"),
    DeliveryState.FAILED: N_("Failed"),
    DeliveryState.UNKNOWN: N_("Unknown"),
}


class NoAnswer(StrEnum):
    """Why a request to a receiver got no answer. A stored text begins with the value; details may follow a colon."""

    REFUSED = "refused"
    LATE = "no answer in time"
    UNREACHABLE = "no connection"


NO_ANSWERS: Mapping[NoAnswer, str] = {
    NoAnswer.REFUSED: N_("Events can’t be sent to this address."),
    NoAnswer.LATE: N_("It didn’t answer in time."),
    NoAnswer.UNREACHABLE: N_("It couldn’t be reached."),
}


class RefundWay(StrEnum):
    """How a refund is paid."""

    ORIGINAL = "original"
    """The way the order was paid, by the shop's payment provider."""
    ACCOUNT = "account"
    """To an account that the customer named, by the bank."""
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


REFUND_WAYS: Mapping[RefundWay, str] = {
    RefundWay.ORIGINAL: N_("The way it was paid"),
    RefundWay.ACCOUNT: N_("To a bank account"),
    RefundWay.UNKNOWN: N_("Unknown"),
}


class Mailbox(StrEnum):
    """A mailbox of the retailer that is told about cases."""

    STORE = "store"
    """The address of the store or workshop that handles the case."""
    DESK = "desk"
    FINANCE = "finance"
    WAREHOUSE = "warehouse"


DELIVERY_EVENT = "delivery.status_changed"

TEST_EVENT = "webhook.test"
"""Type of the event that somebody sends to try a webhook."""


def case_event(happened: CaseEventType) -> str:
    """The type of the event that goes out."""
    return f"case.{happened.value}"


EVENT_TYPES: Mapping[str, str] = {
    "case.opened": N_("A customer sent a request, or staff sent one for a customer."),
    "case.status_changed": N_("The status of a case changed."),
    "case.planned": N_("A day was planned."),
    "case.assigned": N_("A case was assigned to someone, or no longer is."),
    "case.moved_to_store": N_("A case was handed over to another store or workshop."),
    "case.message_from_staff": N_("The retailer wrote to the customer."),
    "case.message_from_customer": N_("The customer wrote."),
    "case.note_added": N_("Staff added an internal note. Its text is never sent out."),
    "case.file_added": N_("A file was added."),
    "case.corrected": N_("Staff corrected details of the case or its customer."),
    "case.refund_account": N_("The account for a refund was entered or replaced. Its number is never sent out."),
    "case.refund_confirmed": N_("A second person confirmed a refund."),
    "case.link_expired": N_("The customer did not use the link in the email in time; the case is back with staff."),
    "case.closed": N_("A case was finished."),
    "case.reopened": N_("A finished case was reopened."),
    DELIVERY_EVENT: N_("The delivery of an order got a new status."),
    TEST_EVENT: N_("Sent by hand to test a webhook."),
}
"""All types of events, with what happened. A new type may be added at any time; a type never changes its meaning."""
