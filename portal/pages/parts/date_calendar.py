"""The weeks of the list as a calendar: an aid to choose by, beside the list (flow-standard F25)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.i18n import _, month, weekday_day
from portal.states.delivery_date import DAY, WEEK, DeliveryDatePage
from portal.states.views.delivery_dates import CLOSED, FREE, FULL, PLANNED, CellView, WeekView
from portal.ui.browser import module

_WEEKS: Any = DeliveryDatePage.dates.weeks
_CELL = "mx-auto grid h-11 w-full max-w-11 place-items-center content-center rounded-control leading-none tabular-nums"


class _CalendarDay(rx.Component):
    library = module("calendar")
    tag = "CalendarDay"

    choices: rx.Var[list[list[str]]]


def calendar() -> rx.Component:
    """The same weeks as a table; pressing a day chooses it in the list."""
    weekdays = (
        (_("Mo"), _("Monday")),
        (_("Tu"), _("Tuesday")),
        (_("We"), _("Wednesday")),
        (_("Th"), _("Thursday")),
        (_("Fr"), _("Friday")),
        (_("Sa"), _("Saturday")),
        (_("Su"), _("Sunday")),
    )
    return rx.el.section(
        rx.el.h2(_("Calendar"), class_name="text-h3", custom_attrs={"id": "calendar"}),
        rx.el.p(_("Press a day to choose it in the list."), class_name="mt-1 text-ink-600"),
        rx.el.table(
            rx.el.thead(
                rx.el.tr(
                    rx.el.th(_("Week"), scope="col", class_name="py-2 pr-1 text-left font-normal text-ink-600"),
                    *[
                        rx.el.th(
                            rx.el.span(short, aria_hidden="true"),
                            rx.el.span(long, class_name="sr-only"),
                            scope="col",
                            class_name="py-2 font-normal text-ink-600",
                        )
                        for short, long in weekdays
                    ],
                )
            ),
            rx.el.tbody(rx.foreach(_WEEKS, _row)),
            class_name="mt-3 w-full table-fixed text-center text-sm",
            custom_attrs={"aria-labelledby": "calendar"},
        ),
        rx.el.ul(
            _key("border-2 border-ink bg-white", _("free")),
            _key("border-2 border-signal-600 bg-signal-100", _("planned now")),
            _key("bg-paper-2", _("full or no deliveries")),
            class_name="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-600",
            aria_hidden="true",
        ),
        class_name="card p-3 md:p-5",
    )


def _row(week: rx.vars.ObjectVar[WeekView]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(week.number, scope="row", class_name="pr-1 text-left font-normal text-ink-600 tabular-nums"),
        rx.foreach(week.cells, lambda cell: rx.el.td(_cell(cell, week), class_name="p-0.5")),
        key=week.id,
    )


def _cell(cell: rx.vars.ObjectVar[CellView], week: rx.vars.ObjectVar[WeekView]) -> rx.Component:
    said = weekday_day(cell.day)
    number = rx.el.span(
        rx.el.span(cell.number, class_name="block"),
        rx.cond(cell.named, rx.el.span(month(cell.day), class_name="block")),
        aria_hidden="true",
    )
    return rx.fragment(
        rx.match(
            cell.kind,
            (
                FREE,
                _CalendarDay.create(
                    number,
                    rx.el.span(said, class_name="sr-only"),
                    choices=[[WEEK, week.id], [f"{DAY}-{week.id}", cell.day]],
                    class_name=f"{_CELL} border-2 border-ink bg-white font-semibold hover:bg-signal-100 "
                    "aria-pressed:bg-ink aria-pressed:text-white",
                ),
            ),
            (PLANNED, _still(number, said, _("planned now"), "border-2 border-signal-600 bg-signal-100 font-semibold")),
            (FULL, _still(number, said, _("full"), "bg-paper-2 text-ink-600 line-through")),
            (CLOSED, _still(number, said, _("no deliveries"), "text-ink-600")),
            rx.fragment(),
        )
    )


def _still(number: rx.Component, said: rx.Var[str], why: rx.Var[str], class_name: str) -> rx.Component:
    return rx.el.span(number, rx.el.span(said, ", ", why, class_name="sr-only"), class_name=f"{_CELL} {class_name}")


def _key(class_name: str, text: rx.Var[str]) -> rx.Component:
    return rx.el.li(
        rx.el.span(class_name=f"size-4 rounded {class_name}"), text, class_name="inline-flex items-center gap-2"
    )
