"""Rules for the next service of a bike, and for reduced prices."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.kernel.days import add_months
from portal.kernel.terms import FIRST_SERVICE_KM
from portal.vocabulary.services import JOBS, ServiceJob
from portal.work_orders.rules import Urgency, due, half_of

DAYS = st.dates(date(2015, 1, 1), date(2035, 12, 31))
MILEAGE = st.none() | st.integers(0, 60_000)
START = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("day", "mileage", "urgency", "by_distance"),
    [
        (date(2026, 2, 1), None, Urgency.LATER, False),
        (date(2026, 2, 1), 499, Urgency.LATER, False),
        (date(2026, 2, 1), 500, Urgency.NOW, True),
        (date(2026, 5, 31), None, Urgency.SOON, False),
        (date(2026, 6, 29), 499, Urgency.SOON, False),
        (date(2026, 6, 30), None, Urgency.NOW, False),
        (date(2027, 6, 30), 3000, Urgency.NOW, False),
    ],
)
def test_the_first_service_is_due_after_five_months_or_500_kilometres(
    day: date, mileage: int | None, urgency: Urgency, by_distance: bool
) -> None:
    found = due(START, 0, None, mileage, day)
    # Five months after 31 January is the last day of June.
    assert (found.job, found.day) == (ServiceJob.FIRST, date(2026, 6, 30))
    assert (found.urgency, found.by_distance) == (urgency, by_distance)


def test_after_the_first_it_is_yearly_whatever_the_kilometres() -> None:
    found = due(START, 1, date(2026, 6, 1), 9000, date(2026, 7, 1))
    assert (found.job, found.day, found.urgency) == (ServiceJob.SECOND, date(2027, 6, 1), Urgency.LATER)
    assert due(START, 3, date(2026, 6, 1), None, date(2027, 6, 1)).urgency is Urgency.NOW
    assert due(START, 9, date(2026, 6, 1), None, date(2026, 7, 1)).job is ServiceJob.FOURTH


@given(start=DAYS, done=st.integers(0, 12), ago=st.integers(0, 2000), mileage=MILEAGE, day=DAYS)
def test_the_day_follows_the_last_service_and_the_urgency_follows_the_day(
    start: date, done: int, ago: int, mileage: int | None, day: date
) -> None:
    last = day - timedelta(days=ago) if done else None
    found = due(start, done, last, mileage, day)
    assert found.job is JOBS[min(done, 3)]
    assert found.day == (add_months(last, 12) if last else add_months(start, 5))
    if found.by_distance:
        assert done == 0
        assert mileage is not None
        assert mileage >= FIRST_SERVICE_KM
        assert day < found.day
    assert (found.urgency is Urgency.NOW) == (day >= found.day or found.by_distance)


@given(start=DAYS, done=st.integers(0, 4), mileage=MILEAGE, day=DAYS, further=st.integers(0, 400))
def test_waiting_never_makes_a_service_less_urgent(
    start: date, done: int, mileage: int | None, day: date, further: int
) -> None:
    order = list(Urgency)
    last = start if done else None
    now = due(start, done, last, mileage, day)
    then = due(start, done, last, mileage, day + timedelta(days=further))
    assert order.index(then.urgency) >= order.index(now.urgency)


def test_half_a_price_is_rounded_half_up() -> None:
    assert half_of(Decimal("150.01")) == Decimal("75.01")
