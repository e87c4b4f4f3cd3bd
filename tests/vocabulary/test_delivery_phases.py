"""Fourteen delivery statuses are told as one road of five phases."""

from __future__ import annotations

from portal.vocabulary.deliveries import (
    FINISHED,
    FINISHED_DELIVERY,
    PHASES,
    STUCK,
    DeliveryEnd,
    DeliveryStatus,
    end,
    phase,
)

WITHOUT_PHASE = {DeliveryStatus.ORDER_CANCELLED, DeliveryStatus.ORDER_REFUSED_AT_DOOR, DeliveryStatus.UNKNOWN}


def test_the_phase_never_goes_backwards() -> None:
    planned = [
        None,
        DeliveryStatus.BACKORDER,
        DeliveryStatus.IN_STOCK,
        DeliveryStatus.ORDER_BEING_PROCESSED,
        DeliveryStatus.ORDER_ASSEMBLED,
        DeliveryStatus.READY_FOR_TRANSPORT,
        DeliveryStatus.HANDOVER_TO_PARCEL_SERVICE,
        DeliveryStatus.DRIVER_ON_THE_WAY,
        DeliveryStatus.ORDER_DELIVERED,
    ]
    places = [phase(status) or 0 for status in planned]
    assert places == sorted(places)
    assert places[0] == 0
    assert places[-1] == len(PHASES[DeliveryEnd.DELIVERY])


def test_only_what_arrived_is_finished() -> None:
    arrived = {status for status in DeliveryStatus if phase(status) == FINISHED}
    assert arrived == FINISHED_DELIVERY - WITHOUT_PHASE


def test_what_did_not_arrive_as_planned_is_explained() -> None:
    assert set(STUCK) >= {
        DeliveryStatus.ORDER_NOT_DELIVERED,
        DeliveryStatus.CUSTOMER_NOT_AT_HOME,
        DeliveryStatus.ORDER_REFUSED_AT_DOOR,
        DeliveryStatus.ORDER_CANCELLED,
    }


def test_an_order_for_the_store_ends_there() -> None:
    assert end(DeliveryStatus.ORDER_READY_FOR_PICKUP) is DeliveryEnd.PICKUP
    assert end(DeliveryStatus.ORDER_PICKED_UP) is DeliveryEnd.PICKUP
    assert end(DeliveryStatus.DRIVER_ON_THE_WAY) is DeliveryEnd.DELIVERY
    assert {len(names) for names in PHASES.values()} == {FINISHED}
