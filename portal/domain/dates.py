"""Time as customers mean it: UTC inside, Europe/Amsterdam outside."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

AMSTERDAM = ZoneInfo("Europe/Amsterdam")


def now() -> datetime:
    """The current moment, aware, in UTC."""
    return datetime.now(UTC)


def local_day(moment: datetime) -> date:
    """The calendar day of a moment in Europe/Amsterdam."""
    return moment.astimezone(AMSTERDAM).date()


def today() -> date:
    """The current calendar day in Europe/Amsterdam."""
    return local_day(now())


def whole_months_since(day: date, until: date) -> int:
    """Whole months between two days, as derived for `invoiced_at` (part-1 §3); 0 when `day` lies ahead."""
    months = (until.year - day.year) * 12 + until.month - day.month
    return max(0, months - (1 if until.day < day.day else 0))


def add_years(day: date, years: int) -> date:
    """The same day some years later; 29 February becomes 28 February."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def add_months(day: date, months: int) -> date:
    """The same day some months later; the last day of a month that is shorter."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return day.replace(year=year, month=month, day=min(day.day, monthrange(year, month)[1]))
