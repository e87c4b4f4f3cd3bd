"""The map of the Benelux: its projection, its views, and the numbers and names with room in a view (decision 0129).

The map is one drawing, `assets/map/benelux.svg`, in tenths of a kilometre from its north-west corner. Room is that of
the smallest size of the map; on a larger one numbers and names lie further apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians
from typing import Self

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
"""Pixels of a letter of a name, and of its height."""

_MAX_NAMES = 14
_SMALLEST_TOWN = 2000


@dataclass(frozen=True, slots=True)
class View:
    """A part of the map: its middle and its width, in tenths of a kilometre from the north-west corner."""

    x: float
    y: float
    across: float


@dataclass(frozen=True, slots=True)
class Pin:
    """A location on the map, and its number in the list; without room for the number, only its place is shown."""

    location_id: str
    name: str
    number: int
    x: float
    y: float
    labelled: bool


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a town, as on its signs, with its middle."""

    text: str
    x: float
    y: float


def project(latitude: float, longitude: float) -> Point:
    """X and y on the map for a point in degrees."""
    return (longitude - FRAME.west) * _PER_LONGITUDE, (FRAME.north - latitude) * _PER_LATITUDE


def is_on_map(latitude: float, longitude: float) -> bool:
    """Whether a location is shown on the map."""
    within = PINS_WITHIN
    return within.south <= latitude <= within.north and within.west <= longitude <= within.east


def is_in_view(view: View, point: Point) -> bool:
    """Whether a point of the map lies within a view, or right above or below it, where a high map shows it."""
    return max(abs(point[0] - view.x), abs(point[1] - view.y)) <= view.across / 2


def view_of(points: Iterable[Point]) -> View:
    """The smallest view with all of these points of the map (at least one), and room for their pins."""
    across, down = zip(*points, strict=True)
    width, height = max(across) - min(across), max(down) - min(down)
    most = max(width / _ROOM, height / RATIO / _ROOM, CLOSEST)
    return View((min(across) + max(across)) / 2, (min(down) + max(down)) / 2, most)


def zoomed(view: View, *, closer: bool) -> View:
    """The next closer view around the same middle, or the next wider one."""
    across = view.across * _STEP if closer else view.across / _STEP
    return replace(view, across=min(max(across, CLOSEST), WIDEST))


def numbered(view: View, points: Mapping[str, Point], first: str = "") -> set[str]:
    """The locations with room for their number, the most important first; `first` comes before all others."""
    disc = _disc(view)
    taken: dict[str, _Box] = {}
    for key in sorted(points, key=lambda key: key != first):
        box = _Box(*points[key], disc, disc)
        if box.is_apart(taken.values()):
            taken[key] = box
    return set(taken)


def names(view: View, numbers: Iterable[Point]) -> list[Name]:
    """The names of the largest towns with room between the numbers; where one covers a town, its name is below."""
    pixel, disc = view.across / NARROW, _disc(view)
    taken = [_Box(*point, disc, disc) for point in numbers]
    edge = view.across / 2
    found: list[Name] = []
    for town in _towns():
        half_width, half_height = (len(town.text) + 1) * _LETTER / 2 * pixel, _LINE / 2 * pixel
        for y in (town.y, town.y + 2 * disc):
            box = _Box(town.x, y, half_width, half_height)
            is_inside = abs(box.x - view.x) + half_width <= edge and abs(y - view.y) + half_height <= edge * RATIO
            if is_inside and box.is_apart(taken):
                taken.append(box)
                found.append(replace(town, y=y))
                break
        if len(found) == _MAX_NAMES:
            break
    return found


def load() -> None:
    """Read the places of the map, so that the first one does not wait for them (about 0.1 s)."""
    _towns()


@dataclass(frozen=True, slots=True)
class _Box:
    """What a number or a name covers: its middle, and half its width and height."""

    x: float
    y: float
    half_width: float
    half_height: float

    def is_apart(self, others: Iterable[Self]) -> bool:
        return all(
            abs(self.x - other.x) >= self.half_width + other.half_width
            or abs(self.y - other.y) >= self.half_height + other.half_height
            for other in others
        )


def _disc(view: View) -> float:
    """Half the distance between two numbers."""
    return view.across / NARROW * DISC / 2


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
