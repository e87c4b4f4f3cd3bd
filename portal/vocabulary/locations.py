"""Service locations: what they are called, how they are sorted, and how a bike gets there (part-1 §2, §9)."""

from __future__ import annotations

from enum import StrEnum

from portal.kernel.texts import N_


class LocationType(StrEnum):
    """Where a bike is serviced (part-1 §2: three location types, and pick-up)."""

    OWN_STORE = "own_store"
    PREMIUM_PARTNER = "premium_partner"
    PARTNER = "partner"
    PICK_UP = "pick_up"
    UNKNOWN = "unknown"
    """A type that a newer provider knows and this portal does not; never stored."""


TYPE_NAMES: dict[LocationType, str] = {
    LocationType.OWN_STORE: N_("Own shop"),
    LocationType.PREMIUM_PARTNER: N_("Premium service partner"),
    LocationType.PARTNER: N_("Service partner"),
    LocationType.PICK_UP: N_("Pick-up service"),
    LocationType.UNKNOWN: N_("Service location"),
}

TYPES: tuple[LocationType, ...] = tuple(kind for kind in TYPE_NAMES if kind is not LocationType.UNKNOWN)
"""Types in the order in which the filter offers them."""


class LocationLabel(StrEnum):
    """What a badge on a location says."""

    RECOMMENDED = "recommended"
    PREMIUM = "premium"
    ON_VACATION = "on_vacation"


LABEL_NAMES: dict[LocationLabel, str] = {
    LocationLabel.RECOMMENDED: N_("Recommended"),
    LocationLabel.PREMIUM: N_("Premium partner"),
    LocationLabel.ON_VACATION: N_("On vacation"),
}


class LocationOrder(StrEnum):
    """How found locations are sorted."""

    RECOMMENDED = "recommended"
    DISTANCE = "distance"
    WAITING_TIME = "waiting_time"
    RATING = "rating"
    TRAVEL_COST = "travel_cost"


ORDER_NAMES: dict[LocationOrder, str] = {
    LocationOrder.RECOMMENDED: N_("Recommended first"),
    LocationOrder.DISTANCE: N_("Nearest first"),
    LocationOrder.WAITING_TIME: N_("Shortest waiting time first"),
    LocationOrder.RATING: N_("Best rated first"),
    LocationOrder.TRAVEL_COST: N_("Lowest call-out fee first"),
}


class Handover(StrEnum):
    """How the bike and the mechanic meet."""

    BRING = "bring"
    """The customer brings and fetches the bike."""
    PICK_UP = "pick_up"
    """We pick up the bike and deliver it."""
    CALL_OUT = "call_out"
    """The mechanic comes to the customer; paid by a payment request sent by e-mail (part-1 §9)."""


HANDOVER_NAMES: dict[Handover, str] = {
    Handover.BRING: N_("I bring the bike myself"),
    Handover.PICK_UP: N_("Pick up and deliver my bike"),
    Handover.CALL_OUT: N_("The mechanic comes to me"),
}
