"""The days to which a delivery can be moved: as a list of weeks, and as the same weeks of a calendar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from portal.contract.delivery import DeliveryDates, DeliveryWeek
from portal.states.views.deliveries import ChangeView, change_view, standing
from portal.vocabulary.deliveries import window_of

FREE, FULL, PLANNED, CLOSED = "free", "full", "planned", "closed"
"""What a day of the calendar is: to be had, taken, planned now, without deliveries."""


@dataclass(frozen=True, slots=True)
class DayView:
    """A delivery day; one that is full is shown and cannot be chosen. `first` is the first free one of its week."""

    day: str
    free: bool
    first: bool


@dataclass(frozen=True, slots=True)
class CellView:
    """A day of the calendar. `named` says that its month stands below its number."""

    day: str
    number: int
    kind: str
    named: bool


@dataclass(frozen=True, slots=True)
class WeekView:
    """A week with its delivery days, Monday to Sunday. `free` counts the days that can be chosen."""

    id: str
    number: int
    monday: str
    sunday: str
    free: int
    days: list[DayView]
    cells: list[CellView]


@dataclass(frozen=True, slots=True)
class DatesView:
    """Everything that the pages of another delivery day show.

    Attributes:
        day: planned now, with its window; empty when none is planned.
        new_start, new_until: the window on another day.
        standing: empty for the form; the status of the pending wish, or the code why no day can be chosen.
        retry_at: when to try again (ISO 8601, UTC).
        change: the pending wish, or the last one that ended.
    """

    number: str = ""
    name: str = ""
    day: str = ""
    start: str = ""
    until: str = ""
    new_start: str = ""
    new_until: str = ""
    standing: str = ""
    retry_at: str = ""
    weeks: list[WeekView] = field(default_factory=list)
    change: ChangeView = field(default_factory=ChangeView)


def dates_view(dates: DeliveryDates) -> DatesView:
    """Tell to which days the delivery of an order can be moved, or why to none."""
    planned = dates.scheduled
    start, until = window_of(planned.from_time if planned else "")
    return DatesView(
        number=dates.order_number,
        name=dates.name,
        day=planned.day.isoformat() if planned else "",
        start=planned.from_time if planned else "",
        until=planned.until_time if planned else "",
        new_start=start,
        new_until=until,
        standing=standing(dates.refusal, dates.change),
        retry_at=dates.retry_at.isoformat() if dates.retry_at else "",
        weeks=_weeks(dates.weeks, planned.day if planned else None),
        change=change_view(dates.change),
    )


def week_of(view: DatesView, day: str) -> str:
    """The week in which a day can be chosen; empty when it cannot be."""
    return next((week.id for week in view.weeks for entry in week.days if entry.day == day and entry.free), "")


def _weeks(weeks: list[DeliveryWeek], planned: date | None) -> list[WeekView]:
    return [_week(week, planned, first=place == 0) for place, week in enumerate(weeks)]


def _week(week: DeliveryWeek, planned: date | None, *, first: bool) -> WeekView:
    free = {entry.day: entry.free for entry in week.days}
    first_free = next((day for day, can_be_had in free.items() if can_be_had), None)
    return WeekView(
        id=f"{week.year}-W{week.week:02}",
        number=week.week,
        monday=week.monday.isoformat(),
        sunday=week.sunday.isoformat(),
        free=sum(free.values()),
        days=[DayView(day.isoformat(), can_be_had, day == first_free) for day, can_be_had in free.items()],
        cells=[_cell(week.monday + timedelta(days=place), free, planned, first and place == 0) for place in range(7)],
    )


def _cell(day: date, free: Mapping[date, bool], planned: date | None, first: bool) -> CellView:
    kind = PLANNED if day == planned else CLOSED if day not in free else FREE if free[day] else FULL
    return CellView(day.isoformat(), day.day, kind, first or day.day == 1)
