"""Until when items of an order can be returned, and whether (part-1 §5, edge-cases 26-31)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from portal.kernel.days import local_day
from portal.vocabulary.deliveries import ARRIVED, UNHEARD, DeliveryStatus, handed_over

MAX_DELIVERY = timedelta(days=30)
"""After which what was ordered or sent counts as delivered, where nobody says when it was (2011/83, article 18)."""

MAX_WITHDRAWAL = timedelta(days=365)
"""After the order, for what has not been delivered. No right is without an end."""


class ShippingTimes(NamedTuple):
    """When a part of an order was shipped and delivered; `None` for what has not happened."""

    shipped_at: datetime | None = None
    delivered_at: datetime | None = None


def contents_known(
    parcels: Collection[int], contents: Mapping[int, Mapping[int, int]]
) -> Mapping[int, Mapping[int, int]]:
    """The contents of each parcel, by line; empty if those of one are unknown, as another may be credited with them.

    Where the units of a line are in several parcels without numbers, each of these parcels counts as one unit.
    """
    if not all(parcel in contents for parcel in parcels):
        return {}
    spread = {line for inside in contents.values() for line, quantity in inside.items() if quantity == 0}
    return {
        parcel: {line: 1 if line in spread else quantity for line, quantity in inside.items()}
        for parcel, inside in contents.items()
    }


class Returning(StrEnum):
    """Whether items of an order can be returned, and why not."""

    OPEN = "open"
    NOT_SHIPPED = "not_shipped"
    OVER = "over"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"


def unit_price(quantity: int, rounded: Decimal, price: Decimal) -> Decimal | None:
    """The price of a unit, as it can be shown; None if it was rounded, so that the units are not worth the price."""
    return rounded if rounded * quantity == price else None


def return_until(shipped_at: datetime, days: int) -> date:
    """The last day on which a unit that was shipped at this moment can be returned within `days`."""
    return local_day(shipped_at) + timedelta(days=days)


def order_return_until(shipments: Iterable[datetime | None], days: int) -> date | None:
    """The last day on which any unit of an order can be returned; `None` while nothing was shipped.

    `shipments`: when each part of the order was shipped; `None` for a part that was not.
    """
    shipped = [moment for moment in shipments if moment]
    return return_until(max(shipped), days) if shipped else None


def journey(status: DeliveryStatus | None, ordered_at: datetime, known: ShippingTimes, now: datetime) -> ShippingTimes:
    """When a part of an order was shipped and delivered, as far as that is known or has to be assumed.

    `status`: of the part, or of its order.
    """
    shipped_at, delivered_at = known
    if delivered_at is None and (status in ARRIVED or (shipped_at and status in UNHEARD)):
        latest = (shipped_at or ordered_at) + MAX_DELIVERY
        if status in ARRIVED or latest <= now:
            delivered_at = min(latest, now)
    return ShippingTimes(shipped_at or delivered_at, delivered_at)


def journeys(
    status: DeliveryStatus | None,
    ordered_at: datetime,
    parts: Iterable[tuple[DeliveryStatus | None, ShippingTimes]],
    now: datetime,
) -> list[ShippingTimes]:
    """The journey of each part of an order; a part without a status has that of the order.

    An order that has arrived was sent, even if nothing is known of its parcels.
    """
    found = [journey(own or status, ordered_at, known, now) for own, known in parts]
    return found or ([journey(status, ordered_at, ShippingTimes(), now)] if status in ARRIVED else [])


def returning(
    status: DeliveryStatus | None, parts: Collection[ShippingTimes], days: int, day: date, *, refunded: bool = False
) -> Returning:
    """Whether items of an order can be returned, as far as the order tells.

    `refunded`: whether all that was paid was refunded.
    """
    if status is DeliveryStatus.ORDER_CANCELLED:
        return Returning.CANCELLED
    if refunded:
        return Returning.REFUNDED
    shipments = [part.shipped_at for part in parts]
    last = order_return_until(shipments, days)
    if last is None:
        # Handed over, but without a shipping date: the return flow decides.
        return Returning.OPEN if handed_over(status) else Returning.NOT_SHIPPED
    return Returning.OPEN if day <= last or None in shipments else Returning.OVER


def withdrawal_until(deliveries: Iterable[datetime | None], days: int) -> date | None:
    """The last day of the right of withdrawal.

    `deliveries`: when each part of the order was delivered; `None` for a part that has not arrived.
    Returns so many days after the last part arrived; `None` while a part has not arrived, or when there are no parts.
    """
    moments = list(deliveries)
    if not moments or any(moment is None for moment in moments):
        return None
    return max(local_day(moment) for moment in moments if moment) + timedelta(days=days)


def can_withdraw(until: date | None, ordered_at: datetime, day: date) -> bool:
    """Whether a customer can withdraw on a day.

    `until`: the result of `withdrawal_until`.
    """
    return day <= (until or local_day(ordered_at) + MAX_WITHDRAWAL)
