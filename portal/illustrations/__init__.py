"""Drawings by name: a kind of bike or an item, in a colour, as SVG.

In the files of `drawings/`, `{color}` is the colour of the item, and `{ink-55}` the same with 55 per cent of ink.
Groups name the parts of a bike; `spots.json` has the places to press, in units of the drawing.
"""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

WIDTH, HEIGHT = 480, 320
DEFAULT_COLOR = "#5b6770"
"""Colour of what has no known colour."""

_FOLDER = Path(__file__).parent / "drawings"
_MIXED_WITH = {"ink": "#12231e", "white": "#ffffff"}
_HEX = re.compile(r"#[0-9a-f]{6}")

NAMES: frozenset[str] = frozenset(file.stem for file in _FOLDER.glob("*.svg"))


class Spot(NamedTuple):
    """Where a part is pressed: its middle. Two spots of a bike are at least a finger apart."""

    part: str
    x: float
    y: float


SPOTS: dict[str, tuple[Spot, ...]] = {
    name: tuple(Spot(*spot) for spot in spots)
    for name, spots in json.loads((_FOLDER / "spots.json").read_text(encoding="utf-8")).items()
}
# The shades of a part in orange: dark stays dark, light becomes light orange. A halo sets it apart from the rest.
_LIT = (
    '<filter id="lit" x="-20%" y="-20%" width="140%" height="140%" color-interpolation-filters="sRGB">'
    '<feMorphology in="SourceAlpha" operator="dilate" radius="2.6" result="wide"/>'
    '<feFlood flood-color="#ff5b1f" flood-opacity=".38"/><feComposite in2="wide" operator="in" result="halo"/>'
    '<feColorMatrix in="SourceGraphic" type="saturate" values="0"/><feComponentTransfer result="orange">'
    '<feFuncR type="table" tableValues=".72 1 1"/><feFuncG type="table" tableValues=".2 .4 .72"/>'
    '<feFuncB type="table" tableValues=".02 .14 .52"/></feComponentTransfer>'
    '<feMerge><feMergeNode in="halo"/><feMergeNode in="orange"/></feMerge></filter>'
)


def is_color(text: str) -> bool:
    return _HEX.fullmatch(text) is not None


def is_bike(name: str) -> bool:
    return name in SPOTS


@lru_cache(maxsize=256)
def drawing(name: str, color: str) -> str:
    if name not in NAMES or not is_color(color):
        raise KeyError(name)
    text = (_FOLDER / f"{name}.svg").read_text(encoding="utf-8").replace("\n", "").replace("{color}", color)
    return re.sub(r"\{([^}]+)\}", lambda shade: _mixed(color, shade[1]), text)


@lru_cache(maxsize=256)
def lit_part(name: str, part: str) -> str:
    """One part of a bike, lit up, to lay on a drawing of the same kind in any colour."""
    plain = drawing(name, DEFAULT_COLOR)
    groups = re.findall(rf'<g data-part="{re.escape(part)}">.*?</g>', plain)
    if not groups:
        raise KeyError(part)
    head, _, _ = plain.partition("</defs>")
    return f'{head}{_LIT}</defs><g filter="url(#lit)">{"".join(groups)}</g></svg>'


def _mixed(color: str, shades: str) -> str:
    for shade in shades.split():
        name, _, percent = shade.partition("-")
        share = int(percent) / 100
        pairs = ((int(color[at : at + 2], 16), int(_MIXED_WITH[name][at : at + 2], 16)) for at in (1, 3, 5))
        color = "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)
    return color
