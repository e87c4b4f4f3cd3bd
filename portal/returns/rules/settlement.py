"""What a return is worth, line by line (part-2 §5, §9). The server computes it; input never sets it.

Amounts are euro including VAT, signed as the customer sees them: positive comes back, negative is taken off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from portal.kernel.terms import DEPRECIATION_PERCENT, RETURN_PICK_UP_COST
from portal.kernel.texts import N_

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


CURRENCY = "EUR"

_ZERO = Decimal("0.00")


class SettlementKind(StrEnum):
    """What a line is for."""

    ITEM = "item"
    DEPRECIATION = "depreciation"
    PACKAGE = "package"
    INSURANCE = "insurance"
    SHIPPING = "shipping"
    NEW_ITEM = "new_item"
    PICK_UP = "pick_up"
    NOT_PAID = "not_paid"


SETTLEMENT_NAMES: dict[SettlementKind, str] = {
    SettlementKind.ITEM: N_("Price, less your discount"),
    SettlementKind.DEPRECIATION: N_("Signs of use, {depreciation_percent}%"),
    SettlementKind.PACKAGE: N_("Service package"),
    SettlementKind.INSURANCE: N_("Insurance"),
    SettlementKind.SHIPPING: N_("Shipping costs"),
    SettlementKind.NEW_ITEM: N_("New item"),
    SettlementKind.PICK_UP: N_("Pick-up at home"),
    SettlementKind.NOT_PAID: N_("Not paid yet"),
}


@dataclass(frozen=True, slots=True)
class SettlementLine:
    """One line. `item` and `quantity` say what of, where it is about an item; of what is not paid, of which order."""

    kind: SettlementKind
    amount: Decimal
    item: str = ""
    quantity: int = 0


@dataclass(frozen=True, slots=True)
class ComputedSettlement:
    """The lines in the order in which they are shown.

    Attributes:
        open: what is still to be paid for the same orders, whatever comes of this; no part of the total.
    """

    lines: tuple[SettlementLine, ...] = ()
    open: Decimal = _ZERO

    @property
    def total(self) -> Decimal:
        """The sum: positive is refunded, negative is to be paid."""
        return sum((line.amount for line in self.lines), _ZERO)

    @property
    def refund(self) -> Decimal:
        """What comes back, at least zero."""
        return max(self.total, _ZERO)

    @property
    def charge(self) -> Decimal:
        """What is to be paid, at least zero."""
        return max(-self.total, _ZERO)

    @property
    def most(self) -> Decimal:
        """The most that can be refunded: all of it without the fee of the pick-up, and never what was not paid."""
        return max(sum((line.amount for line in self.lines if line.kind is not SettlementKind.PICK_UP), _ZERO), _ZERO)

    @property
    def credit(self) -> Decimal:
        """What the items themselves are worth by now."""
        kinds = (SettlementKind.ITEM, SettlementKind.DEPRECIATION)
        return sum((line.amount for line in self.lines if line.kind in kinds), _ZERO)

    @property
    def set_off(self) -> dict[str, Decimal]:
        """By order, how much of what is open this pays instead of paying it out."""
        return {line.item: -line.amount for line in self.lines if line.kind is SettlementKind.NOT_PAID}

    def to_json(self) -> dict[str, Any]:
        """As it is kept and travels; amounts are texts."""
        return {
            "currency": CURRENCY,
            "lines": [
                {
                    "kind": line.kind.value,
                    "amount": f"{line.amount:.2f}",
                    "item": line.item,
                    "quantity": line.quantity,
                }
                for line in self.lines
            ],
            "total": f"{self.total:.2f}",
            "refund": f"{self.refund:.2f}",
            "charge": f"{self.charge:.2f}",
            "open": f"{self.open:.2f}",
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ComputedSettlement:
        """What `to_json` made.

        Raises:
            ValueError: it is something else, or does not add up.
        """
        try:
            lines = tuple(
                SettlementLine(
                    SettlementKind(line["kind"]), Decimal(line["amount"]), str(line["item"]), int(line["quantity"])
                )
                for line in stored["lines"]
            )
            found, total = cls(lines, Decimal(stored.get("open", _ZERO))), Decimal(stored["total"])
        except (KeyError, TypeError, InvalidOperation):
            raise ValueError("no settlement") from None
        if found.total != total:
            raise ValueError("a settlement that does not add up")
        return found


@dataclass(frozen=True, slots=True)
class Returned:
    """Units of one line that come back.

    Attributes:
        item: name of the article.
        worths: of each unit.
        order: number of the order.
    """

    item: str
    worths: tuple[Worth, ...]
    order: str


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which something comes back.

    Attributes:
        signs_of_use: takes 25% off each unit.
        pick_up: picked up at home, for a fee.
        fee: of the pick-up.
        shipping: shipping costs that come back: of an order that is withdrawn from as a whole.
        outstanding: by order, what is not paid of it yet; set off first. One item is exchanged, so of one order.
        new_item: name of what is delivered instead, empty for none.
        new_price: of that; none means the same price as what comes back.
    """

    signs_of_use: bool = False
    pick_up: bool = False
    fee: Decimal = RETURN_PICK_UP_COST
    shipping: Decimal = _ZERO
    outstanding: Mapping[str, Decimal] = field(default_factory=dict)
    new_item: str = ""
    new_price: Decimal | None = None


