"""What a request costs: lines in euro including VAT, and their sum. The server computes them; input never sets them.

They are kept with the request as they were told when it was sent (decisions: Rules).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from portal.domain.marks import N_

CURRENCY = "EUR"
_CENT = Decimal("0.01")


class CostKind(StrEnum):
    """What a line is for."""

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
    """One line.

    Attributes:
        kind: what it is for.
        amount: in euro, VAT included; zero for what is free, negative for a discount.
    """

    kind: CostKind
    amount: Decimal

    def __post_init__(self) -> None:
        """Cents, always: what is shown, added up and kept is the same figure."""
        object.__setattr__(self, "amount", Decimal(self.amount).quantize(_CENT))

    @property
    def label(self) -> str:
        """English text of what it is for."""
        return COST_NAMES[self.kind]


@dataclass(frozen=True, slots=True)
class Costs:
    """The lines of a request, in the order in which they are shown. False when there are none."""

    lines: tuple[Cost, ...] = ()

    @property
    def total(self) -> Decimal:
        """The sum in euro, VAT included."""
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    def __bool__(self) -> bool:
        """Whether there is a line."""
        return bool(self.lines)

    def to_json(self) -> dict[str, Any]:
        """As a request keeps it: `lines` with `kind` and `amount`; total and currency. Amounts are texts."""
        return {
            "lines": [{"kind": line.kind.value, "amount": str(line.amount)} for line in self.lines],
            "total": str(self.total),
            "currency": CURRENCY,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any] | None) -> Costs:
        """What `to_json` made; none of nothing.

        Raises:
            ValueError: it is something else, or the sum is not the sum of the lines.
        """
        if not kept:
            return cls()
        try:
            costs = cls(tuple(Cost(CostKind(line["kind"]), Decimal(line["amount"])) for line in kept["lines"]))
            total, currency = Decimal(kept["total"]), kept["currency"]
        except (KeyError, TypeError, ValueError, InvalidOperation):
            raise ValueError("not the costs of a request") from None
        if total != costs.total or currency != CURRENCY:
            raise ValueError("costs that do not add up")
        return costs
