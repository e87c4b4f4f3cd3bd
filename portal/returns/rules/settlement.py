"""The settlement of a return: what its units are worth, line by line (part-2 §5, §9).

First the price of an order is spread over its units (`worth_of_units`). Then `settle` computes the lines of a return
from the units that come back and the terms under which they do. Only the retailer's side settles a stored return.

All amounts are in euro and include VAT. Their sign is the customer's view: a positive amount is refunded, a negative
one is deducted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, NamedTuple

from portal.contract.account import Direction
from portal.kernel.terms import DEPRECIATION_PERCENT, RETURN_PICK_UP_COST
from portal.kernel.texts import N_
from portal.vocabulary.returns import ReturnKind

CURRENCY = "EUR"
DEPRECIATION = Decimal(DEPRECIATION_PERCENT) / 100
"""Fraction of the price paid that is deducted for signs of use (part-2 §9)."""

_CENT = Decimal("0.01")
_ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class Sold:
    """One line of an order.

    `price`: of its units together.
    `is_bike`: whether its units share the extras of an order that does not say which bike has them.
    `package`: price of the service package of its units together.
    `insurance`: price of the insurance of its units together.
    """

    price: Decimal
    quantity: int
    is_bike: bool = False
    package: Decimal = _ZERO
    insurance: Decimal = _ZERO

    @property
    def prices(self) -> list[Decimal]:
        """The price of each unit; together they cost what the line cost, to the cent."""
        return spread(self.price, [Decimal(1)] * self.quantity)


class Worth(NamedTuple):
    """What one unit is worth.

    `paid`: its price less its share of the discount.
    `package`: price of its service package.
    `insurance`: price of its insurance.
    """

    paid: Decimal
    package: Decimal = _ZERO
    insurance: Decimal = _ZERO


def worth_of_units(
    lines: Sequence[Sold], discount: Decimal, package: Decimal = Decimal(0), insurance: Decimal = Decimal(0)
) -> list[list[Worth]]:
    """Spread the price of an order over its units.

    `discount`: of the whole order, not negative. What exceeds the price of the lines is ignored.
    `package`: price of the service package; the bikes share it if no line says whose it is.
    Returns for each line, the worth of each of its units.
    """
    prices = [price for line in lines for price in line.prices]
    reductions = spread(min(discount, sum(prices, Decimal(0))), prices)
    packages = _extras(lines, [line.package for line in lines], package)
    insurances = _extras(lines, [line.insurance for line in lines], insurance)
    worths = iter(
        Worth(price - reduction, of_package, of_insurance)
        for price, reduction, of_package, of_insurance in zip(prices, reductions, packages, insurances, strict=True)
    )
    return [[next(worths) for _ in range(line.quantity)] for line in lines]


def _extras(lines: Sequence[Sold], prices: Sequence[Decimal], of_order: Decimal) -> list[Decimal]:
    """The price of a package or an insurance, for each unit.

    `prices`: what each line says about its units; all zero if the order does not say which bike has it.
    `of_order`: the price for the whole order.
    """
    if any(prices):
        return [share for line, price in zip(lines, prices, strict=True) for share in spread(price, line.prices)]
    shares = iter(spread(of_order, [price for line in lines if line.is_bike for price in line.prices]))
    return [next(shares) if line.is_bike else _ZERO for line in lines for _ in range(line.quantity)]


def spread(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Split an amount into whole cents in proportion to the weights. The parts add up to the amount.

    `amount`: in euro, whole cents, not negative.
    `weights`: not negative. When all are zero, the parts differ by one cent at most.
    """
    if not weights:
        return []
    cents = int(amount / _CENT)
    shares = [int(weight / _CENT) for weight in weights] if any(weights) else [1] * len(weights)
    divided = [divmod(cents * share, sum(shares)) for share in shares]
    parts = [part for part, _ in divided]
    # The cents that are left go to the largest remainders.
    by_remainder = sorted(range(len(shares)), key=lambda index: (-divided[index][1], index))
    for index in by_remainder[: cents - sum(parts)]:
        parts[index] += 1
    return [part * _CENT for part in parts]


def depreciation(paid: Decimal) -> Decimal:
    """What signs of use deduct from one unit, rounded half up to the cent."""
    return (paid * DEPRECIATION).quantize(_CENT, ROUND_HALF_UP)


class SettlementKind(StrEnum):
    """What a line of a settlement is for."""

    ITEM = "item"
    DEPRECIATION = "depreciation"
    PACKAGE = "package"
    INSURANCE = "insurance"
    SHIPPING = "shipping"
    SURCHARGE = "surcharge"
    NEW_ITEM = "new_item"
    PICK_UP = "pick_up"
    NOT_PAID = "not_paid"
    REFUNDED = "refunded"


OF_AN_ORDER = (SettlementKind.NOT_PAID, SettlementKind.REFUNDED)
"""Lines that name an order, not an item."""


