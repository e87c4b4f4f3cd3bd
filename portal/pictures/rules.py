"""Which drawing shows an item, and in which sizes an image is kept."""

import re

from portal.illustrations import DEFAULT_COLOR, NAMES, is_color
from portal.vocabulary.orders import ItemKind

WIDTHS = (240, 480, 960)
"""Pixels in which an image is kept, from small to large."""

MAIL_WIDTH = 480
"""Pixels of the image in mails and documents, which only JPEG is sure to reach."""

KEY = re.compile(r"[0-9a-f]{32}")
# The first that fits the name wins; a word also counts inside a longer one, as Dutch joins words.
_BIKES: tuple[tuple[str, str], ...] = (
    (r"longtail", "longtail"),
    (r"bakfiets|cargo", "front-loader"),
    (r"vouw|plooi|folding", "folding"),
    (r"kinder|jongens|meisjes|kids|children|junior", "children"),
    (r"speed.?pedelec|\b45 ?km", "speed-pedelec"),
    (r"\bmtb\b|mountain", "mountain"),
    (r"\brace|racefiets|gravel|\broad\b", "road"),
)

_LOW = re.compile(r"lage instap|dames|comfort|oma|step.?through|low.?step", re.IGNORECASE)
_HIGH = re.compile(r"heren|sport|men'?s|diamond|klassiek|opa", re.IGNORECASE)

_THINGS: tuple[tuple[str, str], ...] = (
    (r"lader|charger", "charger"),
    (r"accu|batter", "battery"),
    (r"aanhang|trailer|fietskar", "trailer"),
    (r"zitje|child.?seat|kinderstoel", "child-seat"),
    (r"helm", "helmet"),
    (r"telefoon|phone", "phone"),
    (r"slot|lock", "lock"),
    (r"snelbinder|spin|strap", "straps"),
    (r"krat|mand|voordrager|crate|basket", "crate"),
    (r"poncho|regen|jas|cape|rain", "cape"),
    (r"tas|bag|pannier", "bag"),
    (r"pomp|pump", "pump"),
    (r"licht|lamp|light", "light"),
    (r"\bbel\b|fietsbel|\bbell\b", "bell"),
    (r"onderhoud|olie|reinig|care|oil|clean", "care"),
)


def drawing_of(kind: ItemKind, name: str, chosen: str = "") -> str:
    """The name of the drawing of an item.

    `name`: of the item, in Dutch or English.
    `chosen`: the drawing that the shop chose; empty or unknown to decide by kind and name.
    """
    if chosen in NAMES:
        return chosen
    if kind is ItemKind.ACCESSORY:
        found = (thing for words, thing in _THINGS if re.search(words, name, re.IGNORECASE))
        return next(found, "parcel")
    for words, drawn in _BIKES:
        if re.search(words, name, re.IGNORECASE):
            return drawn
    if kind is ItemKind.CARGO_BIKE:
        return "front-loader"
    high = _HIGH.search(name) is not None
    if kind is ItemKind.E_BIKE:
        low = _LOW.search(name) is not None
        return "step-through-electric" if low else "diamond-electric"
    return "diamond" if high else "step-through"


def color_of(code: str) -> str:
    """A colour in which a drawing can be made; a quiet one for anything else."""
    lowered = code.lower()
    return lowered if is_color(lowered) else DEFAULT_COLOR


def drawing_address(drawing: str, color: str) -> str:
    """The path of a drawing in a colour. It says nothing about whose it is, and what it shows never changes.

    `drawing`: name of the drawing; of an unknown one, a parcel is shown.
    """
    return f"/drawings/{known_drawing(drawing)}/{color_of(color)[1:]}.svg"


def known_drawing(drawing: str) -> str:
    """The name of a drawing that there is; a parcel for any other."""
    return drawing if drawing in NAMES else "parcel"
