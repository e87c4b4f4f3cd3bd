"""The days on which the van can come."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from portal.deliveries import rules as delivery_options
from portal.kernel.address import PICKUP_COUNTRIES, Country
from portal.kernel.days import AMSTERDAM


def at(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=AMSTERDAM).astimezone(UTC)


def test_a_question_before_the_cut_off_gets_the_day_after_the_next_working_day() -> None:
    tuesday = date(2026, 6, 9)
    assert delivery_options.first_day(at(tuesday, 15, 59), Country.NL) == date(2026, 6, 11)
    assert delivery_options.first_day(at(tuesday, 16), Country.NL) == date(2026, 6, 12)


def test_sundays_and_holidays_of_the_country_are_left_out() -> None:
    # 24 December 2026 is a Thursday. The 26th is a public holiday in the Netherlands but not in Belgium.
    asked = at(date(2026, 12, 23), 10)
    assert delivery_options.first_day(asked, Country.NL) == date(2026, 12, 28)
    assert date(2026, 12, 26) in delivery_options.days(asked, Country.BE)
    assert date(2026, 12, 27) not in delivery_options.days(asked, Country.BE)


def test_a_day_that_was_offered_is_gone_after_the_cut_off() -> None:
    tuesday = date(2026, 6, 9)
    day = delivery_options.first_day(at(tuesday, 12), Country.NL)
    assert delivery_options.can_be_had(day, at(tuesday, 15), Country.NL)
    assert not delivery_options.can_be_had(day, at(tuesday, 17), Country.NL)


def test_weeks_across_the_change_of_the_clock_have_every_day_once() -> None:
    offered = delivery_options.days(at(date(2026, 10, 20), 9), Country.NL)
    weeks = delivery_options.weeks(offered)
    assert [day for week in weeks for day in week.days] == offered
    assert len(set(offered)) == len(offered)
    assert all(week.first <= day < week.first + timedelta(days=7) for week in weeks for day in week.days)


@given(
    st.datetimes(datetime(2024, 1, 1), datetime(2032, 12, 31), timezones=st.just(UTC)),
    st.sampled_from(PICKUP_COUNTRIES),
)
def test_every_offered_day_is_a_working_day_at_least_two_days_ahead(now: datetime, country: Country) -> None:
    offered = delivery_options.days(now, country)
    assert len(offered) == delivery_options.OFFERED_DAYS
    assert offered == sorted(set(offered))
    assert all(delivery_options.is_working_day(day, country) for day in offered)
    assert offered[0] >= now.astimezone(AMSTERDAM).date() + timedelta(days=2)
