"""Service locations: types, labels, sort orders, and how a bike gets there (part-1 §2, §9)."""

from enum import StrEnum

from portal.kernel.texts import N_


class LocationType(StrEnum):
    """Where a bike is serviced (part-1 §2: three location types, and pick-up)."""

    OWN_STORE = "own_store"
    PREMIUM_PARTNER = "premium_partner"
    PARTNER = "partner"
    PICK_UP = "pick_up"
    UNKNOWN = "unknown"
    """A type that only a newer provider knows; never stored."""


TYPE_NAMES: dict[LocationType, str] = {
    LocationType.OWN_STORE: N_("Own store"),
    LocationType.PREMIUM_PARTNER: N_("Premium service partner"),
    LocationType.PARTNER: N_("Service partner"),
    LocationType.PICK_UP: N_("Pick-up service"),
    LocationType.UNKNOWN: N_("Service location"),
}

TYPES: tuple[LocationType, ...] = tuple(kind for kind in TYPE_NAMES if kind is not LocationType.UNKNOWN)


class LocationLabel(StrEnum):
    RECOMMENDED = "recommended"
    PREMIUM = "premium"
    ON_VACATION = "on_vacation"


LABEL_NAMES: dict[LocationLabel, str] = {
    LocationLabel.RECOMMENDED: N_("Recommended"),
    LocationLabel.PREMIUM: N_("Premium partner"),
    LocationLabel.ON_VACATION: N_("On holiday"),
}


class LocationOrder(StrEnum):
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
    """How the bike gets to the mechanic, or the mechanic to the bike."""

    BRING = "bring"
    """The customer brings the bike and collects it."""
    PICK_UP = "pick_up"
    """We pick up the bike and deliver it."""
    CALL_OUT = "call_out"
    """The mechanic comes to the customer; paid by a payment request sent by e-mail (part-1 §9)."""


HANDOVER_NAMES: dict[Handover, str] = {
    Handover.BRING: N_("I’ll bring the bike myself"),
    Handover.PICK_UP: N_("Pick up my bike and bring it back"),
    Handover.CALL_OUT: N_("The mechanic comes to me"),
}

HANDOVER_TEXTS: dict[Handover, str] = {
    Handover.BRING: N_("You bring your bike and collect it"),
    Handover.PICK_UP: N_("We pick up your bike and bring it back"),
    Handover.CALL_OUT: N_("The mechanic comes to you"),
}
"""What was chosen, in the words of everything that is written after a request was sent."""
