"""Which drawing shows an item, and in which sizes an image is kept."""

from __future__ import annotations

import re

from portal.illustrations.accessories import Thing
from portal.illustrations.bikes import Shape
from portal.illustrations.library import DEFAULT_COLOR, NAMES, is_bike
from portal.illustrations.sketch import is_color
from portal.vocabulary.orders import ItemKind

WIDTHS = (240, 480, 960)
"""Pixels in which an image is kept, from small to large."""

MAIL_WIDTH = 480
"""Pixels of the image in mails and documents, which only JPEG is sure to reach."""

KEY = re.compile(r"[0-9a-f]{32}")
"""Form of the key of an image."""

# The first that fits the name wins; a word also counts inside a longer one, as Dutch joins words.
_BIKES: tuple[tuple[str, Shape], ...] = (
    (r"longtail", Shape.LONGTAIL),
    (r"bakfiets|cargo", Shape.FRONT_LOADER),
    (r"vouw|plooi|folding", Shape.FOLDING),
    (r"kinder|jongens|meisjes|kids|children|junior", Shape.CHILDREN),
    (r"speed.?pedelec|\b45 ?km", Shape.SPEED_PEDELEC),
    (r"\bmtb\b|mountain", Shape.MOUNTAIN),
    (r"\brace|racefiets|gravel|\broad\b", Shape.ROAD),
)

_LOW = re.compile(r"lage instap|dames|comfort|oma|step.?through|low.?step", re.IGNORECASE)
_HIGH = re.compile(r"heren|sport|men'?s|diamond|klassiek|opa", re.IGNORECASE)

_THINGS: tuple[tuple[str, Thing], ...] = (
    (r"lader|charger", Thing.CHARGER),
    (r"accu|batter", Thing.BATTERY),
    (r"aanhang|trailer|fietskar", Thing.TRAILER),
    (r"zitje|child.?seat|kinderstoel", Thing.CHILD_SEAT),
    (r"helm", Thing.HELMET),
    (r"telefoon|phone", Thing.PHONE),
    (r"slot|lock", Thing.LOCK),
    (r"snelbinder|spin|strap", Thing.STRAPS),
    (r"krat|mand|voordrager|crate|basket", Thing.CRATE),
    (r"poncho|regen|jas|cape|rain", Thing.CAPE),
    (r"tas|bag|pannier", Thing.BAG),
    (r"pomp|pump", Thing.PUMP),
    (r"licht|lamp|light", Thing.LIGHT),
    (r"\bbel\b|fietsbel|\bbell\b", Thing.BELL),
    (r"onderhoud|olie|reinig|care|oil|clean", Thing.CARE),
)


def drawing_of(kind: ItemKind, name: str, chosen: str = "") -> str:
    """The name of the drawing of an item.

    Args:
        kind: of the item.
        name: of the item, in Dutch or English.
        chosen: the drawing that the shop chose; empty or unknown to decide by kind and name.
    """
    if chosen in NAMES:
        return chosen
    if kind is ItemKind.ACCESSORY:
        found = (thing.value for words, thing in _THINGS if re.search(words, name, re.IGNORECASE))
        return next(found, Thing.PARCEL.value)
    for words, shape in _BIKES:
        if re.search(words, name, re.IGNORECASE):
            return shape.value
    if kind is ItemKind.CARGO_BIKE:
        return Shape.FRONT_LOADER.value
    high = _HIGH.search(name) is not None
    if kind is ItemKind.E_BIKE:
        low = _LOW.search(name) is not None
        return (Shape.STEP_THROUGH_ELECTRIC if low else Shape.DIAMOND_ELECTRIC).value
    return (Shape.DIAMOND if high else Shape.STEP_THROUGH).value


def color_of(code: str) -> str:
    """A colour in which a drawing can be made; a quiet one for anything else."""
    lowered = code.lower()
    return lowered if is_color(lowered) else DEFAULT_COLOR


def drawing_address(drawing: str, color: str) -> str:
    """The path of a drawing in a colour. It says nothing about whose it is, and what it shows never changes.

    Args:
        drawing: name of the drawing; of an unknown one, a parcel is shown.
        color: a hex colour.
    """
    known = drawing if drawing in NAMES else Thing.PARCEL.value
    return f"/drawings/{known}/{color_of(color)[1:]}.svg"


def is_pressable(drawing: str) -> bool:
    """Whether a drawing is of a bike whose parts can be pressed."""
    return is_bike(drawing)
