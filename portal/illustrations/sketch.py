"""A sheet to draw on: lengths in millimetres, y upwards, light from the upper left. It writes SVG.

Everything on a sheet belongs to a named part. A part can be drawn alone, lit up, on top of the whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 480, 320
"""Size of every sheet, in its own units."""

GROUND = 290.0
"""Where things stand on a sheet."""

INK, SIGNAL, WHITE = "#12231e", "#ff5b1f", "#ffffff"
RUBBER, RUBBER_LIGHT = "#202b27", "#3d4a45"
STEEL, STEEL_LIGHT, STEEL_DARK = "#b4beb8", "#e4e9e5", "#7d8a84"
PLASTIC, PLASTIC_LIGHT = "#2b3733", "#51605a"
LAMP, REAR_LAMP, WOOD, LEATHER = "#ffe7ae", "#c41e28", "#c89b64", "#8a5634"
"""Colours of materials. Those of ink and signal are the tokens of `assets/theme.css`."""

_HEX = re.compile(r"#[0-9a-f]{6}")

Point = tuple[float, float]


def mix(color: str, other: str, share: float) -> str:
    """A colour between two hex colours; `share` is how much of the second it has."""
    pairs = ((int(color[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def is_color(text: str) -> bool:
    return _HEX.fullmatch(text) is not None


def along(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def moved(start: Point, angle: float, distance: float) -> Point:
    """The point at a distance from another one; the angle in degrees, counter-clockwise from the right."""
    return start[0] + distance * math.cos(math.radians(angle)), start[1] + distance * math.sin(math.radians(angle))


def number(value: float) -> str:
    """A number with one decimal, as short as SVG allows."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


@dataclass(frozen=True, slots=True)
class Path:
    """A line of straight pieces (2 points) and cubic curves (4 points), each from the end of the one before."""

    start: Point
    pieces: tuple[tuple[Point, ...], ...]
    closed: bool = False

    @property
    def end(self) -> Point:
        return self.pieces[-1][-1]


def line(start: Point, *points: Point, closed: bool = False) -> Path:
    return Path(start, tuple((point,) for point in points), closed)


def curve(start: Point, first: Point, second: Point, end: Point) -> Path:
    """A cubic curve between two points, pulled by two others."""
    return Path(start, ((first, second, end),))


def joined(*paths: Path, closed: bool = False) -> Path:
    pieces: list[tuple[Point, ...]] = []
    for place, path in enumerate(paths):
        if place and path.start != pieces[-1][-1]:
            pieces.append((path.start,))
        pieces += path.pieces
    return Path(paths[0].start, tuple(pieces), closed)


def arc(center: Point, radius: float, first: float, last: float) -> Path:
    """A part of a circle between two angles in degrees, as cubic curves of at most 45 degrees."""
    count = max(1, math.ceil(abs(last - first) / 45))
    step = (last - first) / count
    pull = 4 / 3 * math.tan(math.radians(step) / 4) * radius
    pieces = []
    for place in range(count):
        one, two = first + step * place, first + step * (place + 1)
        start, end = moved(center, one, radius), moved(center, two, radius)
        pieces.append((moved(start, one + 90, pull), moved(end, two - 90, pull), end))
    return Path(moved(center, first, radius), tuple(pieces))


def rounded(corners: Sequence[Point], radius: float) -> Path:
    pieces: list[tuple[Point, ...]] = []
    start: Point = corners[0]
    for place, corner in enumerate(corners):
        before, after = corners[place - 1], corners[(place + 1) % len(corners)]
        into = along(corner, before, min(0.5, radius / math.dist(corner, before)))
        out = along(corner, after, min(0.5, radius / math.dist(corner, after)))
        if place:
            pieces.append((into,))
        else:
            start = into
        pieces.append((along(into, corner, 0.55), along(out, corner, 0.55), out))
    return Path(start, tuple(pieces), closed=True)


