"""The choice of a delivery day: weeks with their days (flow-standard F25)."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.domain.codes import Code
from portal.i18n import _, day, first_day, ngettext, weekday_month
from portal.pages.messages import field_message
from portal.states.delivery_date import DAY, WEEK, DeliveryDatePage
from portal.states.views.delivery_dates import DayView, WeekView
from portal.ui import badge, event_form, submit_button
from portal.ui.fields import error_line

_WEEKS: Any = DeliveryDatePage.dates.weeks


def week_error() -> rx.Var[str]:
    """What is wrong with the week."""
    return field_message(
        DeliveryDatePage.wrong_week,
        _("Week"),
        Code.DELIVERY_DAY_TAKEN,
        Code.SAME_DELIVERY_DAY,
        Code.INVALID_CHOICE,
    )


def day_error() -> rx.Var[str]:
    """What is wrong with the day."""
    return field_message(
        DeliveryDatePage.wrong_day, _("Day"), Code.DELIVERY_DAY_TAKEN, Code.SAME_DELIVERY_DAY, Code.INVALID_CHOICE
    )


def date_form(send: rx.Component | rx.Var[str]) -> rx.Component:
    """Weeks as radio buttons; the days of the chosen one come below it.

    Args:
        send: what the button says.
    """
    error = week_error()
    return event_form(
        rx.el.fieldset(
            rx.el.legend(_("Choose a week, then a day"), class_name="mb-1 font-semibold"),
            *error_line(WEEK, error),
            rx.el.ul(rx.foreach(_WEEKS, _week), class_name="mt-3 space-y-3"),
            custom_attrs={"aria-describedby": rx.cond(error != "", f"{WEEK}-error", "")},
        ),
        submit_button(send, _("Loading…")),
        on_send=DeliveryDatePage.choose,
        answered=DeliveryDatePage.answered,
    )


def _name(week: rx.vars.ObjectVar[WeekView]) -> rx.Var[str]:
    return _(
        "Week {n} · {first} to {last}",
        n=week.number,
        first=first_day(week.monday, week.sunday),
        last=day(week.sunday),
    )


def _week(week: rx.vars.ObjectVar[WeekView]) -> rx.Component:
    free = week.free.to(int)
    return rx.el.li(
        rx.cond(
            free > 0,
            rx.fragment(
                rx.el.label(
                    rx.el.input(
                        type="radio",
                        name=WEEK,
                        value=week.id,
                        default_checked=DeliveryDatePage.week == week.id,
                        class_name="size-6 shrink-0 accent-ink",
                    ),
                    rx.el.span(
                        rx.el.span(_name(week), class_name="block font-semibold tabular-nums"),
                        rx.el.span(ngettext("{n} day free", "{n} days free", free), class_name="block text-ink-600"),
                    ),
                    class_name="choice",
                ),
                _days(week),
            ),
            rx.el.div(
                rx.el.span(_name(week), class_name="font-semibold tabular-nums"),
                badge(_("Full"), "neutral"),
                class_name="flex min-h-14 flex-wrap items-center justify-between gap-3 rounded-control border-2 "
                "border-line bg-paper-2 px-4 py-3",
            ),
        ),
        class_name="reveals",
        key=week.id,
    )


def _days(week: rx.vars.ObjectVar[WeekView]) -> rx.Component:
    chosen = DeliveryDatePage.week == week.id
    error = rx.cond(chosen, day_error(), "").to(str)
    return rx.el.fieldset(
        rx.el.legend(
            rx.el.span(_("Day"), rx.el.span(" – ", _name(week), class_name="sr-only")), class_name="mb-2 font-semibold"
        ),
        rx.cond(
            error != "",
            rx.el.p(
                rx.el.span(_("Error: "), class_name="sr-only"),
                error,
                class_name="mb-2 font-semibold text-err",
                custom_attrs={"id": f"{DAY}-error"},
            ),
        ),
        rx.el.div(
            rx.foreach(week.days, lambda entry: _day(entry, week, first=chosen & entry.first)),
            class_name="grid gap-2 sm:grid-cols-2",
        ),
        class_name="reveal",
        custom_attrs={"aria-describedby": rx.cond(error != "", f"{DAY}-error", "")},
    )


def _day(entry: rx.vars.ObjectVar[DayView], week: rx.vars.ObjectVar[WeekView], *, first: Any) -> rx.Component:
    name = rx.el.span(weekday_month(entry.day), class_name="first-letter:uppercase")
    return rx.el.div(
        rx.cond(
            entry.free,
            rx.el.label(
                rx.el.input(
                    type="radio",
                    name=f"{DAY}-{week.id}",
                    value=entry.day,
                    default_checked=DeliveryDatePage.day == entry.day,
                    class_name="size-6 shrink-0 accent-ink",
                    # The error summary leads to the first day of the chosen week.
                    custom_attrs={"id": rx.cond(first, DAY, f"{DAY}-{entry.day}")},
                ),
                name,
                class_name="choice",
            ),
            rx.el.p(
                name,
                badge(_("Full"), "neutral"),
                class_name="flex min-h-14 items-center justify-between gap-3 rounded-control bg-paper-2 px-4 "
                "text-ink-600",
            ),
        ),
        # By the day and not by its place: a day that leaves the list must not hand its mark to the next one.
        key=entry.day,
    )
