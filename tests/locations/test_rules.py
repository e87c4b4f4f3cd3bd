"""Rules of locations: distance, order, labels, costs."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from haversine import inverse_haversine
from hypothesis import given
from hypothesis import strategies as st

from portal.locations.rules import locations
from portal.locations.rules.locations import DISTANCES, NearbyLocation, Workshop, within
from portal.vocabulary.locations import TYPES, Handover, LocationLabel, LocationOrder, LocationType

DAY = date(2026, 5, 1)
UTRECHT = (52.0907, 5.1214)
DAYS = st.dates(date(2026, 1, 1), date(2026, 12, 31))


@st.composite
def workshops(draw: st.DrawFn) -> Workshop:
    first = draw(st.none() | DAYS)
    return Workshop(
        key=draw(st.integers(1, 10_000)),
        name="",
        location_type=draw(st.sampled_from(TYPES)),
        point=(draw(st.floats(49.5, 53.5)), draw(st.floats(2.5, 7.2))),
        recommended=draw(st.booleans()),
        waiting_weeks=draw(st.integers(0, 12)),
        rating=draw(st.none() | st.decimals(0, 10, places=1)),
        vacation_from=first,
        vacation_until=first and first + timedelta(days=draw(st.integers(0, 30))),
    )


def workshop(key: int = 1, north: float = 0, kind: LocationType = LocationType.PARTNER, **facts: Any) -> Workshop:
    """Make a workshop `north` kilometres north of Utrecht."""
    return Workshop(key, "", kind, (UTRECHT[0] + north / locations.KM_PER_DEGREE, UTRECHT[1]), **facts)


def order_of(*entries: Workshop, order: LocationOrder = LocationOrder.RECOMMENDED) -> list[int]:
    return [found.workshop.key for found in locations.ranked(within(entries, UTRECHT, 500), order, DAY)]


def test_recommended_locations_come_first_then_the_nearest() -> None:
    assert order_of(workshop(1, 3), workshop(2, 1), workshop(3, 9, recommended=True)) == [3, 2, 1]


def test_a_location_on_vacation_comes_last() -> None:
    away = workshop(1, 0.1, recommended=True, vacation_from=DAY, vacation_until=DAY)
    assert order_of(away, workshop(2, 20)) == [2, 1]
    back = workshop(1, 0.1, vacation_from=DAY - timedelta(9), vacation_until=DAY - timedelta(1))
    assert order_of(back, workshop(2, 20)) == [1, 2]


def test_the_customer_chooses_another_order() -> None:
    entries = (
        workshop(1, 1, waiting_weeks=4, rating=Decimal("7.1")),
        workshop(2, 2, waiting_weeks=0),
        workshop(3, 3, waiting_weeks=2, rating=Decimal("9.4"), recommended=True),
    )
    assert order_of(*entries, order=LocationOrder.DISTANCE) == [1, 2, 3]
    assert order_of(*entries, order=LocationOrder.WAITING_TIME) == [2, 3, 1]
    assert order_of(*entries, order=LocationOrder.RATING) == [3, 1, 2], "without ratings last"


@given(st.lists(workshops(), max_size=30), st.sampled_from(LocationOrder), st.floats(0, 200), DAYS)
def test_every_order_has_all_locations_with_those_on_vacation_last(
    entries: list[Workshop], order: LocationOrder, distance: float, day: date
) -> None:
    near = within(entries, UTRECHT, distance)
    ranked = locations.ranked(near, order, day)
    assert sorted(map(id, ranked)) == sorted(map(id, near))
    closed = [locations.on_vacation(found.workshop, day) for found in ranked]
    assert closed == sorted(closed)
    if order is LocationOrder.DISTANCE:
        open_ones = [found.distance_km for found in ranked if not locations.on_vacation(found.workshop, day)]
        assert open_ones == sorted(open_ones)
    assert sum(locations.counted(near).values()) == len(near)


@given(st.floats(50, 70), st.floats(2, 25), st.floats(0.5, 200), st.floats(0, 1), st.floats(0, 360))
def test_the_bounding_box_contains_the_whole_circle(
    latitude: float, longitude: float, distance: float, part: float, degrees: float
) -> None:
    point = inverse_haversine((latitude, longitude), distance * part, degrees * 3.141592653589793 / 180)
    area = locations.box((latitude, longitude), distance)
    assert area.south <= point[0] <= area.north
    assert area.west <= point[1] <= area.east


@given(st.floats(0, 150), st.integers(1, 100))
def test_the_wider_distance_is_the_first_on_offer_that_finds_something(far: float, searched: int) -> None:
    choice = locations.wider([NearbyLocation(workshop(), far)], searched)
    fitting = [distance for distance in DISTANCES if distance > searched and distance >= far]
    assert choice == (fitting[0] if fitting else None)
    assert locations.wider([], searched) is None


def test_pick_up_costs_60_euro_and_is_offered_at_own_shops_only() -> None:
    assert locations.handovers(LocationType.OWN_STORE, None) == {Handover.BRING: None, Handover.PICK_UP: Decimal(60)}
    assert locations.handovers(LocationType.PICK_UP, None) == {Handover.PICK_UP: Decimal(60)}
    for kind in (LocationType.PREMIUM_PARTNER, LocationType.PARTNER, LocationType.UNKNOWN):
        for travel_cost in (None, Decimal("35.00")):
            assert Handover.PICK_UP not in locations.handovers(kind, travel_cost)


def test_a_partner_comes_to_the_customer_for_its_call_out_fee() -> None:
    fee = Decimal("35.00")
    assert locations.handovers(LocationType.PARTNER, fee) == {Handover.BRING: None, Handover.CALL_OUT: fee}
    assert locations.handovers(LocationType.PARTNER, None) == {Handover.BRING: None}


def test_labels_are_vacation_recommended_and_premium() -> None:
    week = {"vacation_from": DAY, "vacation_until": DAY + timedelta(7)}
    premium = replace(workshop(kind=LocationType.PREMIUM_PARTNER, recommended=True), **week)
    assert locations.labels(premium, DAY) == [
        LocationLabel.ON_VACATION, LocationLabel.RECOMMENDED, LocationLabel.PREMIUM
    ]  # fmt: skip
    assert locations.labels(premium, DAY + timedelta(8)) == [LocationLabel.RECOMMENDED, LocationLabel.PREMIUM]
    assert locations.labels(workshop(), DAY) == []


@pytest.mark.parametrize(
    ("days", "away", "ahead"), [(-8, False, True), (0, True, True), (7, True, True), (8, False, False)]
)
def test_a_vacation_includes_its_first_and_last_day(days: int, away: bool, ahead: bool) -> None:
    entry = workshop(vacation_from=DAY, vacation_until=DAY + timedelta(7))
    assert locations.on_vacation(entry, DAY + timedelta(days)) is away
    assert locations.vacation_ahead(entry, DAY + timedelta(days)) is ahead


def test_waiting_times_are_ranges_of_one_week() -> None:
    assert [locations.waiting_weeks_range(weeks) for weeks in (0, 1, 12)] == [(0, 1), (1, 2), (12, 13)]
    assert locations.waiting_weeks_range(40) == (12, 13)
    assert locations.waiting_weeks_range(-1) == (0, 1)
