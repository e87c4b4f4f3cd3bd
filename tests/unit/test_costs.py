"""Costs are kept as they were told, and come back the same."""

from __future__ import annotations

from decimal import Decimal

import pytest

from portal.domain.costs import Cost, CostKind, Costs

PICK_UP = Costs((Cost(CostKind.PICK_UP, Decimal(60)), Cost(CostKind.CALL_OUT, Decimal("12.5"))))


def test_the_total_is_the_sum_in_cents() -> None:
    assert str(PICK_UP.total) == "72.50"
    assert str(Costs().total) == "0.00"


def test_costs_come_back_from_json_as_they_were() -> None:
    assert Costs.from_json(PICK_UP.to_json()) == PICK_UP
    assert Costs.from_json(Costs().to_json()) == Costs()
    assert not Costs.from_json(None)


def test_amounts_travel_as_text() -> None:
    assert PICK_UP.to_json()["lines"][1] == {"kind": "call_out", "amount": "12.50"}
    assert PICK_UP.to_json()["total"] == "72.50"


@pytest.mark.parametrize(
    "kept",
    [
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "59.00", "currency": "EUR"},
        {"lines": [{"kind": "pick_up", "amount": "60.00"}], "total": "60.00", "currency": "USD"},
        {"lines": [{"kind": "pick_up", "amount": "sixty"}], "total": "60.00", "currency": "EUR"},
        {"lines": [{"kind": "cake", "amount": "60.00"}], "total": "60.00", "currency": "EUR"},
        {"lines": [{"amount": "60.00"}], "total": "60.00", "currency": "EUR"},
        {"total": "60.00"},
    ],
)
def test_what_does_not_add_up_is_refused(kept: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="costs"):
        Costs.from_json(kept)
