"""The journey through a flow, with the repair as the example."""

from dataclasses import replace
from datetime import timedelta

import pytest

from portal.bikes.flow import PIN_STEP
from portal.flow import Field, Flow, FlowError, OneOf, Step, places_of
from portal.flow.journey import FlowRegistry, Journey
from portal.flow.model import INTRO
from portal.flow.rules import answered as answered_so
from portal.kernel.codes import Code
from portal.work_orders.flow.repair import BIKE_STEP, DAMAGE, HANDOVER_STEP, MAINTENANCE, NEW_BIKE_DAYS, REPAIR
from tests.flow.parts import ANSWERS, DAY, FACTS, TEXT, answered, journey

LOCKED = {"bike": "LOCKED"}
ALL = tuple(step for step in REPAIR.steps if step is not PIN_STEP)


def test_a_step_opens_when_it_is_done_or_the_next_one() -> None:
    way = answered(BIKE_STEP)
    assert way.open == ("intro", "bike", "damage")
    assert not way.may_open(MAINTENANCE)
    assert not way.may_open(REPAIR.check_step)
    assert not way.may_open(PIN_STEP)
    assert not way.may_open(Step("nonsense", "Nonsense"))


def test_a_bike_with_a_pin_code_adds_an_extra_question() -> None:
    way = answered(BIKE_STEP, bike=LOCKED)
    assert way.following(BIKE_STEP) is PIN_STEP
    previous = way.previous(DAMAGE)
    assert previous
    assert previous is PIN_STEP


def test_the_extra_question_has_the_number_of_the_step_before_it() -> None:
    places = [
        places_of(answered(BIKE_STEP, bike=LOCKED).path).get(name)
        for name in ("intro", "bike", "pincode", "damage", "check")
    ]
    assert [place and (place.x, place.y, place.extra) for place in places] == [
        None,
        (1, 8, False),
        (1, 8, True),
        (2, 8, False),
        (8, 8, False),
    ]


def test_only_what_is_asked_is_read() -> None:
    outcome = journey().answer(BIKE_STEP, {"bike": "CITY", "details_chain": TEXT, "evil": "x"})
    assert outcome.answers == {"bike": "CITY"}
    outcome = answered(BIKE_STEP).answer(DAMAGE, {**ANSWERS[DAMAGE], "details_saddle": "kort"})
    assert "details_saddle" not in outcome.answers


