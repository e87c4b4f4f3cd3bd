"""Which drawing shows an item, and in which sizes an image is kept."""

from __future__ import annotations

import re

from portal.illustrations.accessories import AccessoryKind
from portal.illustrations.bikes import BikeKind
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
_BIKES: tuple[tuple[str, BikeKind], ...] = (
    (r"longtail", BikeKind.LONGTAIL),
    (r"bakfiets|cargo", BikeKind.FRONT_LOADER),
    (r"vouw|plooi|folding", BikeKind.FOLDING),
    (r"kinder|jongens|meisjes|kids|children|junior", BikeKind.CHILDREN),
    (r"speed.?pedelec|\b45 ?km", BikeKind.SPEED_PEDELEC),
    (r"\bmtb\b|mountain", BikeKind.MOUNTAIN),
    (r"\brace|racefiets|gravel|\broad\b", BikeKind.ROAD),
)

_LOW = re.compile(r"lage instap|dames|comfort|oma|step.?through|low.?step", re.IGNORECASE)
_HIGH = re.compile(r"heren|sport|men'?s|diamond|klassiek|opa", re.IGNORECASE)

_THINGS: tuple[tuple[str, AccessoryKind], ...] = (
    (r"lader|charger", AccessoryKind.CHARGER),
    (r"accu|batter", AccessoryKind.BATTERY),
    (r"aanhang|trailer|fietskar", AccessoryKind.TRAILER),
    (r"zitje|child.?seat|kinderstoel", AccessoryKind.CHILD_SEAT),
    (r"helm", AccessoryKind.HELMET),
    (r"telefoon|phone", AccessoryKind.PHONE),
    (r"slot|lock", AccessoryKind.LOCK),
    (r"snelbinder|spin|strap", AccessoryKind.STRAPS),
    (r"krat|mand|voordrager|crate|basket", AccessoryKind.CRATE),
    (r"poncho|regen|jas|cape|rain", AccessoryKind.CAPE),
    (r"tas|bag|pannier", AccessoryKind.BAG),
    (r"pomp|pump", AccessoryKind.PUMP),
    (r"licht|lamp|light", AccessoryKind.LIGHT),
    (r"\bbel\b|fietsbel|\bbell\b", AccessoryKind.BELL),
    (r"onderhoud|olie|reinig|care|oil|clean", AccessoryKind.CARE),
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
        return next(found, AccessoryKind.PARCEL.value)
    for words, drawn in _BIKES:
        if re.search(words, name, re.IGNORECASE):
            return drawn.value
    if kind is ItemKind.CARGO_BIKE:
        return BikeKind.FRONT_LOADER.value
    high = _HIGH.search(name) is not None
    if kind is ItemKind.E_BIKE:
        low = _LOW.search(name) is not None
        return (BikeKind.STEP_THROUGH_ELECTRIC if low else BikeKind.DIAMOND_ELECTRIC).value
    return (BikeKind.DIAMOND if high else BikeKind.STEP_THROUGH).value


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
    return f"/drawings/{known_drawing(drawing)}/{color_of(color)[1:]}.svg"


def known_drawing(drawing: str) -> str:
    """The name of a drawing that there is; a parcel for any other."""
    return drawing if drawing in NAMES else AccessoryKind.PARCEL.value


def is_pressable(drawing: str) -> bool:
    """Whether a drawing is of a bike whose parts can be pressed."""
    return is_bike(drawing)
