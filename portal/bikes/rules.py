"""The warranty of a bike: until when, what a repair adds, and what a repair probably costs (part-1 §9, 2019/771)."""

from collections.abc import Collection
from datetime import date
from enum import StrEnum

from portal.kernel.days import add_months, add_years
from portal.kernel.texts import N_

WEARING_PARTS = frozenset({"chain", "wheels", "brakes", "saddle", "pedals"})
"""Parts that wear with use, by their names in a repair request. The warranty covers defects of them, not their wear."""

MOTOR_PARTS = frozenset({"motor", "battery"})
"""Parts that only a bike with a motor has, by the same names."""


class RepairCost(StrEnum):
    """What a repair probably costs the customer, and the rule that says so."""

    FREE = "free"
    PARTLY = "partly"
    WEAR = "wear"
    EXPIRED = "expired"


REPAIR_COST_TITLES: dict[RepairCost, str] = {
    RepairCost.FREE: N_("Probably free"),
    RepairCost.PARTLY: N_("Probably partly free"),
    RepairCost.WEAR: N_("You may have to pay"),
    RepairCost.EXPIRED: N_("You may have to pay"),
}

REPAIR_COST_RULES: dict[RepairCost, str] = {
    RepairCost.FREE: N_(
        "Your bike is under warranty until {day}. If you didn’t cause the defect, we repair it for free."
    ),
    RepairCost.PARTLY: N_(
        "Your bike is under warranty until {day}. If you didn’t cause the defect, we repair it "
        "for free. You pay for parts worn by use."
    ),
    RepairCost.WEAR: N_("You pay for wear; defects are free until {day}."),
    RepairCost.EXPIRED: N_("The warranty on your bike ended on {day}."),
}

REPAIR_OR_REPLACEMENT = N_(
    "Under warranty you choose between repair and replacement. A repair adds {warranty_repair_months} months of "
    "warranty, once."
)
"""The choice that the law gives (Directive 2019/771, articles 10 and 13). `Settings.warranty_choice` replaces it."""


def warranty_until(granted: date | None, delivered_on: date | None, ordered_on: date, years: int) -> date:
    """The last day of the warranty: as the retailer granted, else years after the delivery or, before it, the order."""
    return granted or add_years(delivered_on or ordered_on, years)


def after_repair(until: date, months: int, *, extended: bool) -> date:
    """The last day of the warranty after a repair under it, which moves the day once: not if it was `extended`."""
    return until if extended else add_months(until, months)


def repair_cost(parts: Collection[str], until: date, day: date) -> RepairCost:
    """What a repair of these parts probably costs on a local day, with a warranty until `until`."""
    if day > until:
        return RepairCost.EXPIRED
    worn = WEARING_PARTS.intersection(parts)
    if not worn:
        return RepairCost.FREE
    return RepairCost.WEAR if len(worn) == len(set(parts)) else RepairCost.PARTLY
