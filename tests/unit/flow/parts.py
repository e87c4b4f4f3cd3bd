"""Requests to fill in: facts of three bikes, an address and a location, and good answers to every step."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.domain.flow import Answer, Journey
from portal.flows.repair import REPAIR

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
}
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."
ANSWERS: dict[str, Mapping[str, Answer]] = {
    "": {},
    "step-1": {"bike": "CITY"},
    "pincode-step": {"pin_known": "known", "pin_code": "1234"},
    "step-2": {"parts": ["chain", "gears"], "details_chain": TEXT, "details_gears": f"{TEXT} Ook bij regen."},
    "step-3": {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2026"},
    "step-5": {"address": "known", "phone": "030 231 1234"},
    "step-6": {"location": "NEAR"},
    "step-7": {"handover": "pick_up"},
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


def journey(answers: dict[str, Answer] | None = None, completed: tuple[str, ...] = ("",)) -> Journey:
    """A repair with these answers."""
    return Journey(REPAIR, answers or {}, completed, FACTS, DAY)


def answered(*slugs: str, **other: Mapping[str, Answer]) -> Journey:
    """A repair in which these steps were answered one after the other.

    Args:
        *slugs: the steps.
        **other: answers that differ, by slug with `_` for `-`.
    """
    now = journey()
    for slug in slugs:
        outcome = now.answer(slug, other.get(slug.replace("-", "_"), ANSWERS[slug]))
        assert not outcome.errors, outcome.errors
        now = Journey(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    return now
