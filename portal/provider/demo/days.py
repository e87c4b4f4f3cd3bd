"""Days counted from today, so that the demonstration never ages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import holidays

from portal.domain.countries import Country
from portal.domain.dates import AMSTERDAM


@dataclass(frozen=True, slots=True)
class Days:
    """Today in Europe/Amsterdam, and what lies around it."""

    today: date

    def ago(self, days: int) -> date:
        """So many days back."""
        return self.today - timedelta(days=days)

    def moment(self, days: int, hour: int, minute: int = 0) -> datetime:
        """A local time so many days back, in UTC."""
        return datetime.combine(self.ago(days), time(hour, minute), AMSTERDAM).astimezone(UTC)

    def working_day(self, ahead: int, country: Country) -> date:
        """The first day on which is delivered, at least so many days ahead: no Sunday, no public holiday."""
        free = holidays.country_holidays(country.value)
        day = self.today + timedelta(days=ahead)
        while day.isoweekday() == 7 or day in free:
            day += timedelta(days=1)
        return day


def iso_week(day: date) -> str:
    """The ISO week of a day, such as '2026-W07'."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"
