"""Costs of a request: lines in euro including VAT, and their sum. Only the server computes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from portal.kernel.texts import N_

CURRENCY = "EUR"


class CostKind(StrEnum):
    """What a cost line is for."""

    SERVICE_JOB = "service_job"
    PACKAGE_DISCOUNT = "package_discount"
    PICK_UP = "pick_up"
    CALL_OUT = "call_out"


COST_NAMES: dict[CostKind, str] = {
    CostKind.SERVICE_JOB: N_("Service"),
    CostKind.PACKAGE_DISCOUNT: N_("Discount of your service package"),
    CostKind.PICK_UP: N_("Pick-up and delivery"),
    CostKind.CALL_OUT: N_("Call-out fee"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost line; the amount of a discount is negative."""

    kind: CostKind
    amount: Decimal


def total(costs: Sequence[Cost]) -> Decimal:
    """The sum, with two decimals."""
    return sum((cost.amount for cost in costs), Decimal("0.00"))


def snapshot(costs: Sequence[Cost]) -> dict[str, Any]:
    """The lines in the form stored with a request, so that mail and PDF show the same amounts as the page."""
    return {
        "currency": CURRENCY,
        "lines": [{"kind": cost.kind.value, "amount": f"{cost.amount:.2f}"} for cost in costs],
        "total": f"{total(costs):.2f}",
    }


def stored_costs(stored: Mapping[str, Any] | None) -> tuple[Cost, ...]:
    """The lines of a stored snapshot; empty without a snapshot.

    Raises:
        ValueError: the value is not a snapshot, or its total is not the sum of its lines.
    """
    if not stored:
        return ()
    try:
        costs = tuple(Cost(CostKind(line["kind"]), Decimal(line["amount"])) for line in stored["lines"])
        stored_total, currency = Decimal(stored["total"]), stored["currency"]
    except (KeyError, TypeError, ValueError, InvalidOperation):
        raise ValueError("not a valid list of costs") from None
    if stored_total != total(costs) or currency != CURRENCY:
        raise ValueError("costs that do not add up")
    return costs
