"""What a request costs, as it was told when it was sent: lines and their sum, in euro (part-1 §2; decisions: Costs)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

CURRENCY = "EUR"
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Cost:
    """One line.

    Attributes:
        label: what it is for, an English text marked with `N_` in portal/domain or portal/flows.
        amount: in euro, VAT included; zero for what is free.
    """

    label: str
    amount: Decimal

    def __post_init__(self) -> None:
        """Cents, always: what is shown, added up and kept is the same figure."""
        object.__setattr__(self, "amount", Decimal(self.amount).quantize(_CENT))


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
        """As a request keeps it: `lines` with `label`, `amount` and `currency`; the total. Amounts are texts."""
        return {
            "lines": [{"label": line.label, "amount": str(line.amount), "currency": CURRENCY} for line in self.lines],
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
            costs = cls(tuple(Cost(str(line["label"]), Decimal(line["amount"])) for line in kept["lines"]))
            total = Decimal(kept["total"])
            currencies = {kept["currency"], *(line["currency"] for line in kept["lines"])}
        except (KeyError, TypeError, InvalidOperation):
            raise ValueError("not the costs of a request") from None
        if total != costs.total or currencies != {CURRENCY}:
            raise ValueError("costs that do not add up")
        return costs
