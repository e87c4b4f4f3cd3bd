"""A term that a retailer sets changes the rule and every sentence that names it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from portal.kernel.terms import IN_TEXTS, Terms

ROOT = Path(__file__).resolve().parents[2]

CHANGED = {
    "return_days": "61", "withdrawal_days": "33", "send_back_days": "21", "refund_days": "9",
    "return_answer_days": "13", "depreciation_percent": "17", "return_pick_up_cost": "44.50", "unused_km": "83",
    "date_answer_hours": "71", "day_starts": "08:15", "evening_starts": "18:45", "evening_ends": "21:35",
    "insurance_days": "37", "insurer_answer_days": "14", "repair_answer_days": "19", "silence_weeks": "23",
    "first_service_months": "7", "first_service_km": "765", "further_service_months": "10", "link_hours": "53",
    "battery_link_days": "67", "warranty_years": "11", "warranty_repair_months": "26", "withdrawal_link_days": "71",
    "contract_notice_months": "2", "due_days": '{"repair.in_repair": 71}',
    "insurances_end_with_bike": "False",
}  # fmt: skip
"""Another value for every term."""

RULES = {
    "due_days": "Due(days=71, turn=<Turn.PARTNER: 'partner'>)",
    "depreciation_percent": "17.00", "return_pick_up_cost": "44.50", "date_answer_hours": "71.0",
    "silence_weeks": "23.0", "first_service_months": "2026-10-02", "first_service_km": "True",
    "further_service_months": "2027-01-02", "link_hours": "53.0",
}  # fmt: skip
"""What a rule then computes, where that is not the value itself."""

ONLY_TOLD = {"send_back_days", "return_answer_days", "insurer_answer_days", "repair_answer_days"}
"""Terms that the portal promises or asks for; no rule computes with them."""


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What another process says that has all terms changed."""
    settings = {f"PORTAL_{name.upper()}": value for name, value in CHANGED.items()}
    ended = subprocess.run(
        [sys.executable, "-m", "tests.kernel.changed_terms"],
        cwd=ROOT, env={**os.environ, **settings}, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return json.loads(ended.stdout)


def test_every_term_that_can_be_set_is_changed_here() -> None:
    assert set(CHANGED) == set(Terms.model_fields)


@pytest.mark.parametrize("term", sorted(set(CHANGED) - ONLY_TOLD))
def test_a_rule_follows_the_setting(found: dict[str, Any], term: str) -> None:
    assert found["rules"][term] == RULES.get(term, CHANGED[term])


@pytest.mark.parametrize("locale", ["nl", "en"])
@pytest.mark.parametrize("term", sorted(set(CHANGED) & set(IN_TEXTS)))
def test_every_sentence_follows_the_setting(found: dict[str, Any], term: str, locale: str) -> None:
    told = found["sentences"][term][locale]
    assert told
    for sentence in told:
        assert CHANGED[term] in sentence
