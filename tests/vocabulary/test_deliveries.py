"""Rules of deliveries and date changes."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.vocabulary.deliveries import (
    DATE_CHANGES,
    DELIVERIES,
    DELIVERY_STATUSES,
    FINISHED,
    FINISHED_DELIVERY,
    PHASES,
    DateChangeStatus,
    DeliveryEnd,
    DeliveryStatus,
    combined_status,
    current_status,
    end,
    handed_over,
    phase,
)

KNOWN = [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN]
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_what_is_with_the_carrier_never_comes_back_to_before_without_a_failed_try() -> None:
    for status in KNOWN:
        if handed_over(status):
            back = {target for target in DELIVERIES.following(status) if not handed_over(target)}
            assert back <= {DeliveryStatus.READY_FOR_TRANSPORT}


@given(st.lists(st.sampled_from(KNOWN), max_size=5))
def test_an_order_is_as_far_as_one_of_its_parts(parts: list[DeliveryStatus]) -> None:
    found = combined_status(parts)
    assert (found is None) == (not parts)
    assert found is None or found in parts
    if found is DeliveryStatus.ORDER_DELIVERED:
        assert not set(parts) - {
            DeliveryStatus.ORDER_DELIVERED,
            DeliveryStatus.ORDER_CANCELLED,
            DeliveryStatus.ORDER_REFUSED_AT_DOOR,
        }


@pytest.mark.parametrize("status", [status for status in DateChangeStatus if status is not DateChangeStatus.UNKNOWN])
def test_only_what_waits_for_the_customer_expires(status: DateChangeStatus) -> None:
    late = current_status(status, NOW, NOW)
    waits = status is DateChangeStatus.WAITING_FOR_CUSTOMER
    assert late is (DateChangeStatus.EXPIRED if waits else status)
    assert current_status(status, NOW + timedelta(seconds=1), NOW) is status
    assert status in DATE_CHANGES.statuses


def test_parts_of_an_order_are_as_far_as_the_table_puts_them() -> None:
    phases = [row.phase for row in DELIVERY_STATUSES.values() if row.phase]
    assert phases == sorted(phases)
    order = list(DELIVERY_STATUSES)
    assert combined_status(order[:-1]) is order[0]
    assert combined_status([DeliveryStatus.ORDER_CANCELLED, order[-2]]) is order[-2]


def test_only_what_arrived_is_finished_at_the_door_or_in_the_store() -> None:
    arrived = {status for status in DeliveryStatus if phase(status) == FINISHED}
    assert arrived == FINISHED_DELIVERY - {DeliveryStatus.ORDER_CANCELLED, DeliveryStatus.ORDER_REFUSED_AT_DOOR}
    assert end(DeliveryStatus.ORDER_READY_FOR_PICKUP) is DeliveryEnd.PICKUP
    assert end(DeliveryStatus.ORDER_PICKED_UP) is DeliveryEnd.PICKUP
    assert end(DeliveryStatus.DRIVER_ON_THE_WAY) is DeliveryEnd.DELIVERY
    assert {len(names) for names in PHASES.values()} == {FINISHED}
