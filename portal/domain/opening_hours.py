"""Opening hours of a week, kept as one readable text: 'Tu-Fr 09:00-18:00, Sa 09:00-17:00'."""

from __future__ import annotations

import re
from dataclasses import dataclass

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
"""Days as they are written, Monday first."""
_PART = re.compile(r"(Mo|Tu|We|Th|Fr|Sa|Su)(?:-(Mo|Tu|We|Th|Fr|Sa|Su))? ([0-2]\d:[0-5]\d)-([0-2]\d:[0-5]\d)")


@dataclass(frozen=True, slots=True)
class OpenDay:
    """One day on which is opened.

    Attributes:
        weekday: 1 is Monday, 7 is Sunday.
        opens, closes: local times, such as '09:00'.
    """

    weekday: int
    opens: str
    closes: str


def read(text: str) -> list[OpenDay]:
    """The days of a week, Monday first; days that are not named are closed.

    Raises:
        ValueError: this is no such text, a day occurs twice, or it closes before it opens.
    """
    found: dict[int, OpenDay] = {}
    for part in text.split(",") if text.strip() else ():
        form = _PART.fullmatch(part.strip())
        if form is None:
            raise ValueError(f"these are no opening hours: {part.strip()!r}")
        first, last = DAYS.index(form[1]) + 1, DAYS.index(form[2] or form[1]) + 1
        if last < first or form[4] <= form[3] or form[4] > "24:00":
            raise ValueError(f"these opening hours run backwards: {part.strip()!r}")
        for weekday in range(first, last + 1):
            if weekday in found:
                raise ValueError(f"{DAYS[weekday - 1]} opens twice")
            found[weekday] = OpenDay(weekday, form[3], form[4])
    return [found[weekday] for weekday in sorted(found)]
