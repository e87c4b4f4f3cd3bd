"""Contracts taken out in the portal, how they end, and withdrawals: kinds and statuses."""

from enum import StrEnum

from portal.kernel.status_graph import StatusGraph
from portal.kernel.texts import N_
from portal.vocabulary.status import (
    STATUS_UNKNOWN,
    UNCLEAR,
    Due,
    StatusEntry,
    Tone,
    Turn,
    desk_labels_of,
    graph_of,
    labels_of,
    tone_of,
)


class ContractKind(StrEnum):
    SERVICE_PACKAGE = "service_package"
    INSURANCE = "insurance"
    UNKNOWN = "unknown"


CONTRACT_KIND_NAMES: dict[ContractKind, str] = {
    ContractKind.SERVICE_PACKAGE: N_("Service package"),
    ContractKind.INSURANCE: N_("Insurance"),
    ContractKind.UNKNOWN: N_("Contract"),
}


class EndKind(StrEnum):
    WITHDRAWAL = "withdrawal"
    CANCELLATION = "cancellation"
    DEPARTURE = "departure"
    UNKNOWN = "unknown"


RIGHT_OF_WITHDRAWAL = N_(
    "You can withdraw within {withdrawal_days} days, without giving a reason. After that you "
    "can cancel any day, under Your contracts."
)
"""Told before a service package or an insurance is taken out."""

END_KIND_NAMES: dict[EndKind, str] = {
    EndKind.WITHDRAWAL: N_("Withdrawal"),
    EndKind.CANCELLATION: N_("Cancellation"),
    EndKind.DEPARTURE: N_("Ended with the bike"),
    EndKind.UNKNOWN: N_("Request"),
}


class EndStatus(StrEnum):
    RECEIVED = "received"
    CONFIRMED = "confirmed"
    PROCESSED = "processed"
    TAKEN_BACK = "taken_back"
    UNKNOWN = "unknown"


_S = EndStatus

END_STATUSES: dict[EndStatus, StatusEntry[EndStatus]] = {
    # Declared without a login.
    _S.RECEIVED: StatusEntry(
        due=Due(2, Turn.CUSTOMER),
        label=N_("Waiting for your confirmation"),
        meaning=N_("We’ve received it. Your contract stays as it is until you confirm."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        transitions=(_S.CONFIRMED, _S.TAKEN_BACK),
    ),
    _S.CONFIRMED: StatusEntry(
        due=Due(5),
        label=N_("Being processed"),
        meaning=N_("We’ve received it and are processing it. We’ll write if we need anything else."),
        desk=N_("To be processed"),
        tone="info",
        transitions=(_S.PROCESSED, _S.TAKEN_BACK),
    ),
    _S.PROCESSED: StatusEntry(label=N_("Processed"), meaning=N_("We’ve processed it."), tone="ok"),
    _S.TAKEN_BACK: StatusEntry(label=N_("Taken back"), meaning=N_("Your contract carries on as before.")),
    _S.UNKNOWN: StatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}

END_LABELS = labels_of(END_STATUSES)
END_DESK_LABELS = desk_labels_of(END_STATUSES)
CONTRACT_ENDS: StatusGraph[EndStatus] = graph_of(_S.RECEIVED, END_STATUSES)
BINDING = frozenset({_S.CONFIRMED, _S.PROCESSED})
"""Statuses that end the contract; a contract has at most one end in these."""


def end_tone(status: EndStatus) -> Tone:
    return tone_of(END_STATUSES, status)


class DeclarationStatus(StrEnum):
    """Status of a declaration without a login."""

    RECEIVED = "received"
    CONFIRMED = "confirmed"
    TAKEN_BACK = "taken_back"
    UNKNOWN = "unknown"


_D = DeclarationStatus

DECLARATION_STATUSES: dict[DeclarationStatus, StatusEntry[DeclarationStatus]] = {
    _D.RECEIVED: StatusEntry(
        due=Due(2, Turn.CUSTOMER),
        label=N_("Waiting for your confirmation"),
        meaning=N_("We’ve received this withdrawal. Your order stays as it is until you confirm."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        transitions=(_D.CONFIRMED, _D.TAKEN_BACK),
    ),
    # The return that follows has the same reference, and the status from then on.
    _D.CONFIRMED: StatusEntry(
        label=N_("Confirmed"), meaning=N_("What counts is the moment of your declaration."), tone="ok"
    ),
    _D.TAKEN_BACK: StatusEntry(label=N_("Taken back"), meaning=N_("Your order stays as it was.")),
    _D.UNKNOWN: StatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}

DECLARATION_DESK_LABELS = desk_labels_of(DECLARATION_STATUSES)
DECLARATIONS: StatusGraph[DeclarationStatus] = graph_of(_D.RECEIVED, DECLARATION_STATUSES)


class DeclarationAnswer(StrEnum):
    CONFIRM = "confirm"
    TAKE_BACK = "take_back"