SETTLEMENT_NAMES: dict[SettlementKind, str] = {
    SettlementKind.ITEM: N_("Paid, after discount"),
    SettlementKind.DEPRECIATION: N_("Signs of use, {depreciation_percent}%"),
    SettlementKind.PACKAGE: N_("Service package"),
    SettlementKind.INSURANCE: N_("Insurance"),
    SettlementKind.SHIPPING: N_("Shipping costs"),
    SettlementKind.SURCHARGE: N_("Surcharges"),
    SettlementKind.NEW_ITEM: N_("New item"),
    SettlementKind.PICK_UP: N_("Pick-up from your home"),
    SettlementKind.NOT_PAID: N_("Not paid yet"),
    SettlementKind.REFUNDED: N_("Already refunded"),
}


TOTAL_NAMES: dict[Direction, str] = {
    Direction.CUSTOMER_RECEIVES: N_("You’ll get back"),
    Direction.CUSTOMER_PAYS: N_("You pay"),
    Direction.NONE: N_("Nothing to pay"),
}

PAID_LATER = N_("You don’t have to pay yet. We’ll contact you about it.")
SET_OFF_FIRST = N_("Anything you haven’t paid yet is deducted first.")

_REFUNDED = N_("We refund within {refund_days} days after your return has been processed.")
_REFUNDED_OTHERWISE = {
    ReturnKind.WITHDRAWAL: N_(
        "We refund within {refund_days} days of your declaration, once we have it or you show us that you’ve sent it."
    ),
    ReturnKind.EXCHANGE: N_("We refund within {refund_days} days after your exchange has been processed."),
}


def payment_note(direction: Direction, kind: ReturnKind, *, set_off: bool) -> str:
    """Who pays whom and when; empty if nothing is paid.

    `set_off`: whether an unpaid amount was deducted.
    """
    if direction is Direction.CUSTOMER_PAYS:
        return PAID_LATER
    if direction is Direction.CUSTOMER_RECEIVES:
        return _REFUNDED_OTHERWISE.get(kind, _REFUNDED)
    return SET_OFF_FIRST if set_off else ""


def direction_of(total: Decimal) -> Direction:
    """Who pays whom: a positive total is refunded, a negative one is charged."""
    if not total:
        return Direction.NONE
    return Direction.CUSTOMER_RECEIVES if total > 0 else Direction.CUSTOMER_PAYS


@dataclass(frozen=True, slots=True)
class SettlementLine:
    """One line of a settlement.

    `item`: name of the item; the order number when the kind is one of `OF_AN_ORDER`; else empty.
    `quantity`: number of units; 0 when the line is not about an item.
    """

    kind: SettlementKind
    amount: Decimal
    item: str = ""
    quantity: int = 0


@dataclass(frozen=True, slots=True)
class ComputedSettlement:
    """A settlement.

    `lines`: in the order in which they are shown.
    `open`: what the customer still has to pay for the same orders, apart from this return. The total leaves it out.
    """

    lines: tuple[SettlementLine, ...] = ()
    open: Decimal = _ZERO

    @property
    def total(self) -> Decimal:
        """The sum of the lines: positive is refunded, negative is charged."""
        return sum((line.amount for line in self.lines), _ZERO)

    @property
    def amounts(self) -> tuple[object, ...]:
        """What a customer agrees to: all but the names of the items, which are in their language."""
        return *((line.kind, line.amount, line.quantity) for line in self.lines), self.open

    @property
    def refund(self) -> Decimal:
        """What the customer gets back, at least zero."""
        return max(self.total, _ZERO)

    @property
    def charge(self) -> Decimal:
        """What the customer has to pay, at least zero."""
        return max(-self.total, _ZERO)

    @property
    def binds_to_pay(self) -> bool:
        """Whether a price is due: the customer pays, or the pick-up is deducted from the refund."""
        return self.charge > 0 or any(line.kind is SettlementKind.PICK_UP and line.amount < 0 for line in self.lines)

    @property
    def maximum_refund(self) -> Decimal:
        """The most that staff can refund: the total without the pick-up fee. Unpaid amounts are excluded."""
        return max(sum((line.amount for line in self.lines if line.kind is not SettlementKind.PICK_UP), _ZERO), _ZERO)

    @property
    def credit(self) -> Decimal:
        """What the items are worth after depreciation."""
        kinds = (SettlementKind.ITEM, SettlementKind.DEPRECIATION)
        return sum((line.amount for line in self.lines if line.kind in kinds), _ZERO)

    @property
    def set_off(self) -> dict[str, Decimal]:
        """By order number, the part of an unpaid amount that this return settles instead of refunding it."""
        return self._by_order(SettlementKind.NOT_PAID)

    @property
    def already_refunded(self) -> dict[str, Decimal]:
        """By order number, what is not refunded because the shop refunded it before."""
        return self._by_order(SettlementKind.REFUNDED)

    def _by_order(self, kind: SettlementKind) -> dict[str, Decimal]:
        return {line.item: -line.amount for line in self.lines if line.kind is kind}

    def to_json(self) -> dict[str, object]:
        """The stored form, which is also the API model. Amounts are strings with two decimals."""
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
        """Read what `to_json` wrote.

        Raises `ValueError`: the value is not a settlement, or the lines do not add up to the total.
        """
        try:
            lines = tuple(
                SettlementLine(
                    SettlementKind(line["kind"]), Decimal(line["amount"]), str(line["item"]), int(line["quantity"])
                )
                for line in stored["lines"]
            )
            settlement, total = cls(lines, Decimal(stored.get("open", _ZERO))), Decimal(stored["total"])
        except (KeyError, TypeError, InvalidOperation):
            raise ValueError("not a settlement") from None
        if settlement.total != total:
            raise ValueError("the settlement does not add up")
        return settlement


