"""The text beside an empty field of a flow."""

from __future__ import annotations

from portal.flow.pages.spec import error_of
from portal.work_orders.flow.claim import HANDLING, PARTS_STEP


def test_a_multiple_choice_asks_for_at_least_one_option() -> None:
    text = str(error_of(PARTS_STEP.field("parts")))
    assert "{label}: choose at least one." in text
    assert "is required" not in text


def test_any_other_field_says_that_it_is_required() -> None:
    assert "{label} is required." in str(error_of(HANDLING.field("handling")))
