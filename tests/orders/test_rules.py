"""Whether items of an order can be returned, as far as the order tells."""

from datetime import UTC, date, datetime, timedelta

import pytest

from portal.orders.rules import Returning, ShippingTimes, journey, journeys, order_return_until, returning
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
    assert returning(status, [ShippingTimes(shipped) for shipped in shipments], 100, day) is expected


def test_the_last_parcel_decides_until_when() -> None:
    later = datetime(2026, 3, 5, 12, tzinfo=UTC)
    assert order_return_until([SHIPPED, None, later], 100) == date(2026, 6, 13)
    assert order_return_until([None], 100) is None


ORDERED, SENT = SHIPPED - timedelta(days=3), ShippingTimes(SHIPPED)
MONTH = timedelta(days=30)


@pytest.mark.parametrize(
    ("status", "known", "now", "expected"),
    [
        (DeliveryStatus.ORDER_DELIVERED, ShippingTimes(SHIPPED, SHIPPED), SHIPPED, ShippingTimes(SHIPPED, SHIPPED)),
        # Delivered, but nobody said when: a month after the order at the latest.
        (DeliveryStatus.ORDER_DELIVERED, ShippingTimes(), SHIPPED, ShippingTimes(SHIPPED, SHIPPED)),
        (
            DeliveryStatus.ORDER_DELIVERED,
            ShippingTimes(),
            SHIPPED + MONTH,
            ShippingTimes(ORDERED + MONTH, ORDERED + MONTH),
        ),
        # Sent, but nobody said that it arrived.
        (DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE, SENT, SHIPPED + timedelta(days=29), SENT),
        (DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE, SENT, SHIPPED + MONTH, ShippingTimes(SHIPPED, SHIPPED + MONTH)),
        (DeliveryStatus.ORDER_BEING_PROCESSED, SENT, SHIPPED + MONTH, ShippingTimes(SHIPPED, SHIPPED + MONTH)),
        # Known not to have arrived, or not to have left.
        (DeliveryStatus.ORDER_NOT_DELIVERED, SENT, SHIPPED + MONTH, SENT),
        (DeliveryStatus.ORDER_BEING_PROCESSED, ShippingTimes(), SHIPPED + MONTH, ShippingTimes()),
    ],
)
def test_what_nobody_said_to_have_arrived_has_after_a_month(
    status: DeliveryStatus, known: ShippingTimes, now: datetime, expected: ShippingTimes
) -> None:
    assert journey(status, ORDERED, known, now) == expected


def test_an_order_that_arrived_was_sent_even_without_parcels() -> None:
    now = ORDERED + timedelta(days=700)
    (part,) = journeys(DeliveryStatus.ORDER_DELIVERED, ORDERED, (), now)
    assert returning(DeliveryStatus.ORDER_DELIVERED, [part], 100, now.date()) is Returning.OVER
    assert journeys(DeliveryStatus.ORDER_BEING_PROCESSED, ORDERED, (), now) == []


def test_of_a_refunded_order_nothing_can_go_back() -> None:
    assert returning(DeliveryStatus.ORDER_DELIVERED, [SENT], 100, _LAST, refunded=True) is Returning.REFUNDED
