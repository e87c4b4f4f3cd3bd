"""Rules of the map: views, pins and names."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.launch import ROOT
from portal.locations.rules import maps
from portal.locations.rules.maps import NARROW, PINS_WITHIN, RATIO, WIDE, View
from portal.locations.rules.places import distance_km, find

_DEGREES = st.tuples(
    st.floats(PINS_WITHIN.south, PINS_WITHIN.north),
    st.floats(PINS_WITHIN.west, PINS_WITHIN.east),
)
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
def test_a_view_has_room_for_every_point_and_is_never_too_close(
    points: list[tuple[float, float]],
) -> None:
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


@given(_LISTS)
def test_pins_stand_inside_of_the_view_and_apart_from_each_other(points: list[tuple[float, float]]) -> None:
    view = maps.view_of(points)
    placed = maps.pins(view, _located(points))
    assert [pin.key for pin in placed] == [str(place) for place in range(len(points))]
    for size in (NARROW, WIDE):
        boxes = [maps.box_of_pin(view, pin, size) for pin in placed if not pin.is_dot]
        assert not any(one.touches(other) for one, other in combinations(boxes, 2))
    inside = maps.box_of_view(NARROW)
    assert all(maps.box_of_pin(view, pin, NARROW).is_in(inside) for pin in placed if not pin.is_dot)


@given(_LISTS)
def test_a_pin_stands_where_its_location_is(points: list[tuple[float, float]]) -> None:
    placed = maps.pins(maps.view_of(points), _located(points))
    assert [(pin.x, pin.y) for pin in placed] == points


@given(_LISTS, st.data())
def test_the_chosen_pin_stands_where_its_location_is(points: list[tuple[float, float]], data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, len(points) - 1))
    placed = maps.pins(maps.view_of(points), _located(points), first=str(chosen))[chosen]
    assert (placed.x, placed.y, placed.is_dot) == (*points[chosen], False)


@given(_views(), st.lists(_POINTS, max_size=10))
def test_names_overlap_neither_each_other_nor_pins_at_any_size(view: View, points: list[tuple[float, float]]) -> None:
    pins = [pin for pin in maps.pins(view, _located(points)) if not pin.is_dot]
    found = maps.names(view, pins, (view.x, view.y))
    narrow = [name for name in found if name.needs is maps.MapSize.ANY]
    for size, names in ((NARROW, narrow), (400, narrow), (WIDE, found), (700, found)):
        boxes = [maps.box_of_name(view, name, size) for name in names]
        assert not any(one.touches(other) for one, other in combinations(boxes, 2))
        marks = [maps.box_of_pin(view, pin, size) for pin in pins]
        assert not any(one.touches(other) for one in boxes for other in marks)


def test_the_largest_places_are_named_first() -> None:
    view = View(*maps.project(52.1, 5.0), 3000)
    named = [name.text for name in maps.names(view, []) if name.needs is maps.MapSize.ANY]
    assert named[:4] == ["Rotterdam", "Amsterdam", "Antwerpen", "Den Haag"]
    assert not {"Duisburg", "Düsseldorf", "Krefeld"} & set(named), "places abroad come after our own"


def test_a_place_whose_middle_has_a_pin_is_named_beside_it() -> None:
    utrecht = find("Utrecht")
    assert utrecht
    middle = maps.project(*utrecht.point)
    view = View(*middle, 500)
    pins = maps.pins(view, {"shop": middle})
    name = next(name for name in maps.names(view, pins) if name.text == "Utrecht")
    assert not maps.box_of_name(view, name, NARROW).touches(maps.box_of_pin(view, pins[0], NARROW))


def test_what_lies_far_from_the_benelux_is_not_on_the_map() -> None:
    hamburg, maastricht = find("Hamburg"), find("Maastricht")
    assert hamburg
    assert maastricht
    assert not maps.is_on_map(*hamburg.point)
    assert maps.is_on_map(*maastricht.point)
