"""Units: which single items of an order line can be returned, and until when (edge-cases 26-31).

Units are counted, not order lines: when two of five locks were returned, three can still be returned. A unit belongs to
the shipment that it left with, so each unit has its own last day.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from portal.kernel.codes import Code
from portal.orders.rules import return_until
from portal.returns.rules.settlement import Worth, spread


class Hold(StrEnum):
    """Whether a return holds a unit. A rejected, cancelled or expired return releases its units."""

    FREE = "free"
    """No return holds it."""
    OPEN = "open"
    """A return that is not finished holds it."""
    DONE = "done"
    """It was returned for good."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """Units of one order line that are in the same shipment. The moments are `None` until they happen.

    `unsent` says that its delivery can still be called off, so that the customer never gets it.
    """

    quantity: int
    shipped_at: datetime | None
    delivered_at: datetime | None = None
    unsent: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of an order line.

    `number`: its number within the line, from 1. The database identifies the unit by line and number.
    `worth`: what is refunded for it.
    `shipped_at`: `None` until it is shipped.
    `delivered_at`: `None` until it is delivered.
    `hold`: whether a return holds it.
    `return_days`: days after shipping within which it can be returned.
    `unsent`: whether its delivery can still be called off.
    """

    number: int
    worth: Worth
    shipped_at: datetime | None
    delivered_at: datetime | None
    hold: Hold
    return_days: int
    unsent: bool = False

    @property
    def until(self) -> date | None:
        """The last day on which it can be returned; `None` until it is shipped."""
        return return_until(self.shipped_at, self.return_days) if self.shipped_at else None


class Unclear(Exception):
    """More units were shipped than sold, so the units of the line are unknown (`multiple_entries`)."""


def units_of(
    worths: Sequence[Worth],
    parcels: Iterable[Parcel],
    holds: dict[int, Hold],
    return_days: int,
    *,
    rest_unsent: bool = False,
) -> list[Unit]:
    """The units of an order line.

    `worths`: the worth of each unit that was sold.
    `parcels`: the shipments of this line. The earliest one has the first units; units in no parcel are not shipped.
    `holds`: state of the units that are in a return, by unit number.
    `return_days`: days after shipping within which they can be returned.
    `rest_unsent`: whether the delivery of what is in no parcel can still be called off.
    Raises `Unclear`: the parcels hold more units than were sold.
    """
    parcel_of: list[Parcel] = []
    for parcel in sorted(parcels, key=lambda parcel: (parcel.shipped_at is None, parcel.shipped_at or datetime.max)):
        parcel_of += [parcel] * max(0, parcel.quantity)
    if len(parcel_of) > len(worths):
        raise Unclear
    parcel_of += [Parcel(1, None, unsent=rest_unsent)] * (len(worths) - len(parcel_of))
    return [
        Unit(
            number,
            worth,
            parcel.shipped_at,
            parcel.delivered_at,
            holds.get(number, Hold.FREE),
            return_days,
            parcel.unsent,
        )
        for number, (worth, parcel) in enumerate(zip(worths, parcel_of, strict=True), 1)
    ]


def besides_shop(units: Sequence[Unit], returned: int, refunded: Decimal) -> list[Unit]:
    """The units, after what the shop took back and refunded of their line outside the portal.

    `returned`: units that came back, or were taken off; those in a return of the portal are among them.
    `refunded`: what the shop paid back for the line apart from returns of the portal.
    """
    held = sum(unit.hold is not Hold.FREE for unit in units)
    free = sorted(
        (unit for unit in units if unit.hold is Hold.FREE), key=lambda unit: (bool(unit.shipped_at), unit.number)
    )
    gone = {unit.number for unit in free[: max(0, returned - held)]}
    left = [unit for unit in free if unit.number not in gone]
    worth = sum((unit.worth.paid for unit in free if unit.number in gone), Decimal(0))
    prices = [unit.worth.paid for unit in left]
    shares = spread(min(max(refunded - worth, Decimal(0)), sum(prices, Decimal(0))), prices)
    less = {unit.number: share for unit, share in zip(left, shares, strict=True)}
    return [
        replace(
            unit,
            hold=Hold.DONE if unit.number in gone else unit.hold,
            worth=unit.worth._replace(paid=unit.worth.paid - less.get(unit.number, Decimal(0))),
        )
        for unit in units
    ]


def refusal(unit: Unit, day: date) -> Code | None:
    """Why a unit cannot be returned on a day; `None` when it can."""
    if unit.hold is Hold.OPEN:
        return Code.RETURN_REQUEST_EXISTS
    if unit.hold is Hold.DONE:
        return Code.ALREADY_RETURNED
    if unit.until is None:
        return Code.ORDER_NOT_SHIPPED
    return Code.OLDER_THAN_100_DAYS if day > unit.until else None


def returnable(units: Iterable[Unit], day: date) -> list[Unit]:
    """The units that can be returned on a day, sorted by their last day."""
    free = [unit for unit in units if refusal(unit, day) is None]
    return sorted(free, key=lambda unit: (unit.shipped_at is None, unit.shipped_at, unit.number))


def withdrawable(units: Iterable[Unit]) -> list[Unit]:
    """The units that a withdrawal can include: all that are free. The caller checks the period (`can_withdraw`).

    What was not sent comes first, because nothing has to come back; of that the last, because earlier ones are sent
    first.
    """
    free = [unit for unit in units if unit.hold is Hold.FREE]
    return sorted(free, key=lambda unit: (not unit.unsent, -unit.number if unit.unsent else unit.number))


_REASONS_BY_PRIORITY = (
    Code.RETURN_REQUEST_EXISTS,
    Code.ORDER_NOT_SHIPPED,
    Code.OLDER_THAN_100_DAYS,
    Code.ALREADY_RETURNED,
    Code.ORDER_CANCELLED,
    Code.ORDER_REFUNDED,
    Code.MULTIPLE_ENTRIES,
)


def why_nothing(refusals: Iterable[Code]) -> Code:
    """The reason to show when nothing can be returned. Reasons that the customer can act on come first."""
    reasons = set(refusals)
    return next((code for code in _REASONS_BY_PRIORITY if code in reasons), Code.NOTHING_FOUND)


def why_not(units: Iterable[Unit], day: date) -> Code | None:
    """Why no unit of a line can be returned; `None` when one can."""
    reasons = [refusal(unit, day) for unit in units]
    return None if None in reasons else why_nothing(reason for reason in reasons if reason)