class Sheet:
    """Collects shapes. `part` names what they belong to until the next call."""

    def __init__(self, scale: float, left: float, ground: float) -> None:
        self._scale, self._left, self._ground = scale, left, ground
        self._layers: list[tuple[str, list[str]]] = []

    def part(self, name: str = "") -> None:
        """What is drawn next belongs to this part; to none without a name."""
        self._layers.append((name, []))

    def place(self, point: Point) -> Point:
        return self._left + point[0] * self._scale, GROUND - (point[1] - self._ground) * self._scale

    @property
    def parts(self) -> frozenset[str]:
        return frozenset(name for name, shapes in self._layers if name and shapes)

    def markup(self, only: str = "") -> str:
        """All shapes, or those of one part."""
        groups = []
        for name, shapes in self._layers:
            if shapes and only in {"", name}:
                groups.append(f'<g data-part="{name}">{"".join(shapes)}</g>' if name else "".join(shapes))
        return "".join(groups)

    def stroke(
        self, path: Path, color: str, width: float, *, opacity: float = 1, cap: str = "round", dash: str = ""
    ) -> None:
        """A line of a width in millimetres."""
        self._stroke(path, color, width * self._scale, opacity, cap, dash)

    def hair(self, paths: Iterable[Path], color: str, width: float, opacity: float = 1) -> None:
        """Fine lines in one shape, with a width in units of the sheet."""
        data = "".join(self._data(path) for path in paths)
        faint = _faint("stroke-", opacity)
        self._add(f'<path d="{data}" fill="none" stroke="{color}" stroke-width="{number(width)}"{faint}/>')

    def fill(self, path: Path, color: str, *, opacity: float = 1, edge: str = "") -> None:
        """A filled shape, with a fine edge."""
        outline = f' stroke="{edge}" stroke-width=".9" stroke-linejoin="round"' if edge else ""
        self._add(f'<path d="{self._data(path)}" fill="{color}"{_faint("fill-", opacity)}{outline}/>')

    def disc(self, center: Point, radius: float, color: str, *, edge: str = "", opacity: float = 1) -> None:
        """A filled circle."""
        x, y = self.place(center)
        outline = f' stroke="{edge}" stroke-width=".9"' if edge else ""
        self._add(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius * self._scale)}" fill="{color}"'
            f"{_faint('fill-', opacity)}{outline}/>"
        )

    def ring(
        self, center: Point, radius: float, color: str, width: float, *, dash: str = "", opacity: float = 1
    ) -> None:
        """A circle of a width in millimetres."""
        x, y = self.place(center)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._add(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius * self._scale)}" fill="none" '
            f'stroke="{color}" stroke-width="{number(width * self._scale)}"{dashes}{_faint("stroke-", opacity)}/>'
        )

    def tubes(self, tubes: Sequence[tuple[Path, float]], color: str) -> None:
        """Tubes that are welded together: one outline around all, then their colour, then the light on them."""
        edge, light = mix(color, INK, 0.55), mix(color, WHITE, 0.55)
        for path, width in tubes:
            self._stroke(path, edge, width * self._scale + 1.5)
        for path, width in tubes:
            self._stroke(path, color, width * self._scale)
        for path, width in tubes:
            # A dark lower side and a light upper one make the stroke round.
            self._stroke(self._aside(path, -0.26 * width), mix(color, INK, 0.3), width * 0.36 * self._scale, 0.55)
            self._stroke(self._aside(path, 0.22 * width), light, width * 0.22 * self._scale, 0.8)

    def tube(self, path: Path, width: float, color: str) -> None:
        self.tubes([(path, width)], color)

    def shadow(self, left: float, right: float, strength: float = 0.2) -> None:
        """A soft shadow on the ground between two x in millimetres."""
        one, two = self.place((left, 0))[0], self.place((right, 0))[0]
        self._add(
            f'<ellipse cx="{number((one + two) / 2)}" cy="{GROUND + 1.5:g}" rx="{number((two - one) / 2)}" ry="7.5" '
            f'fill="url(#shade)" fill-opacity="{strength:g}"/>'
        )

    def glow(self, center: Point, radius: float) -> None:
        """The light of a lamp."""
        x, y = self.place(center)
        self._add(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius * self._scale)}" fill="url(#glow)"/>')

    def _aside(self, path: Path, distance: float) -> Path:
        """A path moved towards the light (or away from it), at a right angle to it."""
        length = math.dist(path.start, path.end) or 1
        across = ((path.start[1] - path.end[1]) / length, (path.end[0] - path.start[0]) / length)
        if across[0] * -0.5 + across[1] < 0:
            across = (-across[0], -across[1])
        x, y = across[0] * distance, across[1] * distance

        def shifted(point: Point) -> Point:
            return point[0] + x, point[1] + y

        return Path(
            shifted(path.start),
            tuple(tuple(shifted(point) for point in piece) for piece in path.pieces),
            path.closed,
        )

    def _stroke(
        self, path: Path, color: str, width: float, opacity: float = 1, cap: str = "round", dash: str = ""
    ) -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        ends = f' stroke-linecap="{cap}"' if cap != "butt" else ""
        self._add(
            f'<path d="{self._data(path)}" fill="none" stroke="{color}" stroke-width="{number(width)}"{ends} '
            f'stroke-linejoin="round"{dashes}{_faint("stroke-", opacity)}/>'
        )

    def _data(self, path: Path) -> str:
        written = "M" + self._pair(path.start)
        for piece in path.pieces:
            written += ("L" if len(piece) == 1 else "C") + " ".join(self._pair(point) for point in piece)
        return written + ("Z" if path.closed else "")

    def _pair(self, point: Point) -> str:
        x, y = self.place(point)
        return f"{number(x)} {number(y)}"

    def _add(self, shape: str) -> None:
        self._layers[-1][1].append(shape)


def _faint(prefix: str, opacity: float) -> str:
    return f' {prefix}opacity="{number(opacity) if opacity >= 0.1 else f"{opacity:g}"}"' if opacity < 1 else ""


_SHADES = (
    '<radialGradient id="shade"><stop stop-color="#12231e"/><stop offset="1" stop-color="#12231e" stop-opacity="0"/>'
    "</radialGradient>"
    '<radialGradient id="glow"><stop stop-color="#ffe9b8" stop-opacity=".95"/><stop offset=".35" '
    'stop-color="#ffdf9a" stop-opacity=".4"/><stop offset="1" stop-color="#ffdf9a" stop-opacity="0"/></radialGradient>'
)

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


def document(sheet: Sheet) -> str:
    """The whole sheet as an SVG file."""
    return _svg(f"<defs>{_SHADES}</defs>{sheet.markup()}")


def lit(sheet: Sheet, part: str) -> str:
    """One part alone, lit up, as an SVG file to lay on the whole."""
    return _svg(f'<defs>{_SHADES}{_LIT}</defs><g filter="url(#lit)">{sheet.markup(part)}</g>')


def _svg(content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{content}</svg>'
    )
