"""Drawings: well formed in every colour, with the parts that are asked for, and spots that a finger can press."""

import re
from itertools import combinations
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.illustrations import HEIGHT, NAMES, SPOTS, WIDTH, drawing, lit_part
from portal.work_orders.flow.repair import PARTS

SVG = "{http://www.w3.org/2000/svg}"
COLORS = st.integers(0, 0xFFFFFF).map(lambda code: f"#{code:06x}")
ASKED = set(PARTS) - {"other"}
"""Parts of which a repair asks whether they are broken."""
OPTIONAL = {"motor", "battery", "carrier"}
FINGER = 62
"""Units of a drawing: 44 pixels where it is as wide as a phone."""


def parts_of(svg: str) -> set[str]:
    return {group.get("data-part", "") for group in fromstring(svg).iter(f"{SVG}g")} - {""}  # noqa: S314 - our own


@given(name=st.sampled_from(sorted(NAMES)), color=COLORS)
def test_a_drawing_is_well_formed_in_every_colour(name: str, color: str) -> None:
    svg = drawing(name, color)
    root = fromstring(svg)  # noqa: S314 - our own
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert "{" not in svg
    assert all(re.fullmatch(r"#[0-9a-f]{6}", code) for code in re.findall(r'(?:fill|stroke)="(#[^"]*)"', svg))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_drawing_is_small_and_holds_no_program(name: str) -> None:
    svg = drawing(name, "#2f5d46")
    assert len(svg) < 26_000
    assert not re.search(r"<script|href|<style|\son\w+=|foreignObject|<image", svg)


def test_shades_are_mixed_from_the_colour() -> None:
    bell = drawing("bell", "#804020")
    assert 'fill="#804020" stroke="#3e2f1f"' in bell, "60 per cent of ink"
    assert 'fill="#a07058"' in bell, "25 per cent of white"


@pytest.mark.parametrize("kind", SPOTS)
def test_a_bike_has_every_part_that_a_repair_asks_for(kind: str) -> None:
    assert "#2f5d46" in drawing(kind, "#2f5d46")
    assert ASKED - OPTIONAL <= parts_of(drawing(kind, "#000000"))


@pytest.mark.parametrize("kind", SPOTS)
def test_every_part_is_pressed_and_lights_up(kind: str) -> None:
    pressed = {spot.part for spot in SPOTS[kind]}
    assert pressed == parts_of(drawing(kind, "#000000")) & ASKED
    for part in pressed:
        assert parts_of(lit_part(kind, part)) == {part}


@pytest.mark.parametrize("kind", SPOTS)
def test_spots_are_a_finger_apart(kind: str) -> None:
    for one, two in combinations(SPOTS[kind], 2):
        assert max(abs(one.x - two.x), abs(one.y - two.y)) >= FINGER - 0.1, (one, two)
    for spot in SPOTS[kind]:
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
