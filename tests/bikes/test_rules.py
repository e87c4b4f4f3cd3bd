"""The warranty of a bike: its last day, what a repair adds, and what a repair probably costs."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.bikes.rules import WEARING_PARTS, RepairCost, after_repair, repair_cost, warranty_until
from portal.work_orders.flow.repair import PARTS

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
UNTIL = date(2028, 2, 29)


@pytest.mark.parametrize(
    ("granted", "delivered", "until"),
    [
        (None, date(2026, 3, 1), date(2028, 3, 1)),
        (None, None, date(2028, 2, 20)),
        (date(2030, 1, 1), date(2026, 3, 1), date(2030, 1, 1)),
    ],
)
def test_warranty_counts_from_delivery_unless_more_was_granted(
    granted: date | None, delivered: date | None, until: date
) -> None:
    assert warranty_until(granted, delivered, date(2026, 2, 20), 2) == until


def test_a_repair_under_warranty_adds_twelve_months_once() -> None:
    once = after_repair(UNTIL, 12, extended=False)
    assert once == date(2029, 2, 28)
    assert after_repair(once, 12, extended=True) == once


@pytest.mark.parametrize(
    ("parts", "day", "cost"),
    [
        (["frame"], UNTIL, RepairCost.FREE),
        (["frame"], UNTIL + timedelta(days=1), RepairCost.EXPIRED),
        (["chain", "brakes"], UNTIL, RepairCost.WEAR),
        (["chain", "motor"], UNTIL, RepairCost.PARTLY),
    ],
)
def test_a_repair_is_probably_free_by_warranty_and_wear(parts: list[str], day: date, cost: RepairCost) -> None:
    assert repair_cost(parts, UNTIL, day) is cost


@given(st.sets(st.sampled_from(sorted(PARTS)), min_size=1), DAYS, DAYS)
def test_what_wears_is_never_promised_free_and_nothing_is_after_the_warranty(
    parts: set[str], until: date, day: date
) -> None:
    cost = repair_cost(parts, until, day)
    assert (cost is RepairCost.EXPIRED) == (day > until)
    if parts <= WEARING_PARTS:
        assert cost in {RepairCost.WEAR, RepairCost.EXPIRED}
