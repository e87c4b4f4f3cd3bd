"""What a customer chooses from in a return (part-2 §2, §3)."""

from __future__ import annotations

from enum import StrEnum

from portal.domain.marks import N_


class ReturnReason(StrEnum):
    """Reasons of the older flow, in the order of part-2 §3."""

    INCOMPLETE = "incomplete"
    WRONG_PRODUCT_RECEIVED = "wrong_product_received"
    PRODUCT_IS_DEFECT = "product_is_defect"
    PRODUCT_IS_DAMAGED = "product_is_damaged"
    EXPECTED_HIGHER_QUALITY = "expected_higher_quality"
    OTHER = "other"


REASON_NAMES: dict[ReturnReason, str] = {
    ReturnReason.INCOMPLETE: N_("The delivery is incomplete"),
    ReturnReason.WRONG_PRODUCT_RECEIVED: N_("I received the wrong product"),
    ReturnReason.PRODUCT_IS_DEFECT: N_("The product is defective"),
    ReturnReason.PRODUCT_IS_DAMAGED: N_("The product is damaged"),
    ReturnReason.EXPECTED_HIGHER_QUALITY: N_("I expected higher quality"),
    ReturnReason.OTHER: N_("Another reason"),
}


class ItemState(StrEnum):
    """How used an item is (part-2 §2)."""

    UNUSED = "unused"
    USED_WITHOUT_SIGNS = "used_without_signs_of_use"
    USED_WITH_SIGNS = "used_with_signs_of_use"


STATE_NAMES: dict[ItemState, str] = {
    ItemState.UNUSED: N_("Not used"),
    ItemState.USED_WITHOUT_SIGNS: N_("Used, without signs of use"),
    ItemState.USED_WITH_SIGNS: N_("Used, with signs of use"),
}


class ReturnMethod(StrEnum):
    """How it comes back. `NONE`: it must not travel; we contact the customer."""

    STORE = "store"
    PICK_UP = "pick_up"
    NONE = "none"


METHOD_NAMES: dict[ReturnMethod, str] = {
    ReturnMethod.STORE: N_("I bring it to a store"),
    ReturnMethod.PICK_UP: N_("Pick it up at home"),
    ReturnMethod.NONE: N_("We contact you first"),
}


class ExchangeType(StrEnum):
    """What for (part-2 §2)."""

    SAME = "same"
    OTHER = "other"


EXCHANGE_NAMES: dict[ExchangeType, str] = {
    ExchangeType.SAME: N_("For the same one"),
    ExchangeType.OTHER: N_("For another one"),
}


class BatteryState(StrEnum):
    """What can be wrong with a battery before it travels."""

    FINE = "fine"
    SWOLLEN = "swollen"
    WET = "wet"
    HOT = "hot"
    FALLEN = "fallen"


BATTERY_NAMES: dict[BatteryState, str] = {
    BatteryState.FINE: N_("None of these"),
    BatteryState.SWOLLEN: N_("It is swollen or deformed"),
    BatteryState.WET: N_("It got wet inside or lay in water"),
    BatteryState.HOT: N_("It gets hot, smokes or smells"),
    BatteryState.FALLEN: N_("It fell hard or was in an accident"),
}
BATTERY_QUESTION = N_("Is something wrong with the battery?")
BATTERY_INSTRUCTIONS: tuple[str, ...] = (
    N_("Do not charge the battery and do not use it any more."),
    N_("Do not send it and do not take it into a car, a bus or a train."),
    N_("Put it outside, on stone or sand, away from anything that can burn, if you can do so safely."),
    N_("Does it smoke or burn? Keep away and call 112."),
    N_("We call you as soon as we can and arrange safe transport."),
)
"""Told at once instead of a label or a pick-up."""
BATTERY_FIRST = N_("Tell us how the battery is before you send anything. Then you get the address to send it to.")
"""Told with a withdrawal, which asks nothing before it is received."""


def may_travel(battery: str) -> bool:
    """Whether something with a battery in this state may be brought or picked up; so may what has none ('')."""
    return battery in ("", BatteryState.FINE)
