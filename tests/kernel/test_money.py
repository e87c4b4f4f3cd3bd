"""Costs are kept as they were told, and come back the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from portal.kernel.texts import Cost, CostKind, snapshot, stored_costs

COSTS = (Cost(CostKind.PICK_UP, Decimal(60)), Cost(CostKind.PACKAGE_DISCOUNT, Decimal("-12.5")))


def test_costs_come_back_as_they_were_shown() -> None:
    assert stored_costs(snapshot(COSTS)) == COSTS
    assert stored_costs(snapshot([])) == ()
    assert stored_costs(None) == ()


@pytest.mark.parametrize(
    "kept",
    [
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "59.00", "currency": "EUR"},
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "60.00", "currency": "USD"},
        {"lines": [{"kind": "pick_up", "amount": "sixty"}], "total": "60.00", "currency": "EUR"},
        {"lines": [{"kind": "tip", "amount": "60.00"}], "total": "60.00", "currency": "EUR"},
        {"total": "60.00"},
    ],
)
def test_what_does_not_add_up_is_refused(kept: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="costs"):
        stored_costs(kept)
