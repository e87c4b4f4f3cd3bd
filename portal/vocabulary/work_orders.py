"""Repairs, services and claims: kinds of requests, and statuses and phases of work orders (part-1 §4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from portal.kernel.status_graph import StatusGraph, combined_transitions
from portal.kernel.terms import SILENCE_WEEKS
from portal.kernel.texts import N_
from portal.vocabulary.locations import Handover
from portal.vocabulary.status import (
    STATUS_UNKNOWN,
    UNCLEAR,
    Due,
    StatusEntry,
    Tone,
    Turn,
    desk_labels_of,
    labels_of,
    meanings_of,
    tone_of,
    transitions_of,
)


class RequestKind(StrEnum):
    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    UNKNOWN = "unknown"


REQUEST_LABELS: dict[RequestKind, str] = {
    RequestKind.REPAIR: N_("Repair"),
    RequestKind.SERVICE: N_("Service"),
    RequestKind.CLAIM: N_("Insurance claim"),
    RequestKind.UNKNOWN: N_("Request"),
}


class WorkOrderStatus(StrEnum):
    """Status of a repair, a service or a claim (part-1 §4)."""

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


class Actor(StrEnum):
    CUSTOMER = "customer"
    BACK_OFFICE = "back_office"
    UNKNOWN = "unknown"


_REPAIR_PHASES = (N_("Request"), N_("Appointment"), N_("Repair"), N_("Pick up"))
_SERVICE_PHASES = (N_("Request"), N_("Appointment"), N_("Service"), N_("Pick up"))
_CLAIM_PHASES = (N_("Quote"), N_("Review"), N_("Repair"))

PHASES: dict[RequestKind, tuple[str, ...]] = {
    RequestKind.REPAIR: _REPAIR_PHASES,
    RequestKind.SERVICE: _SERVICE_PHASES,
    RequestKind.CLAIM: _CLAIM_PHASES,
}
"""The phases of each kind (part-1 §2)."""

_S = WorkOrderStatus


@dataclass(frozen=True, kw_only=True, slots=True)
class HandoverWords:
    """The words of a status for one way in which the bike goes. What is empty reads as for every other way.

    `meaning`: meaning for a repair and a claim.
    `of_service`: meaning for a service, where it differs.
    `planned`: meaning once a day is planned, where it differs.
    """

    label: str = ""
    meaning: str = ""
    desk: str = ""
    of_service: str = ""
    planned: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkOrderStatusEntry(StatusEntry[WorkOrderStatus]):
    """A status of a work order.

    `meaning`: meaning for a repair, in the words of the requirements.
    `of_service`, `of_claim`: meaning for a service and for a claim, where it differs.
    `label_of_service`: name for a service, where it differs.
    `planned`, `planned_of_claim`: meaning once a day is planned, where it differs.
    `handovers`: the words where they depend on the chosen handover.
    `names_day`: whether a planned day is still ahead: the bike changes hands, or the mechanic comes.
    `due_of_claim`: as `due`, where a claim differs: its insurer reviews the quote.
    `claim_phase`: phase of a claim. A claim has no pick-up phase; its repair phase lasts until the bike is back.
    `at_home`: further statuses that may follow when the mechanic comes to the customer.
    `mailed`: whether this status is mailed to the customer; steps inside the workshop are only shown in the portal.
    """

    of_service: str = ""
    label_of_service: str = ""
    of_claim: str = ""
    planned: str = ""
    planned_of_claim: str = ""
    names_day: bool = False
    handovers: Mapping[Handover, HandoverWords] = field(default_factory=dict)
    due_of_claim: Due | None = None
    claim_phase: int | None = None
    at_home: tuple[WorkOrderStatus, ...] = ()
    quote: tuple[WorkOrderStatus, ...] = ()
    closed: bool = False
    mailed: bool = False


WORK_ORDER_STATUSES: dict[WorkOrderStatus, WorkOrderStatusEntry] = {
    _S.NEW: WorkOrderStatusEntry(
        due=Due(3, Turn.PARTNER),
        label=N_("Request received"),
        meaning=N_("We’ve got your repair request."),
        desk=N_("Received"),
        of_service=N_("We’ve got your request."),
        of_claim=N_("The damage has been reported. A mechanic will prepare a quote."),
        names_day=True,
        tone="info",
        phase=0,
        claim_phase=0,
        transitions=(_S.ACCEPTED, _S.CANCELLED),
    ),
    # Next the workshop waits for the bike, for the repair, or for parts.
    _S.ACCEPTED: WorkOrderStatusEntry(
        due=Due(3, Turn.PARTNER),
        due_of_claim=Due(10, Turn.INSURER),
        label=N_("Accepted"),
        meaning=N_("Your request has been accepted and can be scheduled. The mechanic will contact you."),
        of_claim=N_(
            "The quote is ready for your insurer to review. The mechanic will contact you to "
"schedule the repair."
        ),
        planned=N_("Your request has been accepted and planned."),
        planned_of_claim=N_("The quote is ready for your insurer to review. The repair is planned."),
        names_day=True,
        tone="info",
        phase=1,
        claim_phase=1,
        transitions=(_S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR, _S.WAIT_FOR_PARTS, _S.CANCELLED),
        at_home=(_S.IN_REPAIR,),
        quote=(_S.NEW,),
        mailed=True,
    ),
    # Back to accepted if the appointment did not take place.
    _S.WAIT_FOR_OBJECT: WorkOrderStatusEntry(
        due=Due(5, Turn.CUSTOMER),
        label=N_("Ready for drop-off"),
        meaning=N_("The workshop is ready for your bike. You can bring it during opening hours."),
        desk=N_("May be brought in"),
        planned=N_("The workshop is ready for your bike. Bring it on the agreed day."),
        handovers={
            Handover.PICK_UP: HandoverWords(
                label=N_("Ready for your bike"),
                meaning=N_("The workshop is ready for your bike. We’ll agree with you when we pick it up."),
                desk=N_("To be picked up"),
                planned=N_("The workshop is ready for your bike. We’ll pick it up on the agreed day."),
            ),
            Handover.CALL_OUT: HandoverWords(
                label=N_("Ready for your bike"),
                meaning=N_("The mechanic is ready for your bike. We’ll agree with you when the mechanic comes."),
                desk=N_("Mechanic to visit"),
                planned=N_("The mechanic will come to you on the agreed day."),
            ),
        },
        names_day=True,
        tone="warn",
        phase=1,
        claim_phase=2,
        transitions=(_S.ACCEPTED, _S.WAIT_FOR_REPAIR, _S.IN_REPAIR, _S.CANCELLED),
        mailed=True,
    ),
    _S.WAIT_FOR_REPAIR: WorkOrderStatusEntry(
        due=Due(5, Turn.PARTNER),
        label=N_("In the workshop"),
        meaning=N_("Your bike is in the workshop, and the work is scheduled."),
        handovers={
            Handover.CALL_OUT: HandoverWords(
                label=N_("Waiting for the mechanic"),
                meaning=N_("The mechanic will come to you. We’ll agree the day with you."),
                planned=N_("The mechanic will come to you on the agreed day."),
            )
        },
        tone="info",
        phase=2,
        claim_phase=2,
        transitions=(_S.IN_REPAIR, _S.WAIT_FOR_PARTS, _S.CANCELLED),
    ),
    _S.IN_REPAIR: WorkOrderStatusEntry(
        due=Due(3, Turn.PARTNER),
        label=N_("In repair"),
        label_of_service=N_("Being serviced"),
        meaning=N_("The repair has started."),
        of_service=N_("The work has started."),
        tone="info",
        phase=2,
        claim_phase=2,
        transitions=(_S.WAIT_FOR_PARTS, _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR, _S.WAIT_FOR_CUSTOMER, _S.CANCELLED),
        at_home=(_S.COMPLETED,),
    ),
    _S.WAIT_FOR_PARTS: WorkOrderStatusEntry(
        due=Due(10, Turn.PARTNER),
        label=N_("Waiting for parts"),
        meaning=N_("We’re waiting for parts."),
        tone="warn",
        phase=2,
        claim_phase=2,
        transitions=(
            _S.WAIT_FOR_OBJECT, _S.WAIT_FOR_REPAIR, _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR, _S.REPAIR_CONTINUED,
            _S.CANCELLED,
        ),
        mailed=True,
    ),
    _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR: WorkOrderStatusEntry(
        due=Due(10, Turn.PARTNER),
        label=N_("Paused"),
        meaning=N_("The repair is paused. You have your bike back for now."),
        of_service=N_("The work is paused. You have your bike back for now."),
        handovers={
            Handover.CALL_OUT: HandoverWords(
                meaning=N_("The repair is paused. The mechanic will come back to finish it."),
                of_service=N_("The work is paused. The mechanic will come back to finish it."),
            )
        },
        tone="warn",
        phase=2,
        claim_phase=2,
        transitions=(_S.WAIT_FOR_OBJECT, _S.WAIT_FOR_PARTS, _S.REPAIR_CONTINUED, _S.CANCELLED),
        mailed=True,
    ),
    _S.REPAIR_CONTINUED: WorkOrderStatusEntry(
        due=Due(3, Turn.PARTNER),
        label=N_("Repair resumed"),
        label_of_service=N_("Service resumed"),
        meaning=N_("The repair has resumed."),
        of_service=N_("The work has resumed."),
        tone="info",
        phase=2,
        claim_phase=2,
        transitions=(_S.WAIT_FOR_PARTS, _S.WAIT_FOR_REPAIR_AFTER_IN_REPAIR, _S.WAIT_FOR_CUSTOMER, _S.CANCELLED),
        at_home=(_S.COMPLETED,),
    ),
    # Back to the repair if the result is not right yet.
    _S.WAIT_FOR_CUSTOMER: WorkOrderStatusEntry(
        due=Due(5, Turn.CUSTOMER),
        label=N_("Repaired"),
        label_of_service=N_("Serviced"),
        meaning=N_("Your bike is repaired: ready for pick-up or scheduled for delivery."),
        of_service=N_("Your bike is ready: for pick-up, or scheduled for delivery."),
        handovers={
            Handover.BRING: HandoverWords(
                meaning=N_("Your bike is repaired. You can collect it."),
                desk=N_("Ready for collection"),
                of_service=N_("Your bike is ready. You can collect it."),
            ),
            Handover.PICK_UP: HandoverWords(
                meaning=N_("Your bike is repaired. We’ll bring it back to you."),
                desk=N_("Ready to be brought back"),
                of_service=N_("Your bike is ready. We’ll bring it back to you."),
            ),
            Handover.CALL_OUT: HandoverWords(
                meaning=N_("Your bike is repaired."), of_service=N_("Your bike is ready.")
            ),
        },
        tone="ok",
        phase=3,
        claim_phase=2,
        transitions=(_S.REPAIR_CONTINUED, _S.COMPLETED, _S.DONE),
        mailed=True,
    ),
    _S.COMPLETED: WorkOrderStatusEntry(
        due=Due(2, Turn.PARTNER),
        label=N_("Completed"),
        meaning=N_("The repair is completed."),
        of_service=N_("The work is completed."),
        tone="ok",
        phase=4,
        claim_phase=3,
        transitions=(_S.DONE,),
        closed=True,
    ),
    _S.DONE: WorkOrderStatusEntry(
        label=N_("Returned to you"),
        meaning=N_("Your bike has been returned to you."),
        desk=N_("Collected"),
        handovers={
            Handover.PICK_UP: HandoverWords(desk=N_("Brought back")),
            Handover.CALL_OUT: HandoverWords(
                label=N_("Done"), meaning=N_("The mechanic has finished the work."), desk=N_("Finished")
            ),
        },
        tone="ok",
        phase=4,
        claim_phase=3,
        closed=True,
        mailed=True,
    ),
    _S.CANCELLED: WorkOrderStatusEntry(
        label=N_("Cancelled"), meaning=N_("This request was cancelled."), closed=True, mailed=True
    ),
    _S.UNKNOWN: WorkOrderStatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}  # fmt: skip

WORK_ORDER_LABELS = labels_of(WORK_ORDER_STATUSES)
SERVICE_LABELS = {status: row.label_of_service or row.label for status, row in WORK_ORDER_STATUSES.items()}
WORK_ORDER_DESK_LABELS = desk_labels_of(WORK_ORDER_STATUSES)
SERVICE_DESK_LABELS = {status: row.desk or SERVICE_LABELS[status] for status, row in WORK_ORDER_STATUSES.items()}
WORK_ORDER_MEANINGS = meanings_of(WORK_ORDER_STATUSES)

_OF_SERVICE = {status: row.of_service or row.meaning for status, row in WORK_ORDER_STATUSES.items()}

MEANINGS: dict[RequestKind, dict[WorkOrderStatus, str]] = {
    RequestKind.REPAIR: WORK_ORDER_MEANINGS,
    RequestKind.SERVICE: _OF_SERVICE,
    RequestKind.CLAIM: {status: row.of_claim or row.meaning for status, row in WORK_ORDER_STATUSES.items()},
    RequestKind.UNKNOWN: _OF_SERVICE,
}
"""Meaning of each status by kind. The texts of the requirements fit repairs only."""


def _labels(kind: RequestKind) -> Mapping[WorkOrderStatus, str]:
    return SERVICE_LABELS if kind is RequestKind.SERVICE else WORK_ORDER_LABELS


def status_words(
    kind: RequestKind, status: WorkOrderStatus, handover: Handover | None, *, planned: bool
) -> tuple[str, str]:
    """The label of a status and what it means to the customer, in English.

    `handover`: how the bike goes; None if the customer did not choose it.
    """
    row = WORK_ORDER_STATUSES[status]
    own = row.handovers.get(handover, HandoverWords()) if handover else HandoverWords()
    meaning = own.of_service or own.meaning if kind is RequestKind.SERVICE else own.meaning
    if planned:
        of_claim = row.planned_of_claim if kind is RequestKind.CLAIM else ""
        meaning = own.planned or of_claim or row.planned or meaning
    return own.label or _labels(kind)[status], meaning or MEANINGS[kind][status]


def names_day(status: WorkOrderStatus, handover: Handover | None) -> bool:
    """Whether a planned day is still ahead in this status: the bike changes hands, or the mechanic comes."""
    at_home = handover is Handover.CALL_OUT and status is WorkOrderStatus.WAIT_FOR_REPAIR
    return at_home or WORK_ORDER_STATUSES[status].names_day


def desk_words(kind: RequestKind, status: WorkOrderStatus, handover: Handover | None) -> str:
    """The name of a status for staff, in English. Arguments as of `status_words`."""
    row = WORK_ORDER_STATUSES[status]
    own = row.handovers.get(handover, HandoverWords()) if handover else HandoverWords()
    return own.desk or own.label or row.desk or _labels(kind)[status]


CLOSED_WORK_ORDER = frozenset(status for status, row in WORK_ORDER_STATUSES.items() if row.closed)
"""Statuses in which the bike may have a new request; every other status blocks one (part-1 §4)."""

FINISHED_WORK = frozenset(status for status, row in WORK_ORDER_STATUSES.items() if row.phase == len(_REPAIR_PHASES))
MAILED_STATUSES = frozenset(status for status, row in WORK_ORDER_STATUSES.items() if row.mailed)
_COMMON = transitions_of(WORK_ORDER_STATUSES)

WORK_ORDERS: dict[RequestKind, StatusGraph[WorkOrderStatus]] = {
    RequestKind.REPAIR: StatusGraph(_S.NEW, _COMMON),
    RequestKind.SERVICE: StatusGraph(
        _S.NEW,
        combined_transitions(
            _COMMON, {status: row.at_home for status, row in WORK_ORDER_STATUSES.items() if row.at_home}
        ),
    ),
    RequestKind.CLAIM: StatusGraph(
        _S.NEW,
        combined_transitions(_COMMON, {status: row.quote for status, row in WORK_ORDER_STATUSES.items() if row.quote}),
    ),
}
"""The graph of each kind. For a claim, new means the quote and accepted the review by the insurer."""


def request_tone(status: WorkOrderStatus | None) -> Tone:
    """The tone of a service request; neutral when unknown or cancelled."""
    return tone_of(WORK_ORDER_STATUSES, status)


def phase(kind: RequestKind, status: WorkOrderStatus) -> int | None:
    """The current phase, from 0; the number of phases when all are done.

    None when the work order left the phases (cancelled), or when its status or kind is unknown.
    """
    if kind not in PHASES:
        return None
    row = WORK_ORDER_STATUSES[status]
    return row.claim_phase if kind is RequestKind.CLAIM else row.phase


SILENCE = timedelta(weeks=SILENCE_WEEKS)
"""Time without news after which we advise customers to contact us (part-1 §4)."""


def without_news(status: WorkOrderStatus, last: datetime, now: datetime) -> bool:
    """Whether we should advise the customer to contact us, because there was no news for `SILENCE`.

    `last`: moment of the last news (UTC).
    `now`: the current moment (UTC).
    """
    return status not in CLOSED_WORK_ORDER and now - last >= SILENCE
