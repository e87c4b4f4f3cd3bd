"""Bike insurance: insurers, types, covers, and statuses of a request (part-2 §3, §4)."""

from dataclasses import dataclass
from enum import StrEnum

from portal.kernel.status_graph import StatusGraph
from portal.kernel.terms import INSURER_ANSWER_DAYS
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
    meanings_of,
    tone_of,
)


class Insurer(StrEnum):
    KETTINGZEKER = "kettingzeker"
    FIETSVAST = "fietsvast"
    UNKNOWN = "unknown"


INSURER_NAMES: dict[Insurer, str] = {
    Insurer.KETTINGZEKER: N_("Kettingzeker"),
    Insurer.FIETSVAST: N_("Fietsvast"),
    Insurer.UNKNOWN: N_("Other insurer"),
}


class InsuranceType(StrEnum):
    """What the customer chooses: a cover, or no insurance with us (part-2 §3)."""

    THEFT = "theft"
    THEFT_AND_DAMAGE = "theft_and_damage"
    NONE = "none"
    ALREADY_INSURED = "already_insured"
    UNKNOWN = "unknown"


INSURANCE_TYPES: dict[InsuranceType, str] = {
    InsuranceType.THEFT: N_("Theft"),
    InsuranceType.THEFT_AND_DAMAGE: N_("Theft and damage"),
    InsuranceType.NONE: N_("No insurance"),
    InsuranceType.ALREADY_INSURED: N_("My bike is already insured"),
    InsuranceType.UNKNOWN: N_("Insurance"),
}
"""Names of the types, in the order in which they are offered."""

INSURING: frozenset[InsuranceType] = frozenset({InsuranceType.THEFT, InsuranceType.THEFT_AND_DAMAGE})
"""Types that lead to a policy; the others only record the customer's answer."""


INSURANCES: tuple[tuple[Insurer, InsuranceType], ...] = tuple(
    (insurer, kind)
    for insurer in Insurer
    if insurer is not Insurer.UNKNOWN
    for kind in InsuranceType
    if kind in INSURING
)
"""Insurer and type of every insurance that a shop can offer. Which it offers, and what they cover, is data."""


class Cover(StrEnum):
    BIKE_STOLEN = "bike_stolen"
    BATTERY_STOLEN = "battery_stolen"
    ACCESSORIES_STOLEN = "accessories_stolen"
    REPLACEMENT = "replacement"
    FALL_AND_COLLISION = "fall_and_collision"
    VANDALISM = "vandalism"
    BREAKDOWN_HELP = "breakdown_help"
    ABROAD = "abroad"


COVER_TEXTS: dict[Cover, str] = {
    Cover.BIKE_STOLEN: N_("Theft of the bike, at the full price for 3 years"),
    Cover.BATTERY_STOLEN: N_("Theft of the battery alone"),
    Cover.ACCESSORIES_STOLEN: N_("Fitted accessories such as a child seat, up to €250"),
    Cover.REPLACEMENT: N_("A replacement bike until yours is back or replaced"),
    Cover.FALL_AND_COLLISION: N_("Damage from a fall or collision"),
    Cover.VANDALISM: N_("Damage from vandalism, storm or fire"),
    Cover.BREAKDOWN_HELP: N_("Roadside breakdown help"),
    Cover.ABROAD: N_("Valid throughout Europe"),
}


class InsuranceStatus(StrEnum):
    CREATED = "created"
    WAITING_FOR_INPUT = "waiting_for_input"
    CANCELLED = "cancelled"
    FINISHED = "finished"
    UNKNOWN = "unknown"


_S = InsuranceStatus


@dataclass(frozen=True, kw_only=True, slots=True)
class InsuranceStatusEntry(StatusEntry[InsuranceStatus]):
    open: bool = False


INSURANCE_STATUSES: dict[InsuranceStatus, InsuranceStatusEntry] = {
    # The insurer needs something from the customer; initially the confirmation by the mailed link.
    _S.CREATED: InsuranceStatusEntry(
        due=Due(INSURER_ANSWER_DAYS, Turn.INSURER),
        label=N_("Requested"),
        meaning=N_(
            "Your request is with the insurer. We’ll get back to you within {insurer_answer_days} working days."
        ),
        tone="info",
        transitions=(_S.WAITING_FOR_INPUT, _S.FINISHED, _S.CANCELLED),
        open=True,
    ),
    _S.WAITING_FOR_INPUT: InsuranceStatusEntry(
        due=Due(5, Turn.CUSTOMER),
        label=N_("Waiting for your confirmation"),
        meaning=N_("One more step: confirm your insurance with the link in our email, within {link_hours} hours."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        transitions=(_S.CREATED, _S.CANCELLED),
        open=True,
    ),
    _S.CANCELLED: InsuranceStatusEntry(
        label=N_("Cancelled"), meaning=N_("This request was cancelled. It does not insure your bike.")
    ),
    _S.FINISHED: InsuranceStatusEntry(
        label=N_("Taken out"),
        meaning=N_("Your bike is insured. You’ll find the policy number on the page of your bike."),
        tone="ok",
    ),
    _S.UNKNOWN: InsuranceStatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}

INSURANCE_LABELS = labels_of(INSURANCE_STATUSES)
INSURANCE_DESK_LABELS = desk_labels_of(INSURANCE_STATUSES)
INSURANCE_MEANINGS = meanings_of(INSURANCE_STATUSES)
INSURANCE_REQUESTS: StatusGraph[InsuranceStatus] = graph_of(_S.CREATED, INSURANCE_STATUSES)
OPEN_INSURANCE = frozenset(status for status, row in INSURANCE_STATUSES.items() if row.open)
"""Open statuses; a bike has at most one request in these."""

INSURER_ASKS = N_("The insurer has a question for you")
INSURER_ASKS_DESK = N_("Waiting for an answer to the insurer")
INSURER_ASKS_MEANING = N_(
    "The insurer needs something from you before your bike can be insured. Answer with a message about this request."
)
"""Meaning of a request that waits for input other than the mailed link."""


UNINSURED_ANSWERS: dict[InsuranceType, str] = {
    InsuranceType.NONE: N_("You told us you don’t want insurance for this bike."),
    InsuranceType.ALREADY_INSURED: N_("You told us this bike is already insured."),
}
"""Meaning of an answer that is no insurance."""

INSURANCE_PHASES = (N_("Request"), N_("Confirmation by email"), N_("Insurer"), N_("Policy"))
"""Phases of a request."""


def insurance_tone(status: InsuranceStatus) -> Tone:
    return tone_of(INSURANCE_STATUSES, status)
