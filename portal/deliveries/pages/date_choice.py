"""The form for a new delivery day: a list of weeks, and a calendar of the same weeks (flow-standard F25)."""

from collections.abc import Callable

import reflex as rx

from portal import ui
from portal.deliveries.api import DeliveryDay
from portal.deliveries.pages.state import CLOSED, DAY, FREE, FULL, WEEK, CalendarCell, DeliveryDatePage, ShownWeek
from portal.frontend.texts import field_message
from portal.i18n import _, day, first_day, month, ngettext, weekday_day, weekday_month
from portal.kernel.codes import Code
from portal.orders.api import ScheduledDelivery
from portal.ui.browser import component

_WEEKS = DeliveryDatePage.dates.weeks.to(list[ShownWeek])
_PLANNED = DeliveryDatePage.dates.scheduled.to(ScheduledDelivery).day

Week = rx.vars.ObjectVar[ShownWeek]
Cell = rx.vars.ObjectVar[CalendarCell]
FreeDay = Callable[[Cell, Week, rx.Component, str], rx.Component]
"""Builds a day that can be chosen, given its cell, its week, its number, and the classes of its look."""


def week_error() -> rx.Var[str]:
    return field_message(
        DeliveryDatePage.wrong_week,
        _("Week"),
        Code.DELIVERY_DAY_TAKEN,
        Code.SAME_DELIVERY_DAY,
        Code.INVALID_CHOICE,
        required=_("Choose a week."),
    )


def day_error() -> rx.Var[str]:
    return field_message(
        DeliveryDatePage.wrong_day,
        _("Day"),
        Code.DELIVERY_DAY_TAKEN,
        Code.SAME_DELIVERY_DAY,
        Code.INVALID_CHOICE,
        required=_("Choose a day."),
    )


def date_form(send: rx.Component | rx.Var[str]) -> rx.Component:
    error = week_error()
    return ui.event_form(
        rx.el.fieldset(
            rx.el.legend(_("Choose a week, then a day"), class_name="mb-1 font-semibold"),
            *ui.error_line(WEEK, error),
            ui.item_list(_WEEKS, _week, gap=3, top=3),
            custom_attrs={"aria-describedby": rx.cond(error != "", f"{WEEK}-error", "")},
        ),
        ui.submit_button(send, _("Loading…")),
        on_send=DeliveryDatePage.choose,
        answered=DeliveryDatePage.answered,
    )


def _name(week: Week) -> rx.Var[str]:
    return _(
        "Week {n} · {first} to {last}", n=week.week, first=first_day(week.monday, week.sunday), last=day(week.sunday)
    )


def _week(week: Week) -> rx.Component:
    free = week.free.length()
    return rx.el.li(
        ui.when(
            free > 0,
            ui.radio_card(
                WEEK,
                week.id,
                rx.el.span(
                    ui.line(_name(week), look="font-semibold tabular-nums"),
                    ui.line(ngettext("{n} day available", "{n} days available", free), look="text-ink-600"),
                ),
                checked=DeliveryDatePage.week == week.id,
            ),
            _days(week),
            otherwise=rx.el.div(
                rx.el.span(_name(week), class_name="font-semibold tabular-nums"),
                ui.badge(_("Full"), "neutral"),
                class_name="flex min-h-14 flex-wrap items-center justify-between gap-3 rounded-control border-2 "
                "border-line bg-paper-2 px-4 py-3",
            ),
        ),
        class_name="reveals",
        key=week.id,
    )


def _days(week: Week) -> rx.Component:
    chosen = DeliveryDatePage.week == week.id
    error = rx.cond(chosen, day_error(), "").to(str)
    return rx.el.fieldset(
        rx.el.legend(rx.el.span(_("Day"), ui.hidden_text(" – ", _name(week))), class_name="mb-2 font-semibold"),
        ui.strong(
            ui.hidden_text(_("Error: ")),
            error,
            look="text-err",
            bottom=2,
            custom_attrs={"id": f"{DAY}-error"},
            shown=error != "",
        ),
        rx.el.div(
            rx.foreach(week.days, lambda entry: _day(entry, week, first=chosen & (entry.day == week.free[0]))),
            class_name="grid gap-2 sm:grid-cols-2",
        ),
        class_name="reveal",
        custom_attrs={"aria-describedby": rx.cond(error != "", f"{DAY}-error", "")},
    )


def _day(entry: rx.vars.ObjectVar[DeliveryDay], week: Week, *, first: rx.Var[bool]) -> rx.Component:
    name = rx.el.span(weekday_month(entry.day), class_name="first-letter:uppercase")
    return rx.el.div(
        rx.cond(
            entry.free,
            rx.el.label(
                rx.el.input(
                    type="radio",
                    name=f"{DAY}-{week.id}",
                    value=entry.day.to(str),
                    default_checked=DeliveryDatePage.day == entry.day,
                    class_name="size-6 shrink-0 accent-ink",
                    # The error summary links to this id: the first free day of the chosen week.
                    custom_attrs={"id": rx.cond(first, DAY, f"{DAY}-{entry.day}")},
                ),
                name,
                class_name="choice",
            ),
            ui.muted(
                name,
                ui.badge(_("Full"), "neutral"),
                look="flex min-h-14 items-center justify-between gap-3 rounded-control bg-paper-2 px-4",
            ),
        ),
        # The key is the day, not its index: if a day disappears, the next one must not inherit its checked state.
        key=entry.day,
    )


