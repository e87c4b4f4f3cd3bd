"""Where the customer is, where the bike goes, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from portal.domain.codes import Code
from portal.domain.costs import Cost, CostKind, snapshot, total
from portal.domain.flow import Answer, Asked, Journey
from portal.flows.address import home
from portal.flows.costs import costs_of
from portal.flows.location import handover, offers
from portal.flows.repair import REPAIR
from portal.flows.service import SERVICE
from portal.vocabulary.locations import Handover
from tests.unit.flow.parts import ANSWERS, DAY, ELSEWHERE, FACTS, answered

BEFORE_ADDRESS = ("step-1", "step-2", "step-3", "step-4")


def _asked(answers: Mapping[str, Answer], **facts: Any) -> Asked:
    return Asked(answers, {**FACTS, **facts}, DAY)


def test_the_address_that_is_known_needs_no_typing() -> None:
    way = answered(*BEFORE_ADDRESS, "step-5")
    assert set(way.given()) & {"street", "post_code", "city"} == set()
    place = home(_asked(way.given()))
    assert (place["street"], place["post_code"], place["phone"]) == ("Oudegracht", "3511 LX", "+31302311234")


def test_another_address_is_read_as_its_country_writes_it() -> None:
    way = answered(*BEFORE_ADDRESS, "step-5", step_5=ELSEWHERE)
    place = home(_asked(way.given()))
    assert (place["post_code"], place["country_code"], place["phone"]) == ("2000", "BE", "+32470123404")


def test_who_is_known_nowhere_is_asked_without_a_choice() -> None:
    way = answered(*BEFORE_ADDRESS)
    unknown = Journey(REPAIR, way.answers, way.completed, {**FACTS, "address": {}}, DAY)
    assert "address" not in [
        field.name for field in unknown.asked_fields(next(s for s in way.path if s.slug == "step-5"))
    ]
    assert unknown.answer("step-5", {}).errors["street"] is Code.REQUIRED
    assert not unknown.answer("step-5", {**ELSEWHERE, "address": ""}).errors


@pytest.mark.parametrize(
    ("country", "postcode", "fine"),
    [
        ("NL", "3511 lx", True),
        ("NL", "3511", False),
        ("NL", "1234 SS", False),
        ("BE", "BE 3583", True),
        ("BE", "1234 AB", False),
        ("DE", "20095", True),
        ("DK", "2100", True),
        ("SE", "11455", True),
        ("NO", "0150", True),
        ("FR", "75001", False),
    ],
)
def test_the_postcode_follows_the_country(country: str, postcode: str, *, fine: bool) -> None:
    typed = {**ELSEWHERE, "country_code": country, "post_code": postcode, "phone": "+31302311234"}
    errors = answered(*BEFORE_ADDRESS).answer("step-5", typed).errors
    assert (not errors) == fine


def test_another_place_asks_for_the_location_again_and_keeps_the_choice() -> None:
    way = answered(*BEFORE_ADDRESS, "step-5", "step-6", "step-7")
    outcome = way.answer("step-5", ELSEWHERE)
    moved = Journey(REPAIR, outcome.answers, outcome.completed, FACTS, DAY)
    assert moved.next_open.slug == "step-6"
    assert moved.answers["location"] == "NEAR"
    same = way.answer("step-5", {**ANSWERS["step-5"], "phone": "030 231 9999"})
    assert Journey(REPAIR, same.answers, same.completed, FACTS, DAY).finished


def test_another_location_forgets_how_the_bike_gets_there() -> None:
    way = answered(*BEFORE_ADDRESS, "step-5", "step-6", "step-7")
    outcome = way.answer("step-6", {"location": "FAR"})
    assert "handover" not in outcome.answers
    assert "step-7" not in outcome.completed


def _location(refusal: str = "", **costs: str) -> dict[str, Any]:
    ways = [{"handover": way, "cost": cost} for way, cost in costs.items()]
    return {"id": "NEAR", "refusal": refusal, "handovers": ways}


@pytest.mark.parametrize("code", [Code.LOCATION_CLOSED, Code.LOCATION_ON_VACATION, Code.LOCATION_OUT_OF_REACH])
def test_a_location_that_was_refused_meanwhile_opens_its_step_again(code: Code) -> None:
    way = answered(*BEFORE_ADDRESS, "step-5", "step-6", "step-7")
    later = Journey(REPAIR, way.answers, way.completed, {**FACTS, "location": _location(code.value, bring="")}, DAY)
    step = later.next_open
    assert step.slug == "step-6"
    assert later.problems(step) == {"location": code}


def test_the_only_way_there_is_needs_no_answer() -> None:
    asked = _asked({"location": "NEAR"}, location=_location(bring=""))
    assert handover(asked) is Handover.BRING
    assert handover(_asked({"location": "NEAR"})) is None
    assert handover(_asked({"location": "NEAR", "handover": "call_out"})) is None
    assert offers(_asked({"location": "OTHER"})) == {}


def test_a_way_that_is_not_offered_is_refused() -> None:
    way = answered(*BEFORE_ADDRESS, "step-5", "step-6")
    assert way.answer("step-7", {"handover": "call_out"}).errors == {"handover": Code.INVALID_CHOICE}
    assert way.answer("step-7", {}).errors == {"handover": Code.REQUIRED}
    assert not way.answer("step-7", {"handover": "bring"}).errors


def test_a_service_asks_for_the_way_only_where_there_is_a_choice() -> None:
    done = {"bike": "CITY", "job": "2", "address": "known", "phone": "+31302311234"}
    completed = ("", "step-1", "step-2", "step-3")
    way = Journey(SERVICE, done, completed, FACTS, DAY)
    assert way.answer("step-4", {"location": "NEAR"}).errors == {"handover": Code.REQUIRED}
    assert not way.answer("step-4", {"location": "NEAR", "handover": "bring"}).errors
    single = Journey(SERVICE, done, completed, {**FACTS, "location": _location(pick_up="60.00")}, DAY)
    # What was pressed for another location before does not count.
    assert not single.answer("step-4", {"location": "NEAR", "handover": "bring"}).errors


def test_the_costs_of_a_service_are_its_price_less_the_package_and_the_way_there() -> None:
    answers = {"job": "2", "location": "NEAR", "handover": "pick_up"}
    costs = costs_of(SERVICE.name, _asked(answers))
    assert costs == [
        Cost(CostKind.SERVICE_JOB, Decimal("99.00")),
        Cost(CostKind.PACKAGE_DISCOUNT, Decimal("-49.50")),
        Cost(CostKind.PICK_UP, Decimal("60.00")),
    ]
    assert total(costs) == Decimal("109.50")
    assert snapshot(costs)["total"] == "109.50"
    assert costs_of(SERVICE.name, _asked({**answers, "job": "1"})) == []
    assert costs_of("no-such-flow", _asked(answers)) == []


def test_a_repair_costs_beforehand_only_what_the_way_there_costs() -> None:
    assert costs_of(REPAIR.name, _asked({"location": "NEAR", "handover": "bring"})) == []
    called = _asked({"location": "NEAR"}, location=_location(call_out="29.50"))
    assert costs_of(REPAIR.name, called) == [Cost(CostKind.CALL_OUT, Decimal("29.50"))]


def test_a_job_that_is_not_offered_any_more_opens_its_step_again() -> None:
    done = {"bike": "CITY", "job": "2"}
    facts = {**FACTS, "job": {"id": "2", "refusal": "service_request_not_valid"}}
    way = Journey(SERVICE, done, ("", "step-1", "step-2"), facts, DAY)
    assert way.problems(way.next_open) == {"job": Code.SERVICE_REQUEST_NOT_VALID}
    assert way.answer("step-2", {"job": "7"}).errors == {"job": Code.SERVICE_REQUEST_NOT_VALID}
