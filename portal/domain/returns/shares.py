"""What each unit of an order was paid with: its price less its share of the discount, to the cent.

Shares are given out by largest remainders, so the parts of an order always sum to exactly what the whole was. Whatever
is returned, in whichever order, the refunds can never exceed what was paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from portal.domain.terms import DEPRECIATION_PERCENT

_CENT = Decimal("0.01")
DEPRECIATION = Decimal(DEPRECIATION_PERCENT) / 100
"""Of what a unit was paid with, when it shows signs of use (part-2 §9)."""


def spread(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Give an amount out in cents, in proportion to weights; the parts sum to the amount.

    Args:
        amount: in euro, whole cents, not negative.
        weights: not negative. When all are zero, every part is the same but for a cent.
    """
    if not weights:
        return []
    cents = int(amount / _CENT)
    parts = [int(weight / _CENT) for weight in weights] if any(weights) else [1] * len(weights)
    divided = [divmod(cents * part, sum(parts)) for part in parts]
    shares = [share for share, _ in divided]
    largest = sorted(range(len(parts)), key=lambda place: (-divided[place][1], place))
    for place in largest[: cents - sum(shares)]:
        shares[place] += 1
    return [share * _CENT for share in shares]


@dataclass(frozen=True, slots=True)
class Sold:
    """One line of an order, as far as its worth matters. `is_bike` decides who shares package and insurance."""

    unit_price: Decimal
    quantity: int
    is_bike: bool = False


@dataclass(frozen=True, slots=True)
class Worth:
    """What comes back for one unit, in euro including VAT: its price share, its part of package and insurance."""

    paid: Decimal
    package: Decimal = Decimal("0.00")
    insurance: Decimal = Decimal("0.00")


def worth_of_units(
    lines: Sequence[Sold], discount: Decimal, package: Decimal = Decimal(0), insurance: Decimal = Decimal(0)
) -> list[list[Worth]]:
    """What each unit of an order is worth, line by line.

    Args:
        lines: all lines of the order.
        discount: of the whole order, positive; no more than the lines cost.
        package: price of the service package; the bikes of the order share it.
        insurance: price of the insurance; likewise.
    """
    units = [line for line in lines for _ in range(line.quantity)]
    prices = [line.unit_price for line in units]
    reductions = spread(min(discount, sum(prices, Decimal(0))), prices)
    bikes = [place for place, line in enumerate(units) if line.is_bike]
    weights = [prices[place] for place in bikes]
    packages = dict(zip(bikes, spread(package, weights), strict=True))
    insurances = dict(zip(bikes, spread(insurance, weights), strict=True))
    zero = Decimal("0.00")
    worths = iter(
        Worth(price - reduction, packages.get(place, zero), insurances.get(place, zero))
        for place, (price, reduction) in enumerate(zip(prices, reductions, strict=True))
    )
    return [[next(worths) for _ in range(line.quantity)] for line in lines]


def depreciation(paid: Decimal) -> Decimal:
    """What signs of use take off one unit, rounded once, half up."""
    return (paid * DEPRECIATION).quantize(_CENT, ROUND_HALF_UP)