_PLANNED_LOOK = "border-2 border-dashed border-signal-600 bg-signal-100"
_CELL = "mx-auto grid h-11 w-full max-w-11 place-items-center content-center rounded-control leading-none tabular-nums"


_CalendarDay = component("calendar", "CalendarDay", choices=list[list[str]])


def calendar() -> rx.Component:
    return _calendar(_("Calendar"), _("Press a day to select it in the list."), _selects)


def calendar_of_links() -> rx.Component:
    return _calendar(_("Choose another day"), _("You’ll see it once more before you ask for it."), _leads_on)


def _calendar(heading: rx.Var[str], hint: rx.Var[str], free: FreeDay) -> rx.Component:
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
        ui.subheading(heading, custom_attrs={"id": "calendar"}),
        ui.muted(hint, top=1),
        rx.el.table(
            rx.el.thead(
                rx.el.tr(
                    rx.el.th(_("Week"), scope="col", class_name="py-2 pr-1 text-left font-normal text-ink-600"),
                    *[
                        rx.el.th(
                            rx.el.span(short, aria_hidden="true"),
                            ui.hidden_text(long),
                            scope="col",
                            class_name="py-2 font-normal text-ink-600",
                        )
                        for short, long in weekdays
                    ],
                )
            ),
            rx.el.tbody(rx.foreach(_WEEKS, lambda week: _row(week, free))),
            class_name="mt-3 w-full table-fixed text-center text-sm",
            custom_attrs={"aria-labelledby": "calendar"},
        ),
        rx.el.ul(
            _key("border-2 border-ink bg-white", _("available")),
            _key(_PLANNED_LOOK, _("planned now")),
            _key("bg-paper-2 line-through", _("full"), "8"),
            _key("", _("no deliveries"), "9"),
            class_name="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm text-ink-600",
            aria_hidden="true",
        ),
        class_name="card p-3 md:p-5",
    )


def _row(week: Week, free: FreeDay) -> rx.Component:
    return rx.el.tr(
        rx.el.th(week.week, scope="row", class_name="pr-1 text-left font-normal text-ink-600 tabular-nums"),
        rx.foreach(week.cells, lambda cell: rx.el.td(_cell(cell, week, free), class_name="p-0.5")),
        key=week.id,
    )


def _cell(cell: Cell, week: Week, free: FreeDay) -> rx.Component:
    said = weekday_day(cell.day)
    number = rx.el.span(
        ui.line(cell.number),
        rx.cond((cell.number == 1) | (cell.day == _WEEKS[0].monday), ui.line(month(cell.day))),
        aria_hidden="true",
    )
    return rx.cond(
        cell.day == _PLANNED,
        _still(number, said, _("planned now"), f"{_PLANNED_LOOK} font-semibold"),
        rx.match(
            cell.kind,
            (FREE, free(cell, week, number, f"{_CELL} border-2 border-ink bg-white font-semibold hover:bg-signal-100")),
            (FULL, _still(number, said, _("full"), "bg-paper-2 text-ink-600 line-through")),
            (CLOSED, _still(number, said, _("no deliveries"), "text-ink-600")),
            rx.fragment(),
        ),
    )


def _selects(cell: Cell, week: Week, number: rx.Component, class_name: str) -> rx.Component:
    return _CalendarDay.create(
        number,
        ui.hidden_text(weekday_day(cell.day)),
        choices=[[WEEK, week.id], [f"{DAY}-{week.id}", cell.day]],
        class_name=f"{class_name} aria-pressed:bg-ink aria-pressed:text-white",
    )


def _leads_on(cell: Cell, _week: Week, number: rx.Component, class_name: str) -> rx.Component:
    return rx.el.a(
        number,
        ui.hidden_text(weekday_day(cell.day)),
        to=f"/delivery-date/{DeliveryDatePage.subject}/check?{DAY}={cell.day}",
        class_name=f"{class_name} text-ink no-underline",
    )


def _still(number: rx.Component, said: rx.Var[str], why: rx.Var[str], class_name: str) -> rx.Component:
    return rx.el.span(number, ui.hidden_text(said, ", ", why), class_name=f"{_CELL} {class_name}")


def _key(class_name: str, text: rx.Var[str], sample: str = "") -> rx.Component:
    """What a look of a day means. A day that cannot be chosen shows a number: its look is that of the number."""
    return rx.el.li(
        rx.el.span(sample, class_name=f"grid size-5 place-items-center rounded leading-none {class_name}".rstrip()),
        text,
        class_name="inline-flex items-center gap-2",
    )
