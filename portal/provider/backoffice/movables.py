"""Everything that the back office can move: a line each."""

from __future__ import annotations

from portal.provider.backoffice import date_changes, deliveries, insurances, returns, work_orders
from portal.provider.backoffice.moves import Movable

MOVABLES: tuple[Movable, ...] = (
    work_orders.WORK_ORDER,
    returns.RETURN,
    deliveries.DELIVERY,
    date_changes.DATE_CHANGE,
    insurances.INSURANCE,
)
