"""Questions of repairs and services: damaged parts, address, location, handover and costs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from portal.account.flow import home
from portal.bikes.flow import PIN_STEP
from portal.flow import Answer, AnswerContext, Journey
from portal.kernel.codes import Code
from portal.kernel.texts import Cost, CostKind, snapshot, total
from portal.locations.flow import handover, handover_costs, offers
from portal.vocabulary.locations import Handover
from portal.work_orders.flow import service
from portal.work_orders.flow.repair import (
    ADDRESS_STEP,
    BIKE_STEP,
    DAMAGE,
    HANDOVER_STEP,
    LOCATION_STEP,
    REPAIR,
    details_of,
)
from portal.work_orders.flow.service import SERVICE
from tests.flow.parts import ANSWERS, DAY, ELSEWHERE, FACTS, TEXT, answered

SPECIFIED = (
    "chain", "wheels", "frame", "motor", "battery", "brakes", "carrier", "handlebars", "saddle", "gears", "pedals",
    "other",
)  # fmt: skip


@pytest.mark.parametrize("part", SPECIFIED)
def test_a_part_that_is_chosen_is_described_and_no_other(part: str) -> None:
    way = answered(BIKE_STEP)
    chosen = {**ANSWERS[DAMAGE], "parts": [part], details_of(part): ""}
    assert way.answer(DAMAGE, chosen).errors == {details_of(part): Code.REQUIRED}
    short = way.answer(DAMAGE, {**chosen, details_of(part): "a" * 30})
    assert short.errors == {details_of(part): Code.TOO_SHORT}
    other = details_of(next(name for name in SPECIFIED if name != part))
    done = way.answer(DAMAGE, {**chosen, details_of(part): TEXT, other: TEXT})
    assert not done.errors
    assert DAMAGE.name in done.completed
    sent = Journey(REPAIR, done.answers, done.completed, FACTS, DAY).given()
    assert {name for name in sent if name.startswith("details_")} == {details_of(part)}


BEFORE_ADDRESS = tuple(step for step in REPAIR.steps[: REPAIR.steps.index(ADDRESS_STEP)] if step is not PIN_STEP)


def _asked(answers: Mapping[str, Answer], **facts: Any) -> AnswerContext:
    return AnswerContext(answers, {**FACTS, **facts}, DAY)


def test_the_address_that_is_known_needs_no_typing() -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP)
    assert set(way.given()) & {"street", "post_code", "city"} == set()
    place = home(_asked(way.given()))
    assert (place["street"], place["post_code"], place["phone"]) == ("Oudegracht", "3511 LX", "+31302311234")


def test_another_address_is_read_as_its_country_writes_it() -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP, address=ELSEWHERE)
    place = home(_asked(way.given()))
    assert (place["post_code"], place["country_code"], place["phone"]) == ("2000", "BE", "+32470123404")


def test_who_is_known_nowhere_is_asked_without_a_choice() -> None:
    way = answered(*BEFORE_ADDRESS)
    unknown = Journey(REPAIR, way.answers, way.completed, {**FACTS, "address": {}}, DAY)
    assert "address" not in [field.name for field in unknown.asked_fields(ADDRESS_STEP)]
    assert unknown.answer(ADDRESS_STEP, {}).errors["street"] is Code.REQUIRED
    assert not unknown.answer(ADDRESS_STEP, {**ELSEWHERE, "address": ""}).errors


def test_another_place_asks_for_the_location_again_and_keeps_the_choice() -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP, LOCATION_STEP, HANDOVER_STEP)
    outcome = way.answer(ADDRESS_STEP, ELSEWHERE)
    moved = Journey(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    assert moved.next_open is LOCATION_STEP
    assert moved.answers["location"] == "NEAR"
    same = way.answer(ADDRESS_STEP, {**ANSWERS[ADDRESS_STEP], "phone": "030 231 9999"})
    assert Journey(REPAIR, same.answers, same.completed, FACTS, DAY).finished


def test_another_location_forgets_how_the_bike_gets_there() -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP, LOCATION_STEP, HANDOVER_STEP)
    outcome = way.answer(LOCATION_STEP, {"location": "FAR"})
    assert "handover" not in outcome.answers
    assert HANDOVER_STEP.name not in outcome.completed


def _location(refusal: str = "", **costs: str) -> dict[str, Any]:
    ways = [{"handover": way, "cost": cost} for way, cost in costs.items()]
    return {"id": "NEAR", "refusal": refusal, "handovers": ways}


@pytest.mark.parametrize("code", [Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH])
def test_a_location_that_was_refused_meanwhile_opens_its_step_again(code: Code) -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP, LOCATION_STEP, HANDOVER_STEP)
    later = Journey(REPAIR, way.answers, way.completed, {**FACTS, "location": _location(code.value, bring="")}, DAY)
    step = later.next_open
    assert step is LOCATION_STEP
    assert later.problems(step) == {"location": code}


def test_the_only_way_there_is_needs_no_answer() -> None:
    asked = _asked({"location": "NEAR"}, location=_location(bring=""))
    assert handover(asked) is Handover.BRING
    assert handover(_asked({"location": "NEAR"})) is None
    assert handover(_asked({"location": "NEAR", "handover": "call_out"})) is None
    assert offers(_asked({"location": "OTHER"})) == {}


def test_a_way_that_is_not_offered_is_refused() -> None:
    way = answered(*BEFORE_ADDRESS, ADDRESS_STEP, LOCATION_STEP)
    assert way.answer(HANDOVER_STEP, {"handover": "call_out"}).errors == {"handover": Code.INVALID_CHOICE}
    assert way.answer(HANDOVER_STEP, {}).errors == {"handover": Code.REQUIRED}
    assert not way.answer(HANDOVER_STEP, {"handover": "bring"}).errors


def test_a_service_asks_for_the_way_only_where_there_is_a_choice() -> None:
    done = {"bike": "CITY", "job": "2", "address": "known", "phone": "+31302311234"}
    completed = ("intro", "bike", "job", "address")
    way = Journey(SERVICE, done, completed, FACTS, DAY)
    assert way.answer(service.LOCATION_STEP, {"location": "NEAR"}).errors == {"handover": Code.REQUIRED}
    assert not way.answer(service.LOCATION_STEP, {"location": "NEAR", "handover": "bring"}).errors
    single = Journey(SERVICE, done, completed, {**FACTS, "location": _location(pick_up="60.00")}, DAY)
    # A handover method that was chosen for another location is ignored.
    assert not single.answer(service.LOCATION_STEP, {"location": "NEAR", "handover": "bring"}).errors


def test_the_costs_of_a_service_are_its_price_less_the_package_and_the_way_there() -> None:
    answers = {"job": "2", "location": "NEAR", "handover": "pick_up"}
    assert SERVICE.costs is service.service_costs
    costs = service.service_costs(_asked(answers))
    assert costs == [
        Cost(CostKind.SERVICE_JOB, Decimal("99.00")),
        Cost(CostKind.PACKAGE_DISCOUNT, Decimal("-49.50")),
        Cost(CostKind.PICK_UP, Decimal("60.00")),
    ]
    assert total(costs) == Decimal("109.50")
    assert snapshot(costs)["total"] == "109.50"
    assert service.service_costs(_asked({**answers, "job": "1"})) == []


def test_a_repair_costs_beforehand_only_what_the_way_there_costs() -> None:
    assert REPAIR.costs is handover_costs
    assert handover_costs(_asked({"location": "NEAR", "handover": "bring"})) == []
    called = _asked({"location": "NEAR"}, location=_location(call_out="29.50"))
    assert handover_costs(called) == [Cost(CostKind.CALL_OUT, Decimal("29.50"))]


def test_a_job_that_is_not_offered_any_more_opens_its_step_again() -> None:
    done = {"bike": "CITY", "job": "2"}
    facts = {**FACTS, "job": {"id": "2", "refusal": "service_request_not_valid"}}
    way = Journey(SERVICE, done, ("intro", "bike", "job"), facts, DAY)
    assert way.problems(way.next_open) == {"job": Code.SERVICE_REQUEST_NOT_VALID}
    assert way.answer(service.JOB_STEP, {"job": "7"}).errors == {"job": Code.SERVICE_REQUEST_NOT_VALID}
