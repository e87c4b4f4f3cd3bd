"""Product safety recalls: what is recalled, and the remedies (Regulation (EU) 2023/988, articles 36 and 37)."""

from __future__ import annotations

from enum import StrEnum

from portal.kernel.texts import N_


class RecalledKind(StrEnum):
    """Which number of a bike a recall names."""

    FRAME = "frame"
    BATTERY = "battery"
    UNKNOWN = "unknown"
    """A kind that only a newer provider knows; never stored."""


RECALLED_NAMES: dict[RecalledKind, str] = {
    RecalledKind.FRAME: N_("Frame number"),
    RecalledKind.BATTERY: N_("Battery number"),
    RecalledKind.UNKNOWN: N_("Number"),
}


class Remedy(StrEnum):
    """What the customer can choose."""

    REPAIR = "repair"
    REPLACEMENT = "replacement"
    REFUND = "refund"
    UNKNOWN = "unknown"
    """A remedy that only a newer provider knows; never stored."""


REMEDY_NAMES: dict[Remedy, str] = {
    Remedy.REPAIR: N_("Repair"),
    Remedy.REPLACEMENT: N_("Replacement"),
    Remedy.REFUND: N_("Money back"),
    Remedy.UNKNOWN: N_("Another remedy"),
}

REMEDY_MEANINGS: dict[Remedy, str] = {
    Remedy.REPAIR: N_("We make it safe, free of charge."),
    Remedy.REPLACEMENT: N_("You get a safe product of the same kind and value, free of charge."),
    Remedy.REFUND: N_("You get back at least what you paid."),
    Remedy.UNKNOWN: "",
}

RECALL_HEADLINE = N_("Product safety recall")
"""The headline that the law prescribes: 'Veiligheidsterugroepactie' in Dutch."""
