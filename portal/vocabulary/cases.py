"""Cases: everything a customer sent that staff work on. Kinds, states, and what can happen to one."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.staff import Role


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
    """A value from a newer provider that this portal does not know; never stored."""


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


class CaseState(StrEnum):
    """Where a case stands for staff; the status that the customer sees is that of its subject."""

    NEW = "new"
    """Nobody has worked on it."""
    OPEN = "open"
    WAITING = "waiting"
    """The customer has to answer first; the promise stands still."""
    DONE = "done"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


CASE_STATES: Mapping[CaseState, str] = {
    CaseState.NEW: N_("New"),
    CaseState.OPEN: N_("In progress"),
    CaseState.WAITING: N_("Waiting for customer"),
    CaseState.DONE: N_("Done"),
    CaseState.UNKNOWN: N_("Unknown"),
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
    CLOSED = "closed"
    REOPENED = "reopened"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""
