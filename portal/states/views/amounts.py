"""What a return is worth, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from portal.contract.returns import Settlement
from portal.domain.returns.settlement import SettlementKind


@dataclass(frozen=True, slots=True)
class AmountLine:
    """A line of the settlement: what for, a value of `SettlementKind`; of what; how much, signed."""

    kind: str
    about: str
    amount: str


@dataclass(frozen=True, slots=True)
class Amounts:
    """What comes back, or is to be paid. `refund` and `charge` are empty when nothing does; `lines` may be none.

    Attributes:
        set_off: whether something that is not paid yet was taken off.
        open: what is still to be paid for the same orders beside it; empty for nothing.
    """

    lines: list[AmountLine] = field(default_factory=list)
    refund: str = ""
    charge: str = ""
    set_off: bool = False
    open: str = ""


def amounts(found: Settlement) -> Amounts:
    """Tell a settlement."""
    return Amounts(
        lines=[
            AmountLine(
                line.kind.value,
                f"{line.quantity} × {line.item}" if line.quantity > 1 else line.item,
                str(line.amount),
            )
            for line in found.lines
        ],
        refund=str(found.refund) if found.lines and not found.charge else "",
        charge=str(found.charge) if found.charge else "",
        set_off=any(line.kind is SettlementKind.NOT_PAID for line in found.lines),
        open=str(found.open) if found.open else "",
    )


def kept_amounts(kept: Mapping[str, Any]) -> Amounts:
    """Tell a settlement as a request keeps it; nothing while it has no lines."""
    return amounts(Settlement.model_validate(kept)) if kept.get("lines") else Amounts()
