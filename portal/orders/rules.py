"""Until when items of an order can be returned, and whether (part-1 §5, edge-cases 26-31)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from enum import StrEnum

from portal.kernel.days import local_day
from portal.vocabulary.deliveries import DeliveryStatus, handed_over


class Returning(StrEnum):
    """Whether items of an order can be returned, and why not."""

    OPEN = "open"
    NOT_SHIPPED = "not_shipped"
    OVER = "over"
    CANCELLED = "cancelled"


def return_until(shipped_at: datetime, days: int) -> date:
    """The last day on which a unit that was shipped at this moment can be returned within `days`."""
    return local_day(shipped_at) + timedelta(days=days)


def order_return_until(shipments: Iterable[datetime | None], days: int) -> date | None:
    """The last day on which any unit of an order can be returned; `None` while nothing was shipped.

    Args:
        shipments: when each part of the order was shipped; `None` for a part that was not.
        days: days after shipping.
    """
    shipped = [moment for moment in shipments if moment]
    return return_until(max(shipped), days) if shipped else None


def returning(status: DeliveryStatus | None, shipments: Collection[datetime | None], days: int, day: date) -> Returning:
    """Whether items of an order can be returned, as far as the order tells.

    Args:
        status: of the delivery.
        shipments: when each part of the order was shipped; `None` for a part that was not.
        days: days after shipping.
        day: today.
    """
    if status is DeliveryStatus.ORDER_CANCELLED:
        return Returning.CANCELLED
    last = order_return_until(shipments, days)
    if last is None:
        # Handed over, but without a shipping date: the return flow decides.
        return Returning.OPEN if handed_over(status) else Returning.NOT_SHIPPED
    return Returning.OPEN if day <= last or None in shipments else Returning.OVER
