"""Customer service is open when it says so, in Dutch time, in both variants."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from portal.domain.dates import AMSTERDAM
from portal.domain.hours import standing
from portal.settings import Variant


def at(text: str) -> datetime:
    """A moment in Dutch time."""
    return datetime.fromisoformat(text).replace(tzinfo=AMSTERDAM)


@pytest.mark.parametrize(
    ("variant", "moment", "until"),
    [
        (Variant.MIJN, "2026-06-01T09:00", "20:00"),  # Monday
        (Variant.MIJN, "2026-06-06T19:59", "20:00"),  # Saturday
        (Variant.MIJN, "2026-06-07T10:00", "17:00"),  # Sunday
        (Variant.RETOUREN, "2026-06-06T17:59", "18:00"),
    ],
)
def test_it_says_until_when_it_is_open(variant: Variant, moment: str, until: str) -> None:
    found = standing(variant.hours, at(moment))
    assert found.open
    assert found.at == time.fromisoformat(until)


@pytest.mark.parametrize(
    ("variant", "moment", "day", "opens"),
    [
        (Variant.MIJN, "2026-06-01T08:59", "2026-06-01", "09:00"),
        (Variant.MIJN, "2026-06-01T20:00", "2026-06-02", "09:00"),
        (Variant.MIJN, "2026-06-06T20:30", "2026-06-07", "10:00"),
        (Variant.RETOUREN, "2026-06-06T18:00", "2026-06-08", "09:00"),  # no Sunday
        (Variant.RETOUREN, "2026-06-07T12:00", "2026-06-08", "09:00"),
    ],
)
def test_it_says_when_it_opens_again(variant: Variant, moment: str, day: str, opens: str) -> None:
    found = standing(variant.hours, at(moment))
    assert not found.open
    assert found.day is not None
    assert (found.day.isoformat(), found.at) == (day, time.fromisoformat(opens))


def test_the_hours_are_those_of_the_netherlands_in_summer_and_winter() -> None:
    assert standing(Variant.MIJN.hours, datetime(2026, 6, 1, 7, 0, tzinfo=UTC)).open
    assert not standing(Variant.MIJN.hours, datetime(2026, 12, 1, 7, 59, tzinfo=UTC)).open


def test_what_never_opens_says_no_day() -> None:
    found = standing((), at("2026-06-01T12:00"))
    assert (found.open, found.day, found.at) == (False, None, None)
