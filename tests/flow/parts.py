"""Sample data for flows: facts with three bikes, an address and a location, and valid answers to every step."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.bikes.flow import PIN_STEP
from portal.flow import INTRO, Answer, Journey, Step
from portal.work_orders.flow.repair import (
    ADDRESS_STEP,
    BIKE_STEP,
    DAMAGE,
    HANDOVER_STEP,
    LOCATION_STEP,
    MAINTENANCE,
    PHOTOS,
    REPAIR,
)

DAY = date(2026, 6, 3)

FACTS: dict[str, Any] = {
    "bikes": [
        {"id": "CITY", "refusal": "", "pin": False},
        {"id": "LOCKED", "refusal": "", "pin": True},
        {"id": "BUSY", "refusal": "open_work_order_exists", "pin": False},
    ],
    "address": {
        "street": "Oudegracht",
        "house_number": "12",
        "house_number_addon": "A",
        "post_code": "3511 LX",
        "city": "Utrecht",
        "country_code": "NL",
    },
    "phone": "+31302311234",
    "location": {
        "id": "NEAR",
        "refusal": "",
        "handovers": [{"handover": "bring", "cost": ""}, {"handover": "pick_up", "cost": "60.00"}],
    },
    "job": {"id": "2", "refusal": "", "price": "99.00", "reduced": "49.50"},
    "files": [
        {"id": "PHOTO", "field": "photos", "name": "fiets.jpg", "size": 4096, "kind": "JPG", "photo": True},
        {"id": "FILM", "field": "photos", "name": "fiets.mp4", "size": 9000, "kind": "MP4", "photo": False},
        {"id": "OTHER", "field": "papers", "name": "bon.pdf", "size": 9000, "kind": "PDF", "photo": False},
    ],
}

TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."

ANSWERS: dict[Step, Mapping[str, Answer]] = {
    BIKE_STEP: {"bike": "CITY"},
    PIN_STEP: {"pin_known": "known", "pin_code": "1234"},
    DAMAGE: {"parts": ["chain", "gears"], "details_chain": TEXT, "details_gears": f"{TEXT} Ook bij regen."},
    MAINTENANCE: {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2026"},
    PHOTOS: {"photos": ["PHOTO"]},
    ADDRESS_STEP: {"address": "known", "phone": "030 231 1234"},
    LOCATION_STEP: {"location": "NEAR"},
    HANDOVER_STEP: {"handover": "pick_up"},
}

ELSEWHERE: Mapping[str, Answer] = {
    "address": "other",
    "country_code": "BE",
    "post_code": "be-2000",
    "house_number": "50",
    "house_number_addon": "bus 3",
    "street": "Meir",
    "city": "Antwerpen",
    "phone": "0470 12 34 04",
}
"""Another address than the one we know."""


def journey(answers: dict[str, Answer] | None = None, completed: tuple[str, ...] = (INTRO,)) -> Journey:
    """A repair with these answers."""
    return Journey(REPAIR, answers or {}, completed, FACTS, DAY)


def answered(*steps: Step, **other: Mapping[str, Answer]) -> Journey:
    """A repair in which these steps were answered one after the other.

    Args:
        *steps: the steps.
        **other: answers that differ, by name of the step.
    """
    now = journey()
    for step in steps:
        outcome = now.answer(step, other.get(step.name, ANSWERS[step]))
        assert not outcome.errors, outcome.errors
        now = Journey(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    return now
