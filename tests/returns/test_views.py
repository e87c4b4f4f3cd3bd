"""The views of the return flows."""

from __future__ import annotations

from portal.returns.pages.flow_views import Amounts, HoursView, store_view, stored_amounts, week_views


def test_days_are_grouped_by_week() -> None:
    weeks = week_views(["2026-11-27", "2026-11-28", "2026-11-30"])
    assert [(week.number, week.first, week.last, week.days) for week in weeks] == [
        (48, "2026-11-23", "2026-11-28", ["2026-11-27", "2026-11-28"]),
        (49, "2026-11-30", "2026-12-05", ["2026-11-30"]),
    ]
    assert week_views([]) == []


def test_days_with_the_same_hours_are_grouped() -> None:
    hours = [{"weekday": day, "opens": "09:00", "closes": "18:00"} for day in (2, 3, 4)]
    hours.append({"weekday": 6, "opens": "09:00", "closes": "18:00"})
    entry = dict.fromkeys(("id", "name", "street", "house_number", "post_code", "city", "phone", "distance_km"), "x")
    assert store_view({**entry, "hours": hours}).hours == [
        HoursView(2, 4, "09:00-18:00"),
        HoursView(6, 6, "09:00-18:00"),
    ]


def test_a_settlement_without_lines_has_no_amounts() -> None:
    assert stored_amounts({"lines": [], "total": "0.00", "refund": "0.00", "charge": "0.00"}) == Amounts()
