"""Questions that only a claim has: policy, handling and reimbursement."""

from typing import Any

import pytest

from portal.bikes.flow import PIN_STEP
from portal.flow import INTRO, Answer, Journey, Step, StepOutcome, places_of
from portal.kernel.codes import Code
from portal.kernel.validation import InvalidValue
from portal.work_orders.flow.claim import (
    BIKE_STEP,
    CAUSE_STEP,
    CLAIM,
    HANDLING,
    PARTS_STEP,
    PHOTOS_STEP,
    POLICY,
    REPAYMENT,
    policy_number,
)
from tests.flow.parts import DAY

TEXT = "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."

FACTS: dict[str, Any] = {
    "bikes": [
        {"id": "OURS", "refusal": "", "pin": True, "policy_number": "P123456789"},
        {"id": "THEIRS", "refusal": "", "pin": False, "policy_number": ""},
        {"id": "BUSY", "refusal": "open_work_order_exists", "pin": False, "policy_number": ""},
    ],
    "holder": "Noor el Haddad",
    "files": [
        {"id": "PHOTO", "field": "photos", "name": "a.jpg", "size": 1, "kind": "JPG", "photo": True},
        {"id": "PAPER", "field": "photos", "name": "a.pdf", "size": 1, "kind": "PDF", "photo": False},
    ],
}

ANSWERS: dict[Step, dict[str, Answer]] = {
    BIKE_STEP: {"bike": "THEIRS"},
    PARTS_STEP: {"parts": ["frame"]},
    POLICY: {"insurer": "Fietspolis Direct", "policy_number": "fp 2044.881"},
    CAUSE_STEP: {"cause": TEXT},
    HANDLING: {"handling": "now"},
    PHOTOS_STEP: {"photos": ["PHOTO"]},
    REPAYMENT: {"method": "account", "account_holder": "N. Haddad", "iban": "nl91 abna 0417 1643 00"},
}


def _way(outcome: StepOutcome | None = None) -> Journey:
    answers, completed = (outcome.answers, outcome.completed) if outcome else ({}, (INTRO,))
    return Journey(CLAIM, answers, completed, FACTS, DAY)


def _answered(*steps: Step, **other: dict[str, Answer]) -> Journey:
    way = _way()
    for step in steps:
        outcome = way.answer(step, other.get(step.name, ANSWERS[step]))
        assert not outcome.errors, outcome.errors
        way = _way(outcome)
    return way


def _errors(way: Journey, step: Step, **answers: Answer) -> dict[str, Code]:
    return dict(way.answer(step, answers).errors)


def test_a_claim_is_complete_after_all_its_questions() -> None:
    way = _answered(*ANSWERS)
    assert way.finished
    assert way.given()["iban"] == "NL91ABNA0417164300"
    assert way.given()["policy_number"] == "FP 2044.881"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("p123456789", "P123456789"), ("  FP 20-44/881.2 ", "FP 20-44/881.2"), ("12 34", "12 34"), ("A1B2", "A1B2")],
)
def test_a_policy_number_is_read_as_it_is_written(typed: str, kept: str) -> None:
    assert policy_number(typed) == kept


@pytest.mark.parametrize("typed", ["geen", "onbekend", "12", "P", "-1234", "P<script>1", "P" + "1" * 40])
def test_what_is_no_policy_number_is_reported(typed: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        policy_number(typed)
    assert caught.value.code in {Code.INVALID_POLICY_NUMBER, Code.TOO_LONG}


def test_the_insurer_is_asked_only_for_a_bike_that_is_insured_elsewhere() -> None:
    theirs = _answered(BIKE_STEP, PARTS_STEP)
    assert _errors(theirs, POLICY, policy_number="P1234") == {"insurer": Code.REQUIRED}
    ours = _answered(BIKE_STEP, PARTS_STEP, bike={"bike": "OURS"})
    assert _errors(ours, POLICY, policy_number="P1234") == {}
    assert "insurer" not in _answered(BIKE_STEP, PARTS_STEP, POLICY, bike={"bike": "OURS"}).given()


def test_another_bike_has_another_policy() -> None:
    way = _answered(BIKE_STEP, PARTS_STEP, POLICY, CAUSE_STEP)
    changed = _way(way.answer(BIKE_STEP, {"bike": "OURS"}))
    assert not {"insurer", "policy_number"} & set(changed.answers)
    assert changed.answers["cause"] == TEXT
    assert changed.next_open is PARTS_STEP


def test_the_pin_code_is_asked_after_the_description_and_only_of_a_bike_that_has_one() -> None:
    ours = _answered(BIKE_STEP, PARTS_STEP, POLICY, CAUSE_STEP, bike={"bike": "OURS"})
    assert ours.next_open is PIN_STEP
    place = places_of(ours.path).get(PIN_STEP.name)
    assert place
    assert (place.x, place.extra) == (4, True)
    assert _answered(BIKE_STEP, PARTS_STEP, POLICY, CAUSE_STEP).next_open is HANDLING


def test_who_waits_for_the_insurer_is_paid_nothing_back_and_asked_no_account() -> None:
    way = _answered(*[step for step in ANSWERS if step is not REPAYMENT], handling={"handling": "wait"})
    assert way.finished
    assert REPAYMENT not in way.path
    assert places_of(way.path)["check"].y == 7
    assert not {"iban", "account_holder", "method"} & set(way.given())


def test_an_account_that_is_not_needed_any_more_is_not_sent() -> None:
    way = _answered(*ANSWERS)
    waits = _way(way.answer(HANDLING, {"handling": "wait"}))
    assert waits.finished
    assert "iban" not in waits.given()
    again = _way(waits.answer(HANDLING, {"handling": "now"}))
    assert again.finished
    assert again.given()["iban"] == "NL91ABNA0417164300"


def test_the_account_is_asked_only_of_who_wants_to_be_paid_there() -> None:
    way = _answered(*[step for step in ANSWERS if step is not REPAYMENT])
    assert _errors(way, REPAYMENT, method="insurer") == {}
    assert _errors(way, REPAYMENT, method="account") == {"account_holder": Code.REQUIRED, "iban": Code.REQUIRED}
    assert _errors(way, REPAYMENT, method="account", account_holder="N. Haddad", iban="NL91ABNA0417164301") == {
        "iban": Code.INVALID_IBAN
    }


def test_documents_alone_are_no_photo_of_the_damage() -> None:
    way = _answered(BIKE_STEP, PARTS_STEP, POLICY, CAUSE_STEP, HANDLING)
    assert _errors(way, PHOTOS_STEP) == {"photos": Code.REQUIRED}
    assert _errors(way, PHOTOS_STEP, photos=["PAPER"]) == {"photos": Code.PHOTO_REQUIRED}
    assert _errors(way, PHOTOS_STEP, photos=["PAPER", "PHOTO"]) == {}
    assert _errors(way, PHOTOS_STEP, photos=["SOMEBODY-ELSES"]) == {"photos": Code.UNRESOLVED_FILES}


@pytest.mark.parametrize(("length", "code"), [(29, Code.TOO_SHORT), (30, None), (1000, None), (1001, Code.TOO_LONG)])
def test_the_description_has_30_to_1000_characters(length: int, code: Code | None) -> None:
    way = _answered(BIKE_STEP, PARTS_STEP, POLICY)
    assert _errors(way, CAUSE_STEP, cause="a" * length) == ({"cause": code} if code else {})
