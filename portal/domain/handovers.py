"""How the bike and the mechanic meet, and what that costs (part-1 §9)."""

from __future__ import annotations

from decimal import Decimal

from portal.domain.terms import PICK_UP_COST
from portal.vocabulary.locations import Handover, LocationType


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
