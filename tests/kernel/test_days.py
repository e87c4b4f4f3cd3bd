"""Customer service is open when it says so, in Dutch time, in both variants."""

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.kernel.days import (
    AMSTERDAM,
    OpeningDay,
    changes_at,
    clock,
    closed_soon,
    is_holiday,
    never,
    opening_state,
    read,
    whole_months,
    write,
)
from portal.setting_groups import ServiceHours, Variant

HOURS = ServiceHours()


def at(text: str) -> datetime:
    """A moment in Dutch time."""
    return datetime.fromisoformat(text).replace(tzinfo=AMSTERDAM)


NOON = at("2026-06-01T12:00")


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
    found = opening_state(HOURS.of(variant), at(moment))
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
    found = opening_state(HOURS.of(variant), at(moment))
    assert not found.open
    assert found.day is not None
    assert (found.day.isoformat(), found.at) == (day, time.fromisoformat(opens))


def test_the_hours_are_those_of_the_netherlands_in_summer_and_winter() -> None:
    assert opening_state(HOURS.mijn, datetime(2026, 6, 1, 7, 0, tzinfo=UTC)).open
    assert not opening_state(HOURS.mijn, datetime(2026, 12, 1, 7, 59, tzinfo=UTC)).open


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-12-25T12:00", "2026-12-27"),  # Christmas, both days; then a Sunday
        ("2026-12-31T21:00", "2027-01-02"),
        ("2026-04-27T10:00", "2026-04-28"),  # the King's birthday
    ],
)
def test_on_public_holidays_nobody_is_there_where_the_shop_says_so(moment: str, day: str) -> None:
    found = opening_state(HOURS.mijn, at(moment), is_holiday)
    assert not found.open
    assert found.day is not None
    assert found.day.isoformat() == day
    assert opening_state(HOURS.mijn, at("2026-12-25T12:00")).open, "elsewhere the hours of the week count"
    assert closed_soon(is_holiday, date(2026, 12, 23)) == [date(2026, 12, 25), date(2026, 12, 26)]
    assert closed_soon(never, date(2026, 12, 23)) == []


def test_what_never_opens_says_no_day() -> None:
    for found in (opening_state((), at("2026-06-01T12:00")), opening_state(HOURS.mijn, NOON, lambda _day: True)):
        assert (found.open, found.day, found.at) == (False, None, None)


@pytest.mark.parametrize(
    ("moment", "again"),
    [
        ("2026-06-01T12:00", "2026-06-01T20:00"),  # open
        ("2026-06-01T08:00", "2026-06-01T09:00"),  # opens today
        ("2026-06-01T21:00", "2026-06-02T00:00"),  # opens tomorrow
        ("2026-10-24T21:00", "2026-10-25T00:00"),  # the night of the clocks
    ],
)
def test_it_is_known_when_to_look_again(moment: str, again: str) -> None:
    found = opening_state(HOURS.mijn, at(moment))
    assert changes_at(found, at(moment)) == at(again)


_TIMES = st.tuples(st.integers(0, 23), st.integers(1, 24)).filter(lambda hours: hours[0] < hours[1])


@given(st.dictionaries(st.integers(1, 7), _TIMES))
def test_opening_hours_are_read_as_they_were_written(week: dict[int, tuple[int, int]]) -> None:
    days = [OpeningDay(day, f"{opens:02}:00", f"{closes:02}:00") for day, (opens, closes) in sorted(week.items())]
    assert read(write(days)) == days


def test_days_with_the_same_hours_are_written_together() -> None:
    text = "Mo-Fr 09:00-18:00, Sa 10:00-17:00"
    assert write(read(text)) == text
    assert write(read("Mo 09:00-18:00, We 09:00-18:00")) == "Mo 09:00-18:00, We 09:00-18:00"


@pytest.mark.parametrize(
    ("typed", "time"), [("9", "09:00"), (" 9:30", "09:30"), ("17.30", "17:30"), ("0930", "09:30"), ("24", "24:00")]
)
def test_a_time_is_read_as_people_type_it(typed: str, time: str) -> None:
    assert clock(typed) == time


@pytest.mark.parametrize("typed", ["", "25", "24:01", "9:60", "nine", "-9", "9:5", "٩"])
def test_other_texts_are_no_times(typed: str) -> None:
    with pytest.raises(ValueError, match="no time of the day"):
        clock(typed)


@pytest.mark.parametrize(
    ("since", "until", "months"),
    [
        ("2026-01-31", "2026-02-28", 0),
        ("2026-01-28", "2026-02-28", 1),
        ("2025-11-29", "2026-11-28", 11),
        ("2025-11-28", "2026-11-28", 12),
        ("2026-11-28", "2026-11-28", 0),
        ("2026-12-01", "2026-11-28", 0),
    ],
)
def test_months_are_counted_once_they_are_whole(since: str, until: str, months: int) -> None:
    assert whole_months(date.fromisoformat(since), date.fromisoformat(until)) == months


@pytest.mark.parametrize(
    "text",
    ["Fr-Mo 09:00-18:00", "Mo 18:00-09:00", "Mo 09:00-09:00", "Mo 9-18", "Mo 09:00-18:00, Mo 19:00-20:00", "always",
     "Mo 09:00-25:00"],
)  # fmt: skip
def test_invalid_opening_hours_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"hours|twice"):
        read(text)
