"""The text beside an empty field of a flow."""

from __future__ import annotations

from portal.flow.pages.spec import error_of
from portal.returns.flow.returns import REASON_STEP
from portal.work_orders.flow.claim import HANDLING, PARTS_STEP


def test_a_multiple_choice_asks_for_at_least_one_option() -> None:
    text = str(error_of(PARTS_STEP.field("parts")))
    assert "{label}: choose at least one." in text
    assert "is required" not in text


def test_a_fault_that_was_not_chosen_is_asked_for() -> None:
    text = str(error_of(REASON_STEP.field("fault")))
    assert "Kies wat er mis mee is, of dat er niets mis mee is." in text


def test_any_other_field_says_that_it_is_required() -> None:
    assert "{label} is required." in str(error_of(HANDLING.field("handling")))
