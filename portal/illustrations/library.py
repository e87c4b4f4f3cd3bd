"""Drawings by name: of a kind of bike or of an item, in a colour, as SVG."""

from __future__ import annotations

from functools import lru_cache

from portal.illustrations.accessories import AccessoryKind, drawn_accessory
from portal.illustrations.bikes import BikeKind, drawn_bike
from portal.illustrations.sketch import Sheet, document, is_color, lit

DEFAULT_COLOR = "#5b6770"
"""Colour of what has no known colour."""

NAMES: frozenset[str] = frozenset({*BikeKind, *AccessoryKind})
"""Names of all drawings."""


def is_bike(name: str) -> bool:
    return name in set(BikeKind)


def _sheet(name: str, color: str) -> Sheet:
    if is_bike(name):
        return drawn_bike(BikeKind(name), color)
    return drawn_accessory(AccessoryKind(name), color)


@lru_cache(maxsize=256)
def drawing(name: str, color: str) -> str:
    if name not in NAMES or not is_color(color):
        raise KeyError(name)
    return document(_sheet(name, color))


@lru_cache(maxsize=256)
def lit_part(name: str, part: str) -> str:
    """One part of a bike, lit up, to lay on a drawing of the same kind in any colour."""
    if not is_bike(name) or part not in (sheet := _sheet(name, DEFAULT_COLOR)).parts:
        raise KeyError(part)
    return lit(sheet, part)
