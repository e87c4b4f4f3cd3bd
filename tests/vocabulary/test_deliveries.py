"""Rules of deliveries and date changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.kernel.texts import catalogue
from portal.vocabulary.deliveries import (
    DATE_CHANGE_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_CHANGES,
    DELIVERIES,
    DELIVERY_LABELS,
    DELIVERY_MEANINGS,
    DateChangeStatus,
    DeliveryStatus,
    combined_status,
    current_status,
    handed_over,
)
from portal.vocabulary.insurance import COVER_TEXTS, INSURANCE_LABELS, INSURANCE_MEANINGS, Cover, InsuranceStatus

KNOWN = [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN]
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_every_status_is_on_the_graph_but_the_unknown_one() -> None:
    assert DELIVERIES.statuses == set(KNOWN)


@pytest.mark.parametrize(
    "text", [*DELIVERY_LABELS.values(), *DELIVERY_MEANINGS.values(), *DATE_CHANGE_MEANINGS.values()]
)
def test_every_status_has_a_dutch_text(text: str) -> None:
    assert catalogue("nl").gettext(text) != text


def test_every_status_has_a_label_and_a_meaning() -> None:
    assert set(DELIVERY_MEANINGS) == set(DELIVERY_LABELS) == set(DeliveryStatus)
    assert set(DATE_CHANGE_LABELS) == set(DATE_CHANGE_MEANINGS) == set(DateChangeStatus)
    assert set(INSURANCE_LABELS) == set(INSURANCE_MEANINGS) == set(InsuranceStatus)
    assert set(COVER_TEXTS) == set(Cover)


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
