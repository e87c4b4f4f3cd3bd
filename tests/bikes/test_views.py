"""Views of a bike: colours are safe, and facts that do not apply are left out."""

from __future__ import annotations

from datetime import date

from portal.bikes.api import Bike
from portal.bikes.pages.state import bike_view, without_motor
from portal.bikes.rules import MOTOR_PARTS
from portal.contract.models import Picture
from portal.pictures.pages.views import parts_view


def a_bike(**values: object) -> Bike:
    """Make a bike with the given values."""
    plain = {
        "bike_id": "B234567890",
        "name": "Noordveld Horizon 5",
        "brand": "Noordveld",
        "kind": "e_bike",
        "color": "blauw",
        "color_code": "#123456",
        "frame_number": "NVH172080",
        "order_number": "900000001",
        "order_date": date(2026, 6, 1),
        "warranty_until": date(2028, 6, 1),
        "warranty_expired": False,
    }
    return Bike.model_validate(plain | values)


def test_a_bike_without_motor_has_no_motor_facts() -> None:
    assert bike_view(a_bike(kind="city_bike")).drive == []
    assert [fact.value for fact in bike_view(a_bike()).drive] == ["", "", "", ""]


def test_a_bike_without_motor_is_offered_no_words_about_one_whatever_its_drawing_shows() -> None:
    drawn = parts_view(Picture(drawing="diamond-electric"))
    assert set(drawn.parts) > MOTOR_PARTS
    plain = without_motor(drawn)
    assert (plain.name, plain.src) == (drawn.name, drawn.src)
    assert set(plain.parts) == set(drawn.parts) - MOTOR_PARTS
    assert {spot.part for spot in plain.spots} == {spot.part for spot in drawn.spots} - MOTOR_PARTS
