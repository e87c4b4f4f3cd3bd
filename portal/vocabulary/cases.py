"""Cases: everything a customer sent that staff work on. Kinds, states, events, and messages about it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from portal.kernel.terms import DUE_DAYS
from portal.kernel.texts import N_
from portal.vocabulary.contracts import (
    DECLARATION_DESK_LABELS,
    DECLARATION_STATUSES,
    END_DESK_LABELS,
    END_STATUSES,
    DeclarationStatus,
    EndStatus,
)
from portal.vocabulary.deliveries import DATE_CHANGE_DESK_LABELS, DATE_CHANGE_STATUSES, DateChangeStatus
from portal.vocabulary.insurance import INSURANCE_DESK_LABELS, INSURANCE_STATUSES, InsuranceStatus
from portal.vocabulary.returns import RETURN_DESK_LABELS, RETURN_STATUSES, ReturnStatus
from portal.vocabulary.staff import RIGHTS, Right, Role
from portal.vocabulary.status import STATUS_UNKNOWN, Due, StatusEntry, Turn
from portal.vocabulary.work_orders import (
    SERVICE_DESK_LABELS,
    WORK_ORDER_DESK_LABELS,
    WORK_ORDER_STATUSES,
    WorkOrderStatus,
)


class CaseKind(StrEnum):
    """Kind of case. Its facts are in the tables of its subject."""

    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    RETURN = "return"
    WITHDRAWAL = "withdrawal"
    INSURANCE = "insurance"
    DATE_CHANGE = "date_change"
    CONTRACT_END = "contract_end"
    BATTERY_ALARM = "battery_alarm"
    """An unsafe battery that a customer reported; always on top of the queue."""
    UNKNOWN = "unknown"


def kind_path(kind: CaseKind) -> str:
    """The kind as it stands in an address, such as `date-change`."""
    return kind.value.replace("_", "-")


KIND_OF_PATH: Mapping[str, CaseKind] = {kind_path(kind): kind for kind in CaseKind if kind is not CaseKind.UNKNOWN}

CASE_LABELS: Mapping[CaseKind, str] = {
    CaseKind.REPAIR: N_("Repair"),
    CaseKind.SERVICE: N_("Service"),
    CaseKind.CLAIM: N_("Insurance claim"),
    CaseKind.RETURN: N_("Return"),
    CaseKind.WITHDRAWAL: N_("Withdrawal"),
    CaseKind.INSURANCE: N_("Insurance"),
    CaseKind.DATE_CHANGE: N_("Delivery date change"),
    CaseKind.CONTRACT_END: N_("Cancellation"),
    CaseKind.BATTERY_ALARM: N_("Battery alarm"),
    CaseKind.UNKNOWN: N_("Case"),
}

WORKSHOP = frozenset({CaseKind.REPAIR, CaseKind.SERVICE, CaseKind.CLAIM, CaseKind.BATTERY_ALARM})
"""Kinds that a store or workshop handles."""

HANDED_OVER = WORKSHOP - {CaseKind.BATTERY_ALARM}
"""Kinds that one store gives to another; the customer is told where to bring the bike."""

_ALL = frozenset(CaseKind)

KINDS_OF: Mapping[Role, frozenset[CaseKind]] = {
    Role.MECHANIC: WORKSHOP,
    Role.STORE_MANAGER: _ALL,
    Role.SERVICE_DESK: _ALL,
    Role.WAREHOUSE: frozenset({CaseKind.RETURN, CaseKind.BATTERY_ALARM}),
    Role.FINANCE: frozenset({CaseKind.RETURN, CaseKind.WITHDRAWAL, CaseKind.CLAIM}),
    Role.ADMINISTRATOR: _ALL,
    Role.UNKNOWN: frozenset(),
}
"""Kinds that a role sees. Roles of a store see only the cases of their stores."""


def may_handle(role: Role, kind: CaseKind) -> bool:
    """Whether people of a role can take a case of this kind a step further."""
    rights = RIGHTS[role]
    return kind in KINDS_OF[role] and (
        Right.WORK_ON_CASES in rights
        or (Right.RECEIVE_RETURNS in rights and kind is CaseKind.RETURN)
        or (Right.RELEASE_REFUNDS in rights and kind in {CaseKind.RETURN, CaseKind.WITHDRAWAL})
    )


STATUSES_OF: Mapping[CaseKind, Mapping[Any, str]] = {
    CaseKind.REPAIR: WORK_ORDER_DESK_LABELS,
    CaseKind.SERVICE: SERVICE_DESK_LABELS,
    CaseKind.CLAIM: WORK_ORDER_DESK_LABELS,
    CaseKind.RETURN: RETURN_DESK_LABELS,
    # A declaration becomes a return with the same reference.
    CaseKind.WITHDRAWAL: {**DECLARATION_DESK_LABELS, **RETURN_DESK_LABELS},
    CaseKind.INSURANCE: INSURANCE_DESK_LABELS,
    CaseKind.DATE_CHANGE: DATE_CHANGE_DESK_LABELS,
    CaseKind.CONTRACT_END: END_DESK_LABELS,
    CaseKind.BATTERY_ALARM: RETURN_DESK_LABELS,
    CaseKind.UNKNOWN: {},
}


def status_label(kind: CaseKind, status: str) -> str:
    return STATUSES_OF[kind].get(status, STATUS_UNKNOWN)


def _rows(rows: Mapping[Any, StatusEntry[Any]]) -> dict[str, Due]:
    return {status.value: row.due for status, row in rows.items() if row.due}


_OF_WORK, _OF_RETURN = _rows(WORK_ORDER_STATUSES), _rows(RETURN_STATUSES)
_OF_CLAIM = {status.value: row.due_of_claim for status, row in WORK_ORDER_STATUSES.items() if row.due_of_claim}

_DUE: Mapping[CaseKind, Mapping[str, Due]] = {
    CaseKind.REPAIR: _OF_WORK,
    CaseKind.SERVICE: _OF_WORK,
    CaseKind.CLAIM: {**_OF_WORK, **_OF_CLAIM},
    CaseKind.RETURN: _OF_RETURN,
    CaseKind.WITHDRAWAL: {**_rows(DECLARATION_STATUSES), **_OF_RETURN},
    CaseKind.INSURANCE: _rows(INSURANCE_STATUSES),
    CaseKind.DATE_CHANGE: _rows(DATE_CHANGE_STATUSES),
    CaseKind.CONTRACT_END: _rows(END_STATUSES),
    CaseKind.BATTERY_ALARM: {status: replace(due, turn=Turn.STAFF) for status, due in _OF_RETURN.items()},
    CaseKind.UNKNOWN: {},
}

QUESTION = "question"
"""Name of the time for an answer to a question of staff, in `DUE_DAYS`."""

DUE_NAMES = frozenset({QUESTION, *(f"{kind}.{status}" for kind, rows in _DUE.items() for status in rows)})
"""What a retailer can set other working days for."""

ANSWER_DAYS = DUE_DAYS.get(QUESTION, 5)
"""Working days after which a question that the customer did not answer counts as overdue."""


def due_of(kind: CaseKind, status: str) -> Due | None:
    """How long a case may stay in a status, and who acts next; None for a status that is no longer open."""
    row = _DUE[kind].get(status)
    return row and replace(row, days=DUE_DAYS.get(f"{kind}.{status}", row.days))


STEP_ACTIONS: Mapping[str, str] = {
    WorkOrderStatus.WAIT_FOR_CUSTOMER.value: N_("Report as ready"),
    WorkOrderStatus.COMPLETED.value: N_("Complete the work"),
    WorkOrderStatus.DONE.value: N_("Close: the customer has the bike"),
    WorkOrderStatus.REPAIR_CONTINUED.value: N_("Continue the work"),
    WorkOrderStatus.WAIT_FOR_OBJECT.value: N_("Make the appointment"),
    WorkOrderStatus.WAIT_FOR_REPAIR.value: N_("Schedule the work"),
    WorkOrderStatus.IN_REPAIR.value: N_("Start the work"),
    # Also a change of the delivery day.
    WorkOrderStatus.ACCEPTED.value: N_("Accept"),
    WorkOrderStatus.WAIT_FOR_PARTS.value: N_("Wait for parts"),
    WorkOrderStatus.WAIT_FOR_REPAIR_AFTER_IN_REPAIR.value: N_("Pause the work"),
    WorkOrderStatus.NEW.value: N_("Prepare another quote"),
    ReturnStatus.REFUND_PROCESSED.value: N_("Record the refund"),
    ReturnStatus.CLOSED.value: N_("Close the return"),
    ReturnStatus.PICKUP_CONFIRMED.value: N_("Confirm the pick-up"),
    ReturnStatus.PICKUP_REQUEST_CREATED.value: N_("Accept the return"),
    ReturnStatus.RECEIVED.value: N_("Record the arrival"),
    ReturnStatus.REQUEST_RECEIVED.value: N_("Take on the request"),
    ReturnStatus.PENDING_CONFIRMATION.value: N_("Ask for confirmation again"),
    InsuranceStatus.FINISHED.value: N_("Record the policy"),
    InsuranceStatus.CREATED.value: N_("Pass on to the insurer"),
    InsuranceStatus.WAITING_FOR_INPUT.value: N_("Ask the customer"),
    DateChangeStatus.WAITING_FOR_RETAILER.value: N_("Confirm for the customer"),
    DateChangeStatus.WAITING_FOR_CUSTOMER.value: N_("Ask for confirmation again"),
    EndStatus.PROCESSED.value: N_("Process"),
    # Also a withdrawal.
    EndStatus.CONFIRMED.value: N_("Confirm"),
    EndStatus.TAKEN_BACK.value: N_("Record as taken back"),
    ReturnStatus.REJECTED.value: N_("Reject"),
    DateChangeStatus.REFUSED.value: N_("Refuse"),
    ReturnStatus.EXPIRED.value: N_("Let it expire"),
    WorkOrderStatus.CANCELLED.value: N_("Cancel this case"),
}
"""What staff do to bring a case to a status; the likelier of two that may follow stands first."""

_LIKELY = {status: place for place, status in enumerate(STEP_ACTIONS)}


STEP_RIGHTS: Mapping[str, Right] = {ReturnStatus.REFUND_PROCESSED.value: Right.RELEASE_REFUNDS}
"""Rights that a step needs beside that to work on cases."""


def likeliest_first(kind: CaseKind, current: str, following: Iterable[str]) -> list[str]:
    """Sort the statuses that may follow: forward, then back, and the cancellation last."""
    order = [str(status) for status in STATUSES_OF[kind]]

    def place(status: str) -> tuple[bool, bool, int]:
        back = order.index(status) < order.index(current)
        return status == WorkOrderStatus.CANCELLED.value, back, _LIKELY[status]

    return sorted(following, key=place)


_WORK_CANCELLED = WorkOrderStatus.CANCELLED.value

CANCELLED_AS: Mapping[CaseKind, str] = {
    CaseKind.REPAIR: _WORK_CANCELLED,
    CaseKind.SERVICE: _WORK_CANCELLED,
    CaseKind.CLAIM: _WORK_CANCELLED,
    CaseKind.RETURN: ReturnStatus.CANCELLED.value,
    CaseKind.INSURANCE: InsuranceStatus.CANCELLED.value,
    CaseKind.DATE_CHANGE: DateChangeStatus.CANCELLED.value,
    CaseKind.WITHDRAWAL: DeclarationStatus.TAKEN_BACK.value,
    CaseKind.CONTRACT_END: EndStatus.TAKEN_BACK.value,
}
"""The status of a case that the customer cancelled, by kind. A battery alarm is not cancelled: somebody has to look at
the battery."""


class CaseState(StrEnum):
    """Where a case stands for staff; the status that the customer sees is that of its subject."""

    NEW = "new"
    """Nobody has worked on it."""
    OPEN = "open"
    WAITING = "waiting"
    """The customer has to answer first; the promise stands still."""
    DONE = "done"
    UNKNOWN = "unknown"


CASE_STATES: Mapping[CaseState, str] = {
    CaseState.NEW: N_("New"),
    CaseState.OPEN: N_("In progress"),
    CaseState.WAITING: N_("Waiting for customer"),
    CaseState.DONE: N_("Resolved"),
    CaseState.UNKNOWN: N_("Unknown"),
}


class CaseView(StrEnum):
    NEW = "new"
    UNREAD = "unread"
    """The customer sent something that nobody has opened; also in a case that is done."""
    MINE = "mine"
    WAITING = "waiting"
    OVERDUE = "overdue"
    TODAY = "today"
    """Promised for today, or planned for today."""
    DONE = "done"
    OPEN = "open"
    """Everything that is not done."""


CASE_VIEWS: Mapping[CaseView, str] = {
    CaseView.NEW: N_("New"),
    CaseView.UNREAD: N_("Unread"),
    CaseView.MINE: N_("Mine"),
    CaseView.WAITING: N_("Waiting for customer"),
    CaseView.OVERDUE: N_("Overdue"),
    CaseView.TODAY: N_("Today"),
    CaseView.DONE: N_("Resolved"),
    CaseView.OPEN: N_("All open"),
}


class CaseSort(StrEnum):
    """Order of the queue. Urgent cases come first in each, and equal ones in the order of their promise."""

    PROMISE = "promise"
    """The oldest promise first; what was resolved last comes first among resolved ones."""
    AGE = "age"
    """The oldest request first."""
    NEWEST = "newest"
    STATUS = "status"
    """By kind, then in the order in which a case goes through its statuses."""


CASE_SORTS: Mapping[CaseSort, str] = {
    CaseSort.PROMISE: N_("By promise"),
    CaseSort.AGE: N_("Oldest first"),
    CaseSort.NEWEST: N_("Newest first"),
    CaseSort.STATUS: N_("By status"),
}


class CaseEventType(StrEnum):
    """What happened to a case. The value is the type of the event that goes out: `case.opened`."""

    OPENED = "opened"
    STATUS_CHANGED = "status_changed"
    PLANNED = "planned"
    ASSIGNED = "assigned"
    MOVED_TO_STORE = "moved_to_store"
    MESSAGE_FROM_STAFF = "message_from_staff"
    MESSAGE_FROM_CUSTOMER = "message_from_customer"
    NOTE_ADDED = "note_added"
    FILE_ADDED = "file_added"
    CORRECTED = "corrected"
    REFUND_ACCOUNT = "refund_account"
    REFUND_CONFIRMED = "refund_confirmed"
    LINK_EXPIRED = "link_expired"
    """The customer did not use the mailed link, or bring a return, in time."""
    CLOSED = "closed"
    REOPENED = "reopened"
    UNKNOWN = "unknown"


EVENT_LABELS: Mapping[CaseEventType, str] = {
    CaseEventType.OPENED: N_("Request received"),
    CaseEventType.STATUS_CHANGED: N_("Status changed"),
    CaseEventType.PLANNED: N_("Day planned"),
    CaseEventType.ASSIGNED: N_("Assigned"),
    CaseEventType.MOVED_TO_STORE: N_("Handed over to another store"),
    CaseEventType.MESSAGE_FROM_STAFF: N_("Message to the customer"),
    CaseEventType.MESSAGE_FROM_CUSTOMER: N_("Message from the customer"),
    CaseEventType.NOTE_ADDED: N_("Note added"),
    CaseEventType.FILE_ADDED: N_("File added"),
    CaseEventType.CORRECTED: N_("Corrected"),
    CaseEventType.REFUND_ACCOUNT: N_("Account for the refund entered"),
    CaseEventType.REFUND_CONFIRMED: N_("Refund confirmed by a second person"),
    CaseEventType.LINK_EXPIRED: N_("The customer did not act in time"),
    CaseEventType.CLOSED: N_("Resolved"),
    CaseEventType.REOPENED: N_("Reopened"),
    CaseEventType.UNKNOWN: N_("Changed"),
}


class Asks(StrEnum):
    NOTHING = "nothing"
    ANSWER = "answer"
    PHOTO = "photo"
    UNKNOWN = "unknown"


ASKS_LABELS: Mapping[Asks, str] = {
    Asks.NOTHING: N_("No answer needed"),
    Asks.ANSWER: N_("Answer"),
    Asks.PHOTO: N_("Photo"),
    Asks.UNKNOWN: N_("Answer"),
}


class Way(StrEnum):
    """How a message reaches the customer, besides the page of the request."""

    MAIL = "mail"
    TEXT_MESSAGE = "text_message"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    OVER = "over"
    """Its record was deleted when the retention period ended."""
    UNKNOWN = "unknown"


REQUEST_PAGE = "/requests"
"""Where the pages of requests are that have none in their own subject."""

CONVERSATION_PAGES: Mapping[CaseKind, str] = {
    CaseKind.REPAIR: "/maintenance",
    CaseKind.SERVICE: "/maintenance",
    CaseKind.CLAIM: "/maintenance",
    CaseKind.RETURN: "/returns",
    CaseKind.WITHDRAWAL: "/returns",
    CaseKind.INSURANCE: REQUEST_PAGE,
    CaseKind.DATE_CHANGE: REQUEST_PAGE,
    CaseKind.CONTRACT_END: REQUEST_PAGE,
}
"""Where the customer's page with the conversation is, by kind of case. A battery alarm is about a return, which has
one."""

DONE_LABELS: Mapping[CaseEventType, str] = {
    CaseEventType.OPENED: N_("Request sent"),
    CaseEventType.CLOSED: N_("Request cancelled"),
    CaseEventType.CORRECTED: N_("Question answered"),
    CaseEventType.MESSAGE_FROM_CUSTOMER: N_("Message written"),
}
"""What staff did in the customer's name, in words for the customer; `CHANGED` is everything else."""

CHANGED = N_("Request changed")

ASKED_STATUS = N_("Waiting for your answer")
ASKED_MEANING = N_("We’ve asked you something. We carry on once you’ve answered.")
"""Status and meaning of a request in a list while staff wait for an answer of the customer."""

MAX_CHARACTERS = 2000
"""Longest text of a message, in characters."""

MAX_FILES = 5
"""Most files of a message."""
