"""Rules of the map: views, pins and names."""

import re
from itertools import combinations, product
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.launch import ROOT
from portal.locations.rules import maps
from portal.locations.rules.maps import NARROW, PINS_WITHIN, RATIO, View
from portal.locations.rules.places import distance_km, find

_DEGREES = st.tuples(st.floats(PINS_WITHIN.south, PINS_WITHIN.north), st.floats(PINS_WITHIN.west, PINS_WITHIN.east))
_POINTS = _DEGREES.map(lambda point: maps.project(*point))
_LISTS = st.lists(_POINTS, min_size=1, max_size=30)
"""Points of the map, some of them near each other or at the same place."""


def _located(points: list[tuple[float, float]]) -> dict[str, tuple[float, float]]:
    return {str(place): point for place, point in enumerate(points)}


@st.composite
def _views(draw: st.DrawFn) -> View:
    x, y = draw(_POINTS)
    return View(x, y, draw(st.floats(maps.CLOSEST, maps.WIDEST)))


def test_kilometres_on_the_map_are_those_on_the_ground() -> None:
    utrecht, antwerp = find("Utrecht"), find("Antwerpen")
    assert utrecht
    assert antwerp
    drawn = dist(maps.project(*utrecht.point), maps.project(*antwerp.point)) / 10
    assert drawn == pytest.approx(distance_km(utrecht.point, antwerp.point), rel=0.01)


def test_the_drawing_has_the_layers_and_the_size_that_the_rules_know() -> None:
    drawing = (ROOT / "assets" / "map" / "benelux.svg").read_text(encoding="utf-8")
    assert re.findall(r' id="(\w+)"', drawing) == list(maps.LAYERS)
    assert f'viewBox="0 0 {maps.SIZE[0]} {maps.SIZE[1]}"' in drawing
    assert 'd=""' not in drawing


@given(_LISTS)
def test_a_view_has_room_for_every_point_and_is_never_too_close(points: list[tuple[float, float]]) -> None:
    view = maps.view_of(points)
    assert view.across >= maps.CLOSEST
    for x, y in points:
        assert abs(x - view.x) <= view.across * 0.4
        assert abs(y - view.y) <= view.across * 0.4 * RATIO


@given(_views(), st.booleans())
def test_zooming_goes_to_the_limits_and_keeps_the_middle(view: View, closer: bool) -> None:
    seen = view
    for _ in range(12):
        then = maps.zoomed(seen, closer=closer)
        assert then.across <= seen.across if closer else then.across >= seen.across
        seen = then
    assert seen == View(view.x, view.y, maps.CLOSEST if closer else maps.WIDEST)


@given(_LISTS, st.data())
def test_numbers_lie_apart_and_the_chosen_one_is_always_there(
    points: list[tuple[float, float]], data: st.DataObject
) -> None:
    view, located = maps.view_of(points), _located(points)
    chosen = str(data.draw(st.integers(0, len(points) - 1)))
    shown = maps.numbered(view, located, first=chosen)
    assert chosen in shown
    disc = maps.DISC * view.across / NARROW
    for one, other in combinations(sorted(shown), 2):
        (x, y), (other_x, other_y) = located[one], located[other]
        assert max(abs(x - other_x), abs(y - other_y)) >= disc - 0.001


@given(_views(), st.lists(_POINTS, max_size=10))
def test_names_overlap_neither_each_other_nor_numbers(view: View, points: list[tuple[float, float]]) -> None:
    found, pixel = maps.names(view, points), view.across / NARROW
    for one, other in combinations(found, 2):
        apart = (len(one.text) + len(other.text)) * 7.4 * pixel / 2
        assert abs(one.y - other.y) >= 16 * pixel - 0.001 or abs(one.x - other.x) >= apart
    for name, (x, y) in product(found, points):
        apart = (len(name.text) * 7.4 + 32) * pixel / 2
        assert abs(name.x - x) >= apart or abs(name.y - y) >= 24 * pixel, name.text


def test_the_largest_places_are_named_first() -> None:
    view = View(*maps.project(52.1, 5.0), 3000)
    named = [name.text for name in maps.names(view, [])]
    assert named[:4] == ["Rotterdam", "Amsterdam", "Antwerpen", "Den Haag"]
    assert not {"Duisburg", "Düsseldorf", "Krefeld"} & set(named), "places abroad come after our own"


def test_a_town_with_a_number_in_its_middle_is_named_below_it() -> None:
    utrecht = find("Utrecht")
    assert utrecht
    middle = maps.project(*utrecht.point)
    view = View(*middle, 500)
    name = next(name for name in maps.names(view, [middle]) if name.text == "Utrecht")
    assert (name.x, name.y - middle[1]) == (middle[0], pytest.approx(maps.DISC * 500 / NARROW))


def test_what_lies_far_from_the_benelux_is_not_on_the_map() -> None:
    hamburg, maastricht = find("Hamburg"), find("Maastricht")
    assert hamburg
    assert maastricht
    assert not maps.is_on_map(*hamburg.point)
    assert maps.is_on_map(*maastricht.point)
