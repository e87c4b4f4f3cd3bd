"""Withdrawals that were declared without a login: their statuses, and the answers to their mailed link (part-2 §11)."""

from __future__ import annotations

from enum import StrEnum

from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import N_
from portal.vocabulary.status import (
    STATUS_UNKNOWN,
    UNCLEAR,
    StatusEntry,
    desk_labels_of,
    graph_of,
)


class DeclarationStatus(StrEnum):
    """Status of a declaration without a login."""

    RECEIVED = "received"
    CONFIRMED = "confirmed"
    TAKEN_BACK = "taken_back"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


_S = DeclarationStatus

DECLARATION_STATUSES: dict[DeclarationStatus, StatusEntry[DeclarationStatus]] = {
    _S.RECEIVED: StatusEntry(
        label=N_("Waiting for your confirmation"),
        meaning=N_("We’ve received this withdrawal. Your order stays as it is until you confirm."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        transitions=(_S.CONFIRMED, _S.TAKEN_BACK),
    ),
    # The return that follows has the same reference, and the status from then on.
    _S.CONFIRMED: StatusEntry(
        label=N_("Confirmed"), meaning=N_("What counts is the moment of your declaration."), tone="ok"
    ),
    _S.TAKEN_BACK: StatusEntry(label=N_("Taken back"), meaning=N_("Your order stays as it was.")),
    _S.UNKNOWN: StatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}

DECLARATION_DESK_LABELS = desk_labels_of(DECLARATION_STATUSES)
DECLARATIONS: StatusGraph[DeclarationStatus] = graph_of(_S.RECEIVED, DECLARATION_STATUSES)
"""The transitions of a declaration."""


class DeclarationAnswer(StrEnum):
    """What the customer answers on the page of the mailed link."""

    CONFIRM = "confirm"
    TAKE_BACK = "take_back"