@dataclass(frozen=True, slots=True)
class Returned:
    """Units of one order line that come back.

    `item`: name of the item.
    `worths`: the worth of each unit.
    `order`: the order number.
    `used`: how many units, the first ones, have signs of use that the customer did not state.
    """

    item: str
    worths: tuple[Worth, ...]
    order: str
    used: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a return.

    `signs_of_use`: whether depreciation is deducted from each unit.
    `pick_up`: whether the items are picked up at home, for a fee.
    `at_our_expense`: whether neither depreciation nor the fee is deducted, because the items are wrong or defective.
    `fee`: of the pick-up.
    `shipping`, `surcharges`: what is refunded besides the items; only when a whole order is withdrawn.
    `outstanding`: by order number, the amount not paid yet; it is set off before anything is refunded.
    `left`: by order number, the most that can still be refunded; only of orders of which the shop refunded something.
    `new_item`: name of the new item of an exchange; empty when there is none.
    `new_price`: price of the new item; `None` when it costs as much as what was paid for the returned item.
    """

    signs_of_use: bool = False
    pick_up: bool = False
    at_our_expense: bool = False
    fee: Decimal = RETURN_PICK_UP_COST
    shipping: Decimal = _ZERO
    surcharges: Decimal = _ZERO
    outstanding: Mapping[str, Decimal] = field(default_factory=dict)
    left: Mapping[str, Decimal] = field(default_factory=dict)
    new_item: str = ""
    new_price: Decimal | None = None


def settle(returned: Sequence[Returned], terms: Terms) -> ComputedSettlement:
    """Compute the settlement of a return.

    `returned`: the units that come back, by order line. An exchange has one entry only.
    """
    lines: list[SettlementLine] = []
    per_order: dict[str, Decimal] = {}
    for entry in returned:
        # An exchange keeps the service package and the insurance: both pass to the new item.
        used = len(entry.worths) if terms.signs_of_use else entry.used
        item_lines = _item_lines(entry, 0 if terms.at_our_expense else used, keeps_extras=bool(terms.new_item))
        lines += item_lines
        amount = sum((line.amount for line in item_lines), _ZERO)
        per_order[entry.order] = per_order.get(entry.order, _ZERO) + amount
    for kind, amount in ((SettlementKind.SHIPPING, terms.shipping), (SettlementKind.SURCHARGE, terms.surcharges)):
        if amount and returned:
            lines.append(SettlementLine(kind, amount))
            per_order[returned[0].order] += amount
    if terms.new_item:
        paid = sum((worth.paid for entry in returned for worth in entry.worths), _ZERO)
        price = paid if terms.new_price is None else terms.new_price
        lines.append(SettlementLine(SettlementKind.NEW_ITEM, -price, terms.new_item, 1))
        # Only a difference in the customer's favour is set off against what is unpaid.
        per_order = dict.fromkeys(per_order, max(sum((line.amount for line in lines), _ZERO), _ZERO))
    still_open = sum((terms.outstanding.get(order, _ZERO) for order in per_order), _ZERO)
    for order, amount in per_order.items():
        if not_paid := min(amount, terms.outstanding.get(order, _ZERO)):
            lines.append(SettlementLine(SettlementKind.NOT_PAID, -not_paid, order))
            still_open -= not_paid
        if (refunded := amount - not_paid - terms.left.get(order, amount)) > 0:
            lines.append(SettlementLine(SettlementKind.REFUNDED, -refunded, order))
    if terms.pick_up and not terms.at_our_expense:
        lines.append(SettlementLine(SettlementKind.PICK_UP, -terms.fee))
    return ComputedSettlement(tuple(lines), still_open)


def _item_lines(entry: Returned, used: int, *, keeps_extras: bool) -> list[SettlementLine]:
    count = len(entry.worths)
    paid = sum((worth.paid for worth in entry.worths), _ZERO)
    lines = [SettlementLine(SettlementKind.ITEM, paid, entry.item, count)]
    if used:
        deducted = sum((depreciation(worth.paid) for worth in entry.worths[:used]), _ZERO)
        lines.append(SettlementLine(SettlementKind.DEPRECIATION, -deducted, entry.item, used))
    if not keeps_extras:
        for kind, amount in (
            (SettlementKind.PACKAGE, sum((worth.package for worth in entry.worths), _ZERO)),
            (SettlementKind.INSURANCE, sum((worth.insurance for worth in entry.worths), _ZERO)),
        ):
            if amount:
                lines.append(SettlementLine(kind, amount, entry.item, count))
    return lines
