"""The words that tell a bike from another of its name."""

from __future__ import annotations

from portal.kernel.texts import Locale, gettext_for
from portal.tables.bikes import BikeRow

_END = 4
"""Characters of a frame number that tell bikes of one model apart."""


def bike_mark(bike: BikeRow, locale: Locale) -> str:
    """The colour of a bike and the end of its frame number, as far as they are known."""
    _ = gettext_for(locale)
    end = (bike.frame_number or "")[-_END:]
    frame = _("frame number ending in {end}").replace("{end}", end) if end else ""
    return ", ".join(part for part in (bike.color_in(locale), frame) if part)


def bike_in_full(bike: BikeRow, locale: Locale) -> str:
    """The name of a bike with its mark, for a line of text."""
    return ", ".join(part for part in (bike.name_in(locale), bike_mark(bike, locale)) if part)
