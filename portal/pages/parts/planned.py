"""A planned delivery day, and the wish for another one, in the same words on every page."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import Text, _, choice, weekday_day
from portal.vocabulary.deliveries import DATE_CHANGE_LABELS, DATE_CHANGE_MEANINGS, DateChangeStatus
from portal.vocabulary.status import STATUS_UNKNOWN


def planned_day(day: Any, start: Any, until: Any, name: Text, size: str = "text-lg") -> rx.Component:
    """The day with its window, below what it is.

    Args:
        day: ISO day.
        start: local time.
        until: local time.
        name: what the day is, such as "Planned delivery".
        size: class of the day.
    """
    return rx.el.div(
        rx.el.p(name, class_name="text-ink-600"),
        rx.el.p(weekday_day(day), class_name=f"{size} font-semibold first-letter:uppercase"),
        rx.cond(
            start != "", rx.el.p(_("Between {start} and {end}", start=start, end=until), class_name="tabular-nums")
        ),
    )


def change_status(status: Any) -> rx.Var[str]:
    """Where the wish for another day stands."""
    return choice(status, DATE_CHANGE_LABELS, STATUS_UNKNOWN)


def change_meaning(status: Any) -> rx.Var[str]:
    """What that means for the customer."""
    return choice(status, DATE_CHANGE_MEANINGS, DATE_CHANGE_MEANINGS[DateChangeStatus.UNKNOWN])


def change_notice(change: Any, *further: Any) -> rx.Component:
    """How a wish stands, in short: what was asked for, what it means, and what the shop said.

    Args:
        change: a `ChangeView`.
        *further: what to do.
    """
    return rx.el.div(
        rx.el.p(change_status(change.status), class_name="font-semibold"),
        rx.el.p(_("From {old} to {new}.", old=weekday_day(change.original), new=weekday_day(change.new))),
        rx.el.p(change_meaning(change.status)),
        rx.cond(change.note != "", rx.el.p(change.note, class_name="mt-2 whitespace-pre-line")),
        *further,
        class_name=rx.match(change.tone, *_NOTICES.items(), "notice border-line-strong bg-paper-2"),
    )


_NOTICES = {
    "ok": "notice border-ok-line bg-ok-bg",
    "warn": "notice border-warn-line bg-warn-bg",
    "err": "notice border-err-line bg-err-bg",
    "info": "notice border-info-line bg-info-bg",
}
