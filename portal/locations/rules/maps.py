"""The map of the Benelux: its projection, its views, and the pins and names with room in a view (decision 0129).

The map is one drawing, `assets/map/benelux.svg`, in tenths of a kilometre from its north-west corner. Pins and names
are placed for the smallest size of the map; on a larger one they lie further apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians

from portal.locations.rules.locations import KM_PER_DEGREE, BoundingBox
from portal.locations.rules.place_tables import table
from portal.locations.rules.places import Point

FRAME = BoundingBox(south=48.2, north=54.8, west=0.8, east=9.2)
"""What is drawn, in degrees: the Benelux and what lies around it."""

PINS_WITHIN = BoundingBox(south=49.2, north=53.9, west=2.2, east=7.5)
"""Where locations are shown on the map, in degrees; what lies further away is only in the list."""

LAYERS = ("land", "town", "province", "water", "dam", "river", "border")
"""The shapes of the drawing, from the lowest to the highest."""

_PER_LONGITUDE = 111.32 * cos(radians(51.5)) * 10
_PER_LATITUDE = KM_PER_DEGREE * 10

SIZE = (round((FRAME.east - FRAME.west) * _PER_LONGITUDE), round((FRAME.north - FRAME.south) * _PER_LATITUDE))
"""Width and height of the drawing, in tenths of a kilometre."""

RATIO = 0.8
"""Height of a view, in its width. A taller or wider map shows more around it."""

NARROW = 288
"""Pixels of the narrowest map."""

CLOSEST, WIDEST = 120.0, 4500.0
"""Width of the closest and the widest view, in tenths of a kilometre."""

DISC = 38
"""Pixels between the middles of two numbers."""

_ROOM = 0.78
"""Share of a view that its points take; the rest is left for their pins."""

_STEP = 0.55
"""Width of the next closer view."""

_LETTER, _LINE = 7.4, 16
"""Pixels of a letter of a name at most, and of its height."""

_MAX_NAMES = 14
_SMALLEST_TOWN = 2000

# Where a number goes, in discs from its place, if another one is in the way.
_AROUND = ((0, 0), (0, -1), (1, 0), (-1, 0), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True, slots=True)
class View:
    """A part of the map: its middle and its width, in tenths of a kilometre from the north-west corner."""

    x: float
    y: float
    across: float


@dataclass(frozen=True, slots=True)
class Pin:
    """A location on the map; `label` is the middle of its number, None without room for one."""

    key: str
    place: Point
    label: Point | None


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a town, as on its signs, with its middle."""

    text: str
    x: float
    y: float


def project(latitude: float, longitude: float) -> Point:
    """Return x and y on the map for a point in degrees."""
    return (longitude - FRAME.west) * _PER_LONGITUDE, (FRAME.north - latitude) * _PER_LATITUDE


def is_on_map(latitude: float, longitude: float) -> bool:
    """Whether a location is shown on the map."""
    within = PINS_WITHIN
    return within.south <= latitude <= within.north and within.west <= longitude <= within.east


def is_in_view(view: View, point: Point) -> bool:
    """Whether a point of the map lies within a view, or right above or below it, where a high map shows it."""
    return max(abs(point[0] - view.x), abs(point[1] - view.y)) <= view.across / 2


def view_of(points: Iterable[Point]) -> View:
    """Return the smallest view with all of these points of the map (at least one), and room for their pins."""
    across, down = zip(*points, strict=True)
    width, height = max(across) - min(across), max(down) - min(down)
    most = max(width / _ROOM, height / RATIO / _ROOM, CLOSEST)
    return View((min(across) + max(across)) / 2, (min(down) + max(down)) / 2, most)


def zoomed(view: View, *, closer: bool) -> View:
    """Return the next closer view around the same middle, or the next wider one."""
    across = view.across * _STEP if closer else view.across / _STEP
    return replace(view, across=min(max(across, CLOSEST), WIDEST))


def pins(view: View, points: Mapping[str, Point], first: str = "") -> list[Pin]:
    """Place the numbers of locations, the most important first: at their place, else beside it.

    The location `first` comes before all others.
    """
    disc = view.across / NARROW * DISC
    labels: dict[str, Point] = {}
    for key in sorted(points, key=lambda key: key != first):
        x, y = points[key]
        for right, down in _AROUND:
            label = (x + right * disc, y + down * disc)
            if _is_inside(view, label, disc / 2, disc / 2) and _is_free(label, disc, disc, labels.values()):
                labels[key] = label
                break
    return [Pin(key, place, labels.get(key)) for key, place in points.items()]


def names(view: View, taken: Iterable[Point]) -> list[Name]:
    """The names of the largest towns that overlap neither each other nor the numbers at the `taken` points."""
    pixel = view.across / NARROW
    marks = list(taken)
    found: list[Name] = []
    for town in _towns():
        half = len(town.text) * _LETTER / 2 * pixel
        room = half + DISC / 2 * pixel, (DISC + _LINE) / 2 * pixel
        # Where the number of a shop covers the middle of a town, its name goes below or above.
        is_covered = not _is_free((town.x, town.y), *room, marks)
        for down in (DISC * pixel, -DISC * pixel) if is_covered else (0,):
            name = replace(town, y=town.y + down)
            middle = (name.x, name.y)
            if (
                _is_inside(view, middle, half, _LINE / 2 * pixel)
                and _is_free(middle, *room, marks)
                and all(
                    abs(name.y - other.y) >= _LINE * pixel
                    or abs(name.x - other.x) >= half + (len(other.text) + 2) * _LETTER / 2 * pixel
                    for other in found
                )
            ):
                found.append(name)
                break
        if len(found) == _MAX_NAMES:
            break
    return found


def load() -> None:
    """Read the places of the map, so that the first one does not wait for them (about 0.1 s)."""
    _towns()


def _is_inside(view: View, middle: Point, half_width: float, half_height: float) -> bool:
    across, down = abs(middle[0] - view.x) + half_width, abs(middle[1] - view.y) + half_height
    return across <= view.across / 2 and down <= view.across * RATIO / 2


def _is_free(middle: Point, width: float, height: float, taken: Iterable[Point]) -> bool:
    return all(abs(middle[0] - x) >= width or abs(middle[1] - y) >= height for x, y in taken)


@lru_cache(maxsize=1)
def _towns() -> tuple[Name, ...]:
    """The towns of the map, the largest first; those abroad last."""
    rows = sorted(
        (
            row
            for row in table().beginning("")
            if row.weight >= _SMALLEST_TOWN and is_on_map(row.latitude, row.longitude)
        ),
        key=lambda row: (row.country not in {"NL", "BE"}, -row.weight, row.own_name),
    )
    return tuple(dict.fromkeys(Name(row.own_name, *project(row.latitude, row.longitude)) for row in rows))
