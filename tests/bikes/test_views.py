"""What the pages of bikes compute: the passport of a battery, and the parts that can be pressed."""

import re

import segno

from portal.bikes.pages.bike_step import without_motor
from portal.bikes.pages.bikes import passport_code
from portal.bikes.rules import MOTOR_PARTS
from portal.contract.models import Picture
from portal.pictures.pages import parts_view

URL = "https://accupaspoort.example/PT-123456789"


def test_the_code_of_a_passport_draws_the_modules_of_its_address() -> None:
    view = passport_code(URL)
    drawn = {
        (int(x) + step, int(y))
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", view.shape)
        for step in range(int(width))
    }
    code = segno.make_qr(URL, error="m")
    expected = {(x, y) for y, row in enumerate(code.matrix_iter(border=4)) for x, module in enumerate(row) if module}
    assert drawn == expected
    assert view.box == f"0 0 {len(code.matrix) + 8} {len(code.matrix) + 8}"


def test_a_bike_without_motor_is_offered_no_words_about_one_whatever_its_drawing_shows() -> None:
    drawn = parts_view(Picture(drawing="diamond-electric"))
    assert set(drawn.parts) > MOTOR_PARTS
    plain = without_motor(drawn)
    assert (plain.name, plain.src) == (drawn.name, drawn.src)
    assert set(plain.parts) == set(drawn.parts) - MOTOR_PARTS
    assert {spot.part for spot in plain.spots} == {spot.part for spot in drawn.spots} - MOTOR_PARTS
