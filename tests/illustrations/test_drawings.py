"""Drawings: well formed in every colour, with the parts that are asked for, and spots that a finger can press."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.illustrations.bikes import BIKES, LEAST_APART, BikeKind, Place, spots
from portal.illustrations.library import NAMES, drawing, lit_part
from portal.illustrations.sketch import HEIGHT, WIDTH
from portal.work_orders.flow.repair import PARTS

SVG = "{http://www.w3.org/2000/svg}"
COLORS = st.integers(0, 0xFFFFFF).map(lambda code: f"#{code:06x}")
ASKED = set(PARTS) - {"other"}
"""Parts of which a repair asks whether they are broken."""


def parts_of(svg: str) -> set[str]:
    return {group.get("data-part", "") for group in fromstring(svg).iter(f"{SVG}g")} - {""}  # noqa: S314 - our own


def shapes_of(root: Element) -> list[Element]:
    return [part for name in ("path", "circle", "ellipse") for part in root.iter(SVG + name)]


@given(name=st.sampled_from(sorted(NAMES)), color=COLORS)
def test_a_drawing_is_well_formed_in_every_colour(name: str, color: str) -> None:
    root = fromstring(drawing(name, color))  # noqa: S314 - our own
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert len(shapes_of(root)) > 4
    assert "nan" not in drawing(name, color)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_drawing_is_small_and_holds_no_program(name: str) -> None:
    svg = drawing(name, "#2f5d46")
    assert len(svg) < 26_000
    assert not re.search(r"<script|href|<style|\son\w+=|foreignObject|<image", svg)


@pytest.mark.parametrize("kind", BikeKind)
def test_a_bike_is_drawn_in_its_colour(kind: BikeKind) -> None:
    assert "#2f5d46" in drawing(kind, "#2f5d46")
    assert "#2f5d46" not in drawing(kind, "#9c3b2e")


@pytest.mark.parametrize("kind", BikeKind)
def test_a_bike_has_every_part_that_a_repair_asks_for(kind: BikeKind) -> None:
    bike = BIKES[kind]
    lacks = {
        "motor": bike.motor is Place.NONE,
        "battery": bike.battery is Place.NONE,
        "carrier": not bike.carrier or kind is BikeKind.FRONT_LOADER,
    }
    missing = {part for part, without in lacks.items() if without}
    assert parts_of(drawing(kind, "#000000")) & ASKED == ASKED - missing


@pytest.mark.parametrize("kind", BikeKind)
def test_every_part_is_pressed_and_lights_up(kind: BikeKind) -> None:
    pressed = {spot.part for spot in spots(kind)}
    assert pressed == parts_of(drawing(kind, "#000000")) & ASKED
    for part in pressed:
        assert parts_of(lit_part(kind, part)) == {part}


@pytest.mark.parametrize("kind", BikeKind)
def test_spots_are_a_finger_apart(kind: BikeKind) -> None:
    for one, two in combinations(spots(kind), 2):
        assert max(abs(one.x - two.x), abs(one.y - two.y)) >= LEAST_APART - 0.1, (one, two)
    for spot in spots(kind):
        assert 0 < spot.x < WIDTH
        assert 0 < spot.y < HEIGHT


@pytest.mark.parametrize("name", ["penny-farthing", "", "../etc"])
def test_an_unknown_drawing_is_none(name: str) -> None:
    with pytest.raises(KeyError):
        drawing(name, "#000000")


@pytest.mark.parametrize("color", ["red", "#12", "#1234567", "url(#a)", '#000"/>', "#00000G"])
def test_a_drawing_takes_a_hex_colour_only(color: str) -> None:
    with pytest.raises(KeyError):
        drawing("diamond", color)


def test_an_accessory_has_no_parts_to_light_up() -> None:
    with pytest.raises(KeyError):
        lit_part("lock", "chain")
    with pytest.raises(KeyError):
        lit_part("road", "battery")
