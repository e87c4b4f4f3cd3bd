"""How the bike and the mechanic meet, and what that costs (part-1 §9)."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from portal.domain.locations import LocationType
from portal.domain.marks import N_


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

PICK_UP_COST = Decimal("60.00")
"""Pick-up and delivery in euro, own shops only (part-1 §9), unless the retailer sets another fee."""
REACH_KM = 50.0
"""How far from a location a bike is picked up, or a mechanic comes, unless the retailer sets another distance."""


def handovers(
    kind: LocationType,
    travel_cost: Decimal | None,
    pick_up_cost: Decimal = PICK_UP_COST,
    *,
    reached: bool = True,
) -> dict[Handover, Decimal | None]:
    """What a location offers, and what each costs in euro; none costs nothing.

    Args:
        kind: of location.
        travel_cost: call-out fee of a partner that comes to the customer, none when it does not.
        pick_up_cost: of picking the bike up and delivering it.
        reached: whether the customer lives near enough to be visited.
    """
    if kind is LocationType.PICK_UP:
        return {Handover.PICK_UP: pick_up_cost} if reached else {}
    offered: dict[Handover, Decimal | None] = {Handover.BRING: None}
    if not reached:
        return offered
    if kind is LocationType.OWN_STORE:
        offered[Handover.PICK_UP] = pick_up_cost
    elif travel_cost is not None:
        offered[Handover.CALL_OUT] = travel_cost
    return offered
