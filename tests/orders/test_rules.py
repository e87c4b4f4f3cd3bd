"""Whether items of an order can be returned, as far as the order tells."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from portal.orders.rules import Returning, order_return_until, returning
from portal.vocabulary.deliveries import DeliveryStatus

SHIPPED = datetime(2026, 3, 1, 12, tzinfo=UTC)
_LAST = date(2026, 6, 9)


@pytest.mark.parametrize(
    ("status", "shipments", "day", "expected"),
    [
        (DeliveryStatus.ORDER_DELIVERED, [SHIPPED], _LAST, Returning.OPEN),
        (DeliveryStatus.ORDER_DELIVERED, [SHIPPED], date(2026, 6, 10), Returning.OVER),
        (DeliveryStatus.BACKORDER, [SHIPPED, None], date(2026, 6, 10), Returning.OPEN),
        (DeliveryStatus.ORDER_BEING_PROCESSED, [None], _LAST, Returning.NOT_SHIPPED),
        (DeliveryStatus.ORDER_DELIVERED, [], _LAST, Returning.OPEN),
        (None, [], _LAST, Returning.OPEN),
        (DeliveryStatus.ORDER_CANCELLED, [SHIPPED], _LAST, Returning.CANCELLED),
    ],
)
def test_an_order_says_whether_items_can_go_back(
    status: DeliveryStatus | None, shipments: list[datetime | None], day: date, expected: Returning
) -> None:
    assert returning(status, shipments, 100, day) is expected


def test_the_last_parcel_decides_until_when() -> None:
    later = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert order_return_until([SHIPPED, None, later], 100) == date(2026, 6, 13)
    assert order_return_until([None], 100) is None
