"""Repairs to fill in: facts of three bikes, and good answers to every step."""

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
    "files": [
        {"id": "PHOTO", "field": "photos", "name": "fiets.jpg", "size": 4096, "kind": "JPG", "photo": True},
        {"id": "FILM", "field": "photos", "name": "fiets.mp4", "size": 9000, "kind": "MP4", "photo": False},
        {"id": "OTHER", "field": "papers", "name": "bon.pdf", "size": 9000, "kind": "PDF", "photo": False},
    ],
}
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."
ANSWERS: dict[str, Mapping[str, Answer]] = {
    "": {},
    "step-1": {"bike": "CITY"},
    "pincode-step": {"pin_known": "known", "pin_code": "1234"},
    "step-2": {"parts": ["chain", "gears"], "details_chain": TEXT, "details_gears": f"{TEXT} Ook bij regen."},
    "step-3": {"maintenance": "known", "maintenance_month": "3", "maintenance_year": "2026"},
    "step-4": {"photos": ["PHOTO"]},
}


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
