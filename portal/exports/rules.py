"""What an event holds, and which mailboxes of the retailer are told about it."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from portal.contract.models import Model
from portal.kernel.texts import N_
from portal.vocabulary.cases import WORKSHOP, CaseEventType, CaseKind
from portal.vocabulary.exchange import EVENT_TYPES, TEST_EVENT, Mailbox
from portal.vocabulary.returns import ReturnStatus

Scalar = str | int | bool | None


class CaseReference(Model):
    """The case that an event is about."""

    kind: CaseKind = Field(description="Kind of case.")
    reference: str = Field(description="Reference that the customer knows.")
    status: str = Field(description="Status after the event, as its kind names it.")
    store: str | None = Field(description="Public id of the store or workshop that handles it; null for the desk.")
    urgent: bool = Field(description="Whether it stands on top of the queue.")


class ShopId(Model):
    """The shop's own id of a record, as its import named it."""

    source: str = Field(description="Source of the import.")
    external_id: str = Field(description="Id at the source.")


class About(Model):
    """What an event or a case is about, by the shop's own ids; null where no import brought it."""

    customer: ShopId | None = Field(description="The customer.")
    order: ShopId | None = Field(description="The order.")
    order_number: str = Field(description="Number of the order; empty without one.")
    order_numbers: list[str] = Field(description="Numbers of all orders, such as of a return with items of two.")
    bike: ShopId | None = Field(description="The bike.")


By = Literal["customer", "staff", "portal"]


def by_whom(*, by_customer: bool, by_staff: bool) -> By:
    """Who did something, as an event says it."""
    return "customer" if by_customer else "staff" if by_staff else "portal"


class CaseEvent(Model):
    """`data` of `case.*`."""

    case: CaseReference
    about: About
    by: By = Field(description="Who did it.")
    details: dict[str, Scalar] = Field(description="What changed; only the keys below.")


class DeliveryEvent(Model):
    """`data` of `delivery.status_changed`."""

    order: str = Field(description="Order number; of one shipment with its number, such as 900000001-2.")
    about: About
    before: str = Field(description="Status before.")
    status: str = Field(description="Status after.")


class TestEvent(Model):
    """`data` of `webhook.test`."""

    __test__ = False

    webhook: str = Field(description="Id of the webhook.")


def data_of(type_: str) -> type[Model]:
    """The model of the data of a type of event."""
    if type_ == TEST_EVENT:
        return TestEvent
    return CaseEvent if type_.startswith("case.") else DeliveryEvent


def schema() -> dict[str, object]:
    """JSON Schema of all events: an object for each type."""
    definitions: dict[str, object] = {}
    for model in (CaseEvent, DeliveryEvent, TestEvent):
        described = model.model_json_schema(ref_template="#/$defs/{model}")
        definitions |= described.pop("$defs", {})
        definitions[model.__name__] = described
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Events",
        "oneOf": [
            {
                "type": "object",
                "description": happened,
                "properties": {
                    "type": {"const": type_},
                    "timestamp": {"type": "string", "format": "date-time"},
                    "data": {"$ref": f"#/$defs/{data_of(type_).__name__}"},
                },
                "required": ["type", "timestamp", "data"],
            }
            for type_, happened in EVENT_TYPES.items()
        ],
        "$defs": definitions,
    }


DETAILS: Mapping[str, str] = {
    "before": "status before",
    "status": "status after",
    "planned_date": "local day of the work or visit",
    "state_before": "state for staff before: new, open, waiting or done",
    "state": "state for staff after",
    "asks": "what a message to the customer asks for: nothing, an answer or a photo",
    "files": "number of files of a message",
    "what": "what staff corrected",
}
"""Details of an event that leave. Others stay inside: they may hold what somebody wrote, or name a person."""


def outgoing_details(details: Mapping[str, Any]) -> dict[str, Scalar]:
    """The details that leave. Long texts are dropped, because only written text is long."""
    return {
        name: value
        for name, value in details.items()
        if name in DETAILS and isinstance(value, str | int | bool | None) and len(str(value)) <= 40
    }


HEADINGS: Mapping[CaseEventType, str] = {
    CaseEventType.OPENED: N_("New"),
    CaseEventType.ASSIGNED: N_("Assigned to you"),
    CaseEventType.MOVED_TO_STORE: N_("Handed over to you"),
    CaseEventType.MESSAGE_FROM_CUSTOMER: N_("Message from the customer"),
    CaseEventType.STATUS_CHANGED: N_("Confirmed or changed by the customer"),
    CaseEventType.CLOSED: N_("Closed by the customer"),
    CaseEventType.REOPENED: N_("Opened again by the customer"),
}
"""What a mail to staff says first, where that is not the label of the event."""

REFUND_HEADING = N_("Refund due")

_REFUND_DECIDED = {(kind, ReturnStatus.CLOSED.value) for kind in (CaseKind.RETURN, CaseKind.WITHDRAWAL)}
"""Kinds and statuses in which a refund has to be paid. Without a refund they are the end of a case."""


def recipients_of(
    kind: CaseKind,
    happened: CaseEventType,
    status: str,
    *,
    moved: bool = False,
    by_customer: bool,
    waiting: bool = False,
    has_store: bool,
) -> set[Mailbox]:
    """Which mailboxes are told about an event; none for most of what staff do themselves.

    `waiting`: whether the customer has to confirm first; until then nothing was requested.
    `has_store`: whether a store or workshop handles the case.
    """
    if moved and happened is CaseEventType.STATUS_CHANGED and (kind, status) in _REFUND_DECIDED:
        return {Mailbox.FINANCE}
    if happened is CaseEventType.OPENED and kind is CaseKind.BATTERY_ALARM:
        # The desk gets a mail of its own, with the number to call.
        return {Mailbox.STORE, Mailbox.WAREHOUSE} if has_store else {Mailbox.WAREHOUSE}
    new = happened is CaseEventType.OPENED and not waiting
    later = by_customer and happened in {
        CaseEventType.MESSAGE_FROM_CUSTOMER,
        CaseEventType.STATUS_CHANGED,
        CaseEventType.CLOSED,
        CaseEventType.REOPENED,
    }
    if new or later or happened is CaseEventType.MOVED_TO_STORE:
        return {responsible(kind, has_store=has_store)}
    return set()


def is_news_to_handler(happened: CaseEventType, *, by_customer: bool) -> bool:
    """Whether the person who handles a case is told about an event that somebody else caused."""
    return by_customer or happened in {
        CaseEventType.ASSIGNED,
        CaseEventType.NOTE_ADDED,
        CaseEventType.LINK_EXPIRED,
    }


def responsible(kind: CaseKind, *, has_store: bool) -> Mailbox:
    """The mailbox of whoever works on a case."""
    if has_store and (kind in WORKSHOP or kind is CaseKind.RETURN):
        return Mailbox.STORE
    return Mailbox.WAREHOUSE if kind is CaseKind.RETURN else Mailbox.DESK
