"""Months for the question when a bike was last serviced."""

from __future__ import annotations

from collections.abc import Mapping

from portal.kernel.days import add_months, today


def months_ago(months: int) -> Mapping[str, str]:
    """The answer with the month that many months ago. The bike that flows choose first is about three months old."""
    day = add_months(today().replace(day=1), -months)
    return {"maintenance_month": str(day.month), "maintenance_year": str(day.year)}
