"""Until when something can be returned or withdrawn from (part-2 §5, §9, §11)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from portal.domain.dates import local_day
from portal.domain.terms import RETURN_DAYS, WITHDRAWAL_DAYS


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
