"""Units: what was sold, shipped and returned, one by one, and until when (edge-cases 26-31).

Units are counted, never lines: of five locks of which two went back, three can be returned. A unit belongs to the
shipment it left with, so each has its own last day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.terms import RETURN_DAYS, WITHDRAWAL_DAYS
from portal.returns.rules.settlement import Worth


def return_until(shipped_at: datetime) -> date:
    """The last day on which what was shipped then can be returned."""
    return local_day(shipped_at) + timedelta(days=RETURN_DAYS)


def order_return_until(shipments: Iterable[datetime | None]) -> date | None:
    """The last day on which anything of an order can be returned; none while nothing of it was shipped.

    Args:
        shipments: when each part of the order was shipped; none for what was not.
    """
    shipped = [moment for moment in shipments if moment]
    return return_until(max(shipped)) if shipped else None


def withdrawal_until(deliveries: Iterable[datetime | None]) -> date | None:
    """The last day of the right of withdrawal.

    Args:
        deliveries: when each part of the order was delivered; none for what has not arrived.

    Returns:
        14 days after the last part arrived; none while something is still to come, or nothing was ever sent.
    """
    moments = list(deliveries)
    if not moments or any(moment is None for moment in moments):
        return None
    return max(local_day(moment) for moment in moments if moment) + timedelta(days=WITHDRAWAL_DAYS)


def can_withdraw(until: date | None, day: date) -> bool:
    """Whether a customer can withdraw on a day; `until` as `withdrawal_until` says it."""
    return until is None or day <= until


class Hold(StrEnum):
    """Who has a unit. Rejected, cancelled and expired returns give theirs back: then it is free again."""

    FREE = "free"
    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Parcel:
    """So many units of a line that left, or are going to leave, together."""

    quantity: int
    shipped_at: datetime | None
    delivered_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that was sold.

    Attributes:
        number: within its line, from 1; the database knows it by that.
        worth: what comes back for it.
        shipped_at, delivered_at: none while that has not happened.
    """

    number: int
    worth: Worth
    shipped_at: datetime | None
    delivered_at: datetime | None
    hold: Hold


class Unclear(Exception):
    """More was shipped of a line than was sold: nobody can tell which units there are (`multiple_entries`)."""


def units_of(worths: Sequence[Worth], parcels: Iterable[Parcel], holds: dict[int, Hold]) -> list[Unit]:
    """The units of a line.

    Args:
        worths: of each unit that was sold.
        parcels: what was shipped of this line. The first parcels hold the first units; the rest is not shipped.
        holds: of the units that are in a return, by number.

    Raises:
        Unclear: the parcels hold more than was sold.
    """
    moments: list[Parcel] = []
    for parcel in sorted(parcels, key=lambda parcel: (parcel.shipped_at is None, parcel.shipped_at or datetime.max)):
        moments += [parcel] * max(0, parcel.quantity)
    if len(moments) > len(worths):
        raise Unclear
    moments += [Parcel(1, None)] * (len(worths) - len(moments))
    return [
        Unit(number, worth, parcel.shipped_at, parcel.delivered_at, holds.get(number, Hold.FREE))
        for number, (worth, parcel) in enumerate(zip(worths, moments, strict=True), 1)
    ]


def refusal(unit: Unit, day: date) -> Code | None:
    """Why a unit cannot be returned on a day; none when it can."""
    if unit.hold is Hold.OPEN:
        return Code.RETURN_REQUEST_EXISTS
    if unit.hold is Hold.DONE:
        return Code.ALREADY_RETURNED
    if unit.shipped_at is None:
        return Code.ORDER_NOT_SHIPPED
    return Code.OLDER_THAN_100_DAYS if day > return_until(unit.shipped_at) else None


def returnable(units: Iterable[Unit], day: date) -> list[Unit]:
    """The units that can be returned, those first whose time runs out first."""
    free = [unit for unit in units if refusal(unit, day) is None]
    return sorted(free, key=lambda unit: (unit.shipped_at is None, unit.shipped_at, unit.number))


def withdrawable(units: Iterable[Unit]) -> list[Unit]:
    """The units that a withdrawal can be about, when it is in time: all that no return holds or has finished."""
    return [unit for unit in units if unit.hold is Hold.FREE]


_COUNTED_FIRST = (
    Code.RETURN_REQUEST_EXISTS,
    Code.ORDER_NOT_SHIPPED,
    Code.OLDER_THAN_100_DAYS,
    Code.ALREADY_RETURNED,
    Code.MULTIPLE_ENTRIES,
)


def why_nothing(refusals: Iterable[Code]) -> Code:
    """The one reason to tell when nothing of several can be returned: one that leaves something to do comes first."""
    found = set(refusals)
    return next((code for code in _COUNTED_FIRST if code in found), Code.NOTHING_FOUND)


def why_not(units: Iterable[Unit], day: date) -> Code | None:
    """Why nothing of a line can be returned; none when something can."""
    reasons = [refusal(unit, day) for unit in units]
    return None if None in reasons else why_nothing(reason for reason in reasons if reason)