def test_another_bike_keeps_the_answers_and_repeats_the_steps_about_the_bike() -> None:
    way = answered(*ALL)
    outcome = way.answer(BIKE_STEP, LOCKED)
    changed = type(way)(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    assert changed.open == ("intro", "bike", "pincode")
    assert changed.answers["details_chain"] == TEXT
    assert changed.following(BIKE_STEP, changing=True) is PIN_STEP


def test_the_pin_code_of_another_bike_is_deleted() -> None:
    way = answered(BIKE_STEP, PIN_STEP, DAMAGE, bike=LOCKED)
    assert way.answers["pin_code"] == "1234"
    outcome = way.answer(BIKE_STEP, {"bike": "CITY"})
    assert not {"pin_code", "pin_known"} & set(outcome.answers)


def test_a_repeated_answer_repeats_no_step() -> None:
    way = answered(*ALL)
    outcome = way.answer(BIKE_STEP, {"bike": "CITY"})
    assert set(outcome.completed) == set(way.completed)


def test_a_change_from_the_check_page_returns_there() -> None:
    assert answered(*ALL).following(DAMAGE, changing=True) is REPAIR.check_step
    assert answered(*ALL).following(DAMAGE) is MAINTENANCE


def _with_bike_since(since: str) -> Journey:
    facts = {**FACTS, "bikes": [{"id": "CITY", "refusal": "", "pin": False, "since": since}]}
    return Journey(REPAIR, {"bike": "CITY"}, (INTRO, BIKE_STEP.name), facts, DAY)


@pytest.mark.parametrize(("days", "asked"), [(3, False), (NEW_BIKE_DAYS - 1, False), (NEW_BIKE_DAYS, True)])
def test_a_new_bike_is_not_asked_for_its_last_service(days: int, asked: bool) -> None:
    way = _with_bike_since((DAY - timedelta(days=days)).isoformat())
    assert (MAINTENANCE in way.path) is asked


@pytest.mark.parametrize(("month", "refused"), [("12", True), ("1", False), ("3", False)])
def test_a_month_before_the_customer_had_the_bike_is_refused(month: str, refused: bool) -> None:
    year = "2025" if month == "12" else "2026"
    given = {"maintenance": "known", "maintenance_month": month, "maintenance_year": year}
    outcome = _with_bike_since("2026-01-20").answer(MAINTENANCE, given)
    assert outcome.errors == ({"maintenance_month": Code.DATE_BEFORE_BIKE} if refused else {})
    assert _with_bike_since("2026-01-20").answer(MAINTENANCE, {**given, "maintenance": "never"}).errors == {}


def test_a_fact_that_changed_opens_the_step_again() -> None:
    way = answered(*ALL)
    busy = {**FACTS, "bikes": [{"id": "CITY", "refusal": "open_work_order_exists", "pin": False}]}
    assert type(way)(REPAIR, way.answers, way.completed, busy, DAY).next_open is BIKE_STEP


def test_nothing_can_be_chosen_when_every_bike_is_refused() -> None:
    assert REPAIR.closed(FACTS) is None
    assert REPAIR.closed({"bikes": FACTS["bikes"][2:]}) is Code.OPEN_WORK_ORDER_EXISTS
    assert REPAIR.closed({"bikes": []}) is Code.REPAIR_REQUEST_LINE_NOT_FOUND


X = Field("x", "X", OneOf({}))
Y = Field("y", "Y", OneOf({}))
ASKS = Step("a", "A", (X,))


@pytest.mark.parametrize(
    ("steps", "because"),
    [
        ((), "at least one question"),
        ((ASKS, Step("a", "B", (Y,))), "step used twice: a"),
        ((ASKS, Step("check", "B", (Y,))), "step used twice: check"),
        ((ASKS, Step("b", "Intro", (Y,))), "title used twice: Intro"),
        ((Step("a", "A", (X, X)),), "field used twice: x"),
        ((ASKS, Step("b", "B")), "a step without fields: b"),
        ((ASKS, Step("b", "B", (Y,), repeat_when=("z",))), "b refers to .* not asked before it: z"),
        ((ASKS, Step("b", "B", (Y,), repeat_when=("y",))), "b refers to .* not asked before it: y"),
        ((ASKS, Step("b", "B", (Y,), applies=answered_so("z", "1"))), "b refers to .* not asked before it: z"),
        ((Step("a", "A", (X, replace(Y, belongs_to=("z",)))),), "y refers to .* not asked before it: z"),
        ((Step("a", "A", (X, replace(Y, applies=answered_so("z", "1")))),), "y refers to .* not asked before it: z"),
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(steps: tuple[Step, ...], because: str) -> None:
    with pytest.raises(FlowError, match=because):
        Flow("x", "X", intro="Intro", steps=steps, send="Send")


def test_the_first_step_asks_for_the_subject() -> None:
    with pytest.raises(FlowError, match="the first question"):
        Flow("x", "X", intro="Intro", steps=(ASKS, Step("b", "B", (Y,))), send="Send", subject="y")


def test_two_flows_with_one_name_are_refused_and_a_repeated_registration_is_not() -> None:
    known = FlowRegistry()
    flow = Flow("x", "X", intro="Intro", steps=(ASKS,), send="Send")
    known.register([flow])
    known.register([flow])
    with pytest.raises(FlowError, match="two flows"):
        known.register([replace(flow)])
    assert list(known) == ["x"]


def test_the_stored_address_and_the_free_way_are_filled_in_until_they_are_answered() -> None:
    assert answered(BIKE_STEP).proposed["address"] == "known"
    before_handover = answered(*(step for step in ALL if step is not HANDOVER_STEP))
    assert before_handover.proposed == {"handover": "bring"}
    assert answered(*ALL).proposed == {}


def test_nothing_that_costs_something_is_filled_in() -> None:
    paid = [{"handover": "pick_up", "cost": "60.00"}, {"handover": "call_out", "cost": "30.00"}]
    for ways, proposed in ((paid, {}), (paid[:1], {"handover": "pick_up"}), ([], {})):
        facts = {**FACTS, "location": {**FACTS["location"], "handovers": ways}}
        way = answered(*(step for step in ALL if step is not HANDOVER_STEP))
        assert replace(way, facts=facts).proposed == proposed


def test_without_a_stored_address_none_is_filled_in() -> None:
    assert "address" not in replace(answered(BIKE_STEP), facts={**FACTS, "address": {}}).proposed