def settle(returned: Sequence[Returned], terms: Terms) -> ComputedSettlement:
    """What comes back, line by line."""
    lines: list[SettlementLine] = []
    per_order: dict[str, Decimal] = {}
    for entry in returned:
        # An exchange keeps package and insurance: they go over to the new one.
        own = _of_item(entry, terms.signs_of_use, keeps_extras=bool(terms.new_item))
        lines += own
        per_order[entry.order] = per_order.get(entry.order, _ZERO) + sum((line.amount for line in own), _ZERO)
    if terms.shipping and returned:
        lines.append(SettlementLine(SettlementKind.SHIPPING, terms.shipping))
        per_order[returned[0].order] += terms.shipping
    if terms.new_item:
        paid = sum((worth.paid for entry in returned for worth in entry.worths), _ZERO)
        price = paid if terms.new_price is None else terms.new_price
        lines.append(SettlementLine(SettlementKind.NEW_ITEM, -price, terms.new_item, 1))
        # Of what is cheaper only that comes back which was paid before. The rest of what is open stays as it is.
        per_order = dict.fromkeys(per_order, max(sum((line.amount for line in lines), _ZERO), _ZERO))
    owed = sum((terms.outstanding.get(order, _ZERO) for order in per_order), _ZERO)
    for order, amount in per_order.items():
        if not_paid := min(amount, terms.outstanding.get(order, _ZERO)):
            lines.append(SettlementLine(SettlementKind.NOT_PAID, -not_paid, order))
            owed -= not_paid
    if terms.pick_up:
        lines.append(SettlementLine(SettlementKind.PICK_UP, -terms.fee))
    return ComputedSettlement(tuple(lines), owed)


def _of_item(entry: Returned, signs_of_use: bool, *, keeps_extras: bool) -> list[SettlementLine]:
    count = len(entry.worths)
    paid = sum((worth.paid for worth in entry.worths), _ZERO)
    lines = [SettlementLine(SettlementKind.ITEM, paid, entry.item, count)]
    if signs_of_use:
        off = sum((depreciation(worth.paid) for worth in entry.worths), _ZERO)
        lines.append(SettlementLine(SettlementKind.DEPRECIATION, -off, entry.item, count))
    if not keeps_extras:
        for kind, amount in (
            (SettlementKind.PACKAGE, sum((worth.package for worth in entry.worths), _ZERO)),
            (SettlementKind.INSURANCE, sum((worth.insurance for worth in entry.worths), _ZERO)),
        ):
            if amount:
                lines.append(SettlementLine(kind, amount, entry.item, count))
    return lines
