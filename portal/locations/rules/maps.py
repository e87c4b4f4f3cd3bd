"""The map of the Benelux: where a point lies on it, what part of it is shown, and what has room there (decision 0129).

The map is one drawing, `assets/map/benelux.svg`, in tenths of a kilometre from its north-west corner. A view says
which part of it is shown. Everything on top of it, pins and names of places, is placed here for the smallest size in
which the map is shown; on a larger one the same things only lie further apart, so they cannot overlap there either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
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

NARROW, WIDE = 288, 500
"""Width of a view in pixels: the smallest one, and that from which on there is room for more names."""

CLOSEST, WIDEST = 120.0, 4500.0
"""Width of the smallest and the largest view that can be asked for, in tenths of a kilometre."""

DISC = 38
"""Pixels from the middle of a pin to that of the next one, at least."""

_ROOM = 0.78
"""How much of a view its points take; the rest is left for their pins."""

_STEP = 0.55
"""Width of the next closer view."""

_LETTER, _BESIDE, _LINE = 7.4, 10, 16
"""Pixels that a letter of a name needs at most, the room beside a name, and its height."""

_APART = DISC / 2 + _LINE / 2 + 1
"""How many pixels a name stands below or above a pin in its place."""

_SMALLEST_TOWN = 2000
_CITY, _NEAR, _LESS = 60_000, 90, 8
"""Inhabitants of a city, how near its parts are in tenths of a kilometre, and how much less their names matter."""


@dataclass(frozen=True, slots=True)
class View:
    """A part of the map: its middle and its width, in tenths of a kilometre from the north-west corner."""

    x: float
    y: float
    across: float


@dataclass(frozen=True, slots=True)
class Pin:
    """A location on the map.

    Attributes:
        key: the location.
        x, y: where the pin stands, in tenths of a kilometre.
        is_dot: whether there is only room for a dot.
    """

    key: str
    x: float
    y: float
    is_dot: bool = False


class MapSize(StrEnum):
    """The maps on which there is room for a name: any, wide ones, or wide ones that are as high."""

    ANY = "any"
    WIDE = "wide"
    HIGH = "high"


_SIZES = ((MapSize.ANY, NARROW, RATIO, 12), (MapSize.WIDE, WIDE, RATIO, 24), (MapSize.HIGH, WIDE, 1.0, 30))
"""Each kind of map with its width in pixels, its height in widths, and how many names it has at most."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name on the map.

    Attributes:
        text: the name, as on the signs of the place.
        x, y: its middle, in tenths of a kilometre.
        people: inhabitants of the place.
        needs: the maps on which it is shown.
    """

    text: str
    x: float
    y: float
    people: int = 0
    needs: MapSize = MapSize.ANY


@dataclass(frozen=True, slots=True)
class Box:
    """What something covers, in pixels from the middle of the view."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Box) -> bool:
        """Whether both cover a pixel."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_in(self, other: Box) -> bool:
        """Whether nothing of it lies outside of the other one."""
        across = other.left <= self.left and self.right <= other.right
        return across and other.top <= self.top and self.bottom <= other.bottom


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
    """Return the smallest view with all of these points of the map, and room for their pins.

    Args:
        points: at least one.
    """
    across, down = zip(*points, strict=True)
    width, height = max(across) - min(across), max(down) - min(down)
    most = max(width / _ROOM, height / RATIO / _ROOM, CLOSEST)
    return View((min(across) + max(across)) / 2, (min(down) + max(down)) / 2, most)


def zoomed(view: View, *, closer: bool) -> View:
    """Return the next closer view around the same middle, or the next wider one."""
    across = view.across * _STEP if closer else view.across / _STEP
    return replace(view, across=min(max(across, CLOSEST), WIDEST))


def box_of_view(size: int, ratio: float = RATIO) -> Box:
    """Return what a view covers if it is so many pixels wide."""
    return Box(-size / 2, -size * ratio / 2, size / 2, size * ratio / 2)


def box_of_pin(view: View, pin: Pin, size: int) -> Box:
    """Return the square around a pin in which no other pin stands. A dot has none of its own."""
    x, y = _pixels(view, (pin.x, pin.y), size)
    half = DISC / 2
    return Box(x - half, y - half, x + half, y + half)


def box_of_name(view: View, name: Name, size: int) -> Box:
    """Return the room of a name."""
    x, y = _pixels(view, (name.x, name.y), size)
    half = (len(name.text) * _LETTER + _BESIDE) / 2
    return Box(x - half, y - _LINE / 2, x + half, y + _LINE / 2)


def pins(view: View, points: Mapping[str, Point], first: str = "") -> list[Pin]:
    """Place the pins of a view.

    Each stands where its location is. One that would cover an earlier one, or the edge of the view, is a dot.

    Args:
        view: the view.
        points: where the locations are, by their id, the most important first.
        first: the location that is more important than all others.
    """
    inside = box_of_view(NARROW)
    placed: dict[str, Pin] = {}
    taken: list[Box] = []
    for key in sorted(points, key=lambda key: key != first):
        pin = Pin(key, *points[key])
        box = box_of_pin(view, pin, NARROW)
        if box.is_in(inside) and not any(box.touches(other) for other in taken):
            placed[key] = pin
            taken.append(box)
    return [placed.get(key) or Pin(key, *point, is_dot=True) for key, point in points.items()]


def names(view: View, taken: Sequence[Pin], middle: Point | None = None) -> list[Name]:
    """Choose and place the names of places: the largest first, none over another one or over a pin.

    Args:
        view: the view.
        taken: the pins.
        middle: a further point of the map that no name may cover.
    """
    marks = [*taken, *([Pin("", *middle)] if middle else [])]
    near = [town for town in _towns() if is_in_view(view, (town.x, town.y))]
    found: list[Name] = []
    for needs, size, ratio, most in _SIZES:
        under = [box_of_pin(view, pin, size) for pin in marks]
        boxes = under + [box_of_name(view, name, size) for name in found]
        known = {name.text for name in found}
        for town in near:
            if len(found) >= most:
                break
            if town.text in known:
                continue
            covered = any(box_of_name(view, town, size).touches(box) for box in under)
            places = _beside(view, town, size) if covered else [town]
            name = next((place for place in places if _fits(view, place, size, ratio, boxes)), None)
            if name:
                known.add(name.text)
                boxes.append(box_of_name(view, name, size))
                found.append(replace(name, needs=needs))
    return found


def load() -> None:
    """Read the places of the map, so that the first one does not wait for them (about 0.1 s)."""
    _towns()


def _fits(view: View, name: Name, size: int, ratio: float, boxes: Iterable[Box]) -> bool:
    box = box_of_name(view, name, size)
    return box.is_in(box_of_view(size, ratio)) and not any(box.touches(other) for other in boxes)


def _beside(view: View, town: Name, size: int) -> Iterator[Name]:
    """Yield where the name of a town with a pin may stand: below it, above it, and on a wide map also on both sides.

    What stands beside its place on a small map would stand too far from it on a large one.
    """
    unit = view.across / size
    down, aside = _APART * unit, ((len(town.text) * _LETTER + _BESIDE + DISC) / 2 + 1) * unit
    yield replace(town, y=town.y + down)
    yield replace(town, y=town.y - down)
    if size == WIDE:
        yield replace(town, x=town.x + aside)
        yield replace(town, x=town.x - aside)


def _pixels(view: View, point: Point, size: int) -> Point:
    return (point[0] - view.x) / view.across * size, (point[1] - view.y) / view.across * size


@lru_cache(maxsize=1)
def _towns() -> tuple[Name, ...]:
    """The places on the map, the largest first; parts of a city and places abroad matter less."""
    found = {
        Name(row.own_name, *project(row.latitude, row.longitude), people=row.weight): row.country in {"NL", "BE"}
        for row in table().beginning("")
        if row.weight >= _SMALLEST_TOWN and is_on_map(row.latitude, row.longitude)
    }
    cities = [town for town in found if town.people >= _CITY]
    weights = {
        town: town.people / (1 if is_ours and not _is_part(town, cities) else _LESS) for town, is_ours in found.items()
    }
    return tuple(sorted(found, key=lambda town: (-weights[town], town.text)))


def _is_part(town: Name, cities: Iterable[Name]) -> bool:
    """Whether a place is a part of a far larger one, or beside it."""
    return any(
        city.people > 3 * town.people and abs(city.x - town.x) < _NEAR and abs(city.y - town.y) < _NEAR
        for city in cities
    )
