"""Questions that only a repair has: the damaged parts, each with its own description (part-1 §3)."""

from __future__ import annotations

import pytest

from portal.flow import Journey, SomeOf, Words
from portal.kernel.codes import Code
from portal.work_orders.flow.repair import BIKE_STEP, DAMAGE, PARTS, REPAIR, details_of
from tests.flow.parts import ANSWERS, DAY, FACTS, TEXT, answered

SPECIFIED = (
    "chain", "wheels", "frame", "motor", "battery", "brakes", "carrier", "handlebars", "saddle", "gears", "pedals",
    "other",
)  # fmt: skip


def test_the_twelve_parts_stand_in_the_order_of_the_requirements() -> None:
    choice = DAMAGE.field("parts")
    descriptions = [field for field in DAMAGE.fields if field.name.startswith("details_")]
    assert isinstance(choice.rule, SomeOf)
    assert tuple(choice.rule.options) == tuple(PARTS) == SPECIFIED
    assert [field.name for field in descriptions] == [details_of(part) for part in SPECIFIED]
    assert {field.rule for field in descriptions} == {Words(31, 1000)}


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
