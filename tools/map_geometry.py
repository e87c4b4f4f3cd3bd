"""Geometry of the map: projecting, clipping, simplifying, and lines around dense areas."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from portal.locations.rules.maps import FRAME, project

Point = tuple[float, float]
"""Longitude and latitude in degrees, or x and y on the map, in tenths of a kilometre."""

COARSE = 6.0
"""How far, in tenths of a kilometre, a line outside of the Benelux may lie from where it is."""


def clipped(ring: Sequence[Point]) -> list[Point]:
    """Cut a ring, in degrees, to the frame of the map (Sutherland and Hodgman)."""
    found = list(ring)
    for axis, limit, sign in ((0, FRAME.west, 1), (0, FRAME.east, -1), (1, FRAME.south, 1), (1, FRAME.north, -1)):
        kept: list[Point] = []
        for one, other in zip(found, [*found[1:], *found[:1]], strict=True):
            inside, then = sign * (one[axis] - limit) >= 0, sign * (other[axis] - limit) >= 0
            if inside:
                kept.append(one)
            if inside != then:
                part = (limit - one[axis]) / (other[axis] - one[axis])
                kept.append((one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])))
        found = kept
    return found


def runs(line: Iterable[Point]) -> Iterator[list[Point]]:
    """Yield the parts of a line, in degrees, that lie within the frame of the map."""
    run: list[Point] = []
    for point in line:
        if FRAME.west <= point[0] <= FRAME.east and FRAME.south <= point[1] <= FRAME.north:
            run.append(point)
            continue
        if len(run) > 1:
            yield run
        run = []
    if len(run) > 1:
        yield run


def on_map(line: Iterable[Point]) -> list[Point]:
    """Project a line from degrees to the map."""
    return [project(latitude, longitude) for longitude, latitude in line]


def simplified(line: Sequence[Point], tolerance: float) -> list[Point]:
    """Leave out the points of a line that lie nearer to it than the tolerance (Douglas and Peucker).

    Outside of the Benelux more is left out.
    """
    keep, todo = {0, len(line) - 1}, [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        far, at = 0.0, 0
        for place in range(first + 1, last):
            away = _distance(line[place], line[first], line[last]) / (1 if _is_inside(line[place]) else COARSE)
            if away > far:
                far, at = away, place
        if far > tolerance:
            keep.add(at)
            todo += [(first, at), (at, last)]
    return [line[place] for place in sorted(keep)]


def simplified_ring(ring: Sequence[Point], tolerance: float) -> list[Point]:
    """Simplify a closed line; its last point is not its first one again."""
    half = len(ring) // 2
    there, back = list(ring[: half + 1]), [*ring[half:], ring[0]]
    return [*simplified(there, tolerance), *simplified(back, tolerance)[1:-1]]


def _is_inside(point: Point) -> bool:
    """Whether a point of the map lies in the Benelux or near it."""
    (west, north), (east, south) = project(53.75, 2.4), project(49.35, 7.35)
    return west <= point[0] <= east and north <= point[1] <= south


def _distance(point: Point, first: Point, last: Point) -> float:
    (x1, y1), (x2, y2) = first, last
    length = math.dist(first, last)
    if not length:
        return math.dist(point, first)
    return abs((x2 - x1) * (y1 - point[1]) - (x1 - point[0]) * (y2 - y1)) / length


def path(points: Iterable[Point], *, closed: bool) -> str:
    """Write a line of the map as data of an SVG path, in whole tenths of a kilometre; empty if nothing is left."""
    grid: list[tuple[int, int]] = []
    for x, y in points:
        place = round(x), round(y)
        if not grid or place != grid[-1]:
            grid.append(place)
    if len(grid) < (3 if closed else 2):
        return ""
    steps = " ".join(f"{b[0] - a[0]} {b[1] - a[1]}" for a, b in pairwise(grid))
    return f"M{grid[0][0]} {grid[0][1]}l{steps}".replace(" -", "-") + ("z" if closed else "")


def rounded_path(ring: Sequence[Point]) -> str:
    """Write a closed line of the map without its corners, as data of an SVG path.

    The curve runs from middle to middle of the sides, so each corner follows from the one before; on even numbers the
    middles are whole ones, and nothing is lost on the way.
    """
    corners = [(round(x / 2) * 2, round(y / 2) * 2) for x, y in ring]
    corners = [
        corner for corner, following in zip(corners, [*corners[1:], corners[0]], strict=True) if corner != following
    ]
    if len(corners) < 3:
        return ""
    middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in zip([corners[-1], *corners], corners, strict=False)]
    (x, y), (left, top), (right, down) = middles[0], corners[0], middles[1]
    steps = " ".join(f"{b[0] - a[0]} {b[1] - a[1]}" for a, b in pairwise([*middles[1:], middles[0]]))
    return f"M{x} {y}q{left - x} {top - y} {right - x} {down - y}t{steps}z".replace(" -", "-")


def area_of(ring: Sequence[Point]) -> float:
    """Return the area within a closed line of the map, in hundredths of a square kilometre."""
    sides = zip(ring, [*ring[1:], *ring[:1]], strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in sides)) / 2


class Density:
    """People for each square kilometre, on a grid, from places with their inhabitants."""

    def __init__(self, cell: float, blur: float) -> None:
        """Make an empty grid.

        Args:
            cell: width of a cell, in tenths of a kilometre.
            blur: how wide the inhabitants of a place are spread: the standard deviation, in tenths of a kilometre.
        """
        self._cell, self._blur = cell, blur
        self._values: dict[tuple[int, int], float] = defaultdict(float)

    def add(self, point: Point, people: float) -> None:
        """Spread the inhabitants of a place around it."""
        reach = math.ceil(3 * self._blur / self._cell)
        left, top = round(point[0] / self._cell), round(point[1] / self._cell)
        most = people / (2 * math.pi * (self._blur / 10) ** 2)
        for column in range(left - reach, left + reach + 1):
            for row in range(top - reach, top + reach + 1):
                away = math.dist(point, (column * self._cell, row * self._cell))
                self._values[column, row] += most * math.exp(-((away / self._blur) ** 2) / 2)

    def outlines(self, least: float) -> Iterator[list[Point]]:
        """Yield the rings around what is denser than `least`; holes are rings, too (marching squares)."""
        following: dict[Point, list[Point]] = defaultdict(list)
        cells = {(column - a, row - b) for column, row in self._values for a in (0, 1) for b in (0, 1)}
        for column, row in sorted(cells):
            for start, end in self._sides(column, row, least):
                following[start].append(end)
        while following:
            start, _ = next(iter(following.items()))
            ring, point = [], start
            while point in following:
                ring.append(point)
                ends = following[point]
                then = ends.pop()
                if not ends:
                    del following[point]
                point = then
            yield ring

    def _sides(self, column: int, row: int, least: float) -> Iterator[tuple[Point, Point]]:
        """Yield the lines through one cell, with what is denser on their right."""
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        values = [self._values.get(corner, 0.0) for corner in corners]
        into: list[Point] = []
        out: list[Point] = []
        for place in range(4):
            one, other = values[place], values[(place + 1) % 4]
            if (one > least) == (other > least):
                continue
            crossing = self._crossing(corners[place], corners[(place + 1) % 4], least)
            (out if one > least else into).append(crossing)
        yield from zip(into, out, strict=True)

    def _crossing(self, one: tuple[int, int], other: tuple[int, int], least: float) -> Point:
        one, other = sorted((one, other))  # The same point from both cells that share this side.
        low, high = self._values.get(one, 0.0), self._values.get(other, 0.0)
        part = (least - low) / (high - low)
        return (
            round((one[0] + part * (other[0] - one[0])) * self._cell, 3),
            round((one[1] + part * (other[1] - one[1])) * self._cell, 3),
        )
