"""The way through a flow, with the repair as the example."""

from __future__ import annotations

import pytest

from portal.domain.codes import Code
from portal.domain.flow import OneOf, places_of
from portal.domain.flow.model import Field, Flow, FlowError, Step
from portal.flows import FLOWS
from portal.flows.repair import REPAIR
from tests.unit.flow.parts import ANSWERS, DAY, FACTS, TEXT, answered, journey

LOCKED = {"bike": "LOCKED"}
ALL = tuple(f"step-{number}" for number in range(1, 8))


def test_without_a_draft_only_the_intro_is_open() -> None:
    assert journey(completed=()).open == ("",)


def test_a_step_opens_when_it_is_done_or_the_next_one() -> None:
    way = answered("step-1")
    assert way.open == ("", "step-1", "step-2")
    assert not way.may_open("step-3")
    assert not way.may_open("step-8")
    assert not way.may_open("pincode-step")
    assert not way.may_open("nonsense")


def test_the_check_page_opens_when_everything_is_answered() -> None:
    assert not answered("step-1", "step-2").finished
    assert answered(*ALL).finished
    assert answered(*ALL).open == ("", *ALL, "step-8")


def test_a_bike_with_a_pin_code_brings_an_extra_question() -> None:
    way = answered("step-1", step_1=LOCKED)
    assert way.following("step-1").slug == "pincode-step"
    previous = way.previous("step-2")
    assert previous
    assert previous.slug == "pincode-step"


def test_the_extra_question_has_the_number_of_the_step_before_it() -> None:
    places = [
        places_of(answered("step-1", step_1=LOCKED).path).get(slug)
        for slug in ("", "step-1", "pincode-step", "step-2", "step-8")
    ]
    assert [place and (place.x, place.y, place.extra) for place in places] == [
        None,
        (1, 8, False),
        (1, 8, True),
        (2, 8, False),
        (8, 8, False),
    ]


def test_the_total_does_not_depend_on_the_answers() -> None:
    for way in (journey(), answered("step-1"), answered("step-1", step_1=LOCKED), answered(*ALL)):
        place = places_of(way.path).get("step-8")
        assert place
        assert place.y == 8


def test_a_wrong_answer_changes_nothing() -> None:
    way = answered("step-1")
    outcome = way.answer("step-2", {"parts": ["chain"], "details_chain": "kapot"})
    assert outcome.errors == {"details_chain": Code.TOO_SHORT}
    assert not outcome.answers


def test_only_what_is_asked_is_read() -> None:
    outcome = journey().answer("step-1", {"bike": "CITY", "details_chain": TEXT, "evil": "x"})
    assert outcome.answers == {"bike": "CITY"}
    outcome = answered("step-1").answer("step-2", {**ANSWERS["step-2"], "details_saddle": "kort"})
    assert "details_saddle" not in outcome.answers


def test_a_bike_with_an_open_request_cannot_be_chosen() -> None:
    assert journey().answer("step-1", {"bike": "BUSY"}).errors == {"bike": Code.OPEN_WORK_ORDER_EXISTS}
    assert journey().answer("step-1", {"bike": "GONE"}).errors == {"bike": Code.REPAIR_REQUEST_LINE_NOT_FOUND}


def test_another_bike_keeps_the_answers_and_asks_again_what_was_about_the_bike() -> None:
    way = answered(*ALL)
    outcome = way.answer("step-1", LOCKED)
    changed = type(way)(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    assert changed.open == ("", "step-1", "pincode-step")
    assert changed.answers["details_chain"] == TEXT
    assert changed.following("step-1", changing=True).slug == "pincode-step"


def test_a_pin_code_of_another_bike_is_thrown_away() -> None:
    way = answered("step-1", "pincode-step", "step-2", step_1=LOCKED)
    assert way.answers["pin_code"] == "1234"
    outcome = way.answer("step-1", {"bike": "CITY"})
    assert "pin_code" not in outcome.answers
    assert "pin_known" not in outcome.answers


def test_the_same_answer_again_asks_nothing_again() -> None:
    way = answered(*ALL)
    outcome = way.answer("step-1", {"bike": "CITY"})
    assert set(outcome.completed) == set(way.completed)


def test_a_change_from_the_check_page_goes_straight_back() -> None:
    assert answered(*ALL).following("step-2", changing=True).slug == "step-8"
    assert answered(*ALL).following("step-2").slug == "step-3"


def test_a_part_less_is_not_sent_but_its_text_is_kept() -> None:
    way = answered(*ALL)
    outcome = way.answer("step-2", {"parts": "gears", "details_gears": TEXT})
    fewer = type(way)(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    assert fewer.given()["parts"] == ["gears"]
    assert "details_chain" not in fewer.given()
    assert fewer.answers["details_chain"] == TEXT


def test_a_month_ahead_is_a_warning_and_no_error() -> None:
    ahead = {"maintenance": "known", "maintenance_month": "juli", "maintenance_year": "2026"}
    outcome = answered("step-1", "step-2").answer("step-3", ahead)
    assert outcome.errors == {}
    assert outcome.warnings == {"maintenance_month": Code.DATE_IN_FUTURE}
    assert answered(*ALL, step_3=ahead).warnings() == outcome.warnings


def test_a_fact_that_changed_opens_the_step_again() -> None:
    way = answered(*ALL)
    busy = {**FACTS, "bikes": [{"id": "CITY", "refusal": "open_work_order_exists", "pin": False}]}
    assert type(way)(REPAIR, way.answers, way.completed, busy, DAY).next_open.slug == "step-1"


def test_nothing_can_be_chosen_when_every_bike_is_refused() -> None:
    assert REPAIR.closed(FACTS) is None
    assert REPAIR.closed({"bikes": FACTS["bikes"][2:]}) is Code.OPEN_WORK_ORDER_EXISTS
    assert REPAIR.closed({"bikes": []}) is Code.REPAIR_REQUEST_LINE_NOT_FOUND


@pytest.mark.parametrize("name", FLOWS)
def test_every_flow_has_a_path_that_is_its_name(name: str) -> None:
    flow = FLOWS[name]
    assert flow.path == f"/{name}"
    assert flow.step("") is flow.intro
    assert flow.url(flow.check).startswith(f"{flow.path}/")


@pytest.mark.parametrize(
    "steps",
    [
        (Step("", "Intro"), Step("step-1", "Check")),
        (Step("start", "Intro"), Step("step-1", "A"), Step("step-2", "Check")),
        (Step("", "Intro"), Step("step-1", "A"), Step("step-1", "Check")),
        (Step("", "Intro"), Step("step-1", "Intro"), Step("step-2", "Check")),
        (Step("", "I"), Step("step-1", "A", (Field("x", "X", OneOf({})),) * 2), Step("step-2", "Check")),
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(steps: tuple[Step, ...]) -> None:
    with pytest.raises(FlowError):
        Flow("x", "X", steps, "Send")
