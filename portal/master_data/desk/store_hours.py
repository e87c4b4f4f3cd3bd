"""The page on which a manager changes waiting time and vacation of a store, each from a day on."""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.desk.registry import STORE, DeskRoute, NavigationItem
from portal.desk.tables import cell, data_table, table_row
from portal.desk.views import DeskLink, Pair, desk_loaded, desk_page, pairs, panel, split, title
from portal.frontend.messages import field_message, message
from portal.i18n import Text, _, day, weekday_day
from portal.kernel.codes import Code
from portal.master_data.api import LONGEST_WAIT
from portal.master_data.desk.state import FIELDS, STORE_HOURS, VACATION, WAITING, WITHDRAWAL, StoreHoursPage
from portal.ui import action_button, error_summary, event_form, notice_on_failure, submit_button, text_field
from portal.vocabulary.staff import Right

_LABELS: dict[str, Text] = {
    "waiting-waiting_weeks": _("Waiting time in weeks"),
    "waiting-valid_from": _("Holds from"),
    "vacation-vacation_from": _("First day of the vacation"),
    "vacation-vacation_until": _("Last day of the vacation"),
    "vacation-valid_from": _("Customers see it from"),
}


def store_hours() -> rx.Component:
    """The page."""
    shown = StoreHoursPage
    return desk_page(
        desk_loaded(
            shown,
            rx.cond(
                shown.store.store_id != "",
                rx.fragment(_stores(), split([_waiting(), _vacation(), _announced(), _made()], [_today()])),
                panel(None, rx.el.p(_("No store is assigned to you. Ask the administrator."))),
            ),
            failure=_("The store could not be loaded."),
        ),
        heading=_("Waiting time and vacation"),
        count=shown.store.name,
        above=error_summary({name: _error(name) for name in FIELDS}, shown.attempt),
    )


def _stores() -> rx.Component:
    """Links to the person's other stores."""

    def link(store: Any) -> rx.Component:
        to = rx.Var.create(f"{STORE_HOURS}/").to(str) + store.store_id.to(str)
        return rx.el.li(DeskLink.create(store.name, to=to, class_name="chip"), key=store.store_id)

    return rx.cond(
        StoreHoursPage.stores.length() > 1,
        rx.el.nav(
            rx.el.ul(rx.foreach(StoreHoursPage.stores, link), class_name="mb-4 flex flex-wrap gap-2"),
            aria_label=_("Stores"),
        ),
    )


def _today() -> rx.Component:
    shown = StoreHoursPage
    vacation = rx.cond(shown.vacation_from != "", _period(shown.vacation_from, shown.vacation_until), _("None planned"))
    return panel(
        _("Today"),
        pairs(Pair(_("Waiting time"), _weeks(shown.waiting_weeks.to(str))), Pair(_("Vacation"), vacation)),
    )


def _waiting() -> rx.Component:
    return panel(
        _("Change the waiting time"),
        event_form(
            rx.el.div(
                text_field(
                    "waiting-waiting_weeks",
                    _LABELS["waiting-waiting_weeks"],
                    hint=_("0 means less than a week"),
                    error=_error("waiting-waiting_weeks"),
                    value=StoreHoursPage.waiting_weeks.to(str),
                    input_mode="numeric",
                    width="max-w-24",
                    max_length=3,
                ),
                _day_field("waiting-valid_from", StoreHoursPage.today),
                class_name="grid gap-4 sm:grid-cols-2",
            ),
            _failed(WAITING),
            submit_button(_("Save the waiting time"), wide=False),
            on_send=StoreHoursPage.change_waiting_time,
            answered=StoreHoursPage.answered,
            key=StoreHoursPage.store.store_id,
            class_name="space-y-4",
        ),
    )


def _vacation() -> rx.Component:
    shown = StoreHoursPage
    return panel(
        _("Change the vacation"),
        rx.el.p(
            _("Customers read it, and find the store below the others. Leave both days empty for no vacation."),
            class_name="mb-3 text-ink-600",
        ),
        event_form(
            rx.el.div(
                _day_field("vacation-vacation_from", shown.vacation_from),
                _day_field("vacation-vacation_until", shown.vacation_until),
                _day_field("vacation-valid_from", shown.today),
                class_name="grid gap-4 sm:grid-cols-2",
            ),
            _failed(VACATION),
            submit_button(_("Save the vacation"), wide=False),
            on_send=shown.change_vacation,
            answered=shown.answered,
            key=shown.store.store_id,
            class_name="space-y-4",
        ),
    )


def _announced() -> rx.Component:
    return panel(
        _("Announced"),
        _failed(WITHDRAWAL),
        rx.cond(
            StoreHoursPage.announced.length() > 0,
            data_table(
                (_("From"), _("What changes"), ""),
                StoreHoursPage.announced,
                lambda change: table_row(
                    cell(weekday_day(change.valid_from)),
                    cell(_what(change)),
                    cell(action_button(_("Take back"), StoreHoursPage.withdraw(change.valid_from))),
                    key=change.valid_from,
                ),
                label=_("Announced changes"),
            ),
            rx.el.p(_("Nothing is announced."), class_name="text-ink-600"),
        ),
    )


def _made() -> rx.Component:
    return rx.cond(
        StoreHoursPage.made.length() > 0,
        panel(
            _("Changed earlier"),
            data_table(
                (_("From"), _("What changed")),
                StoreHoursPage.made,
                lambda change: table_row(
                    cell(weekday_day(change.valid_from)), cell(_what(change)), key=change.valid_from
                ),
                label=_("Earlier changes"),
            ),
        ),
    )


def _what(change: Any) -> rx.Component:
    return rx.el.ul(
        rx.cond(
            change.waiting_weeks != "",
            rx.el.li(_("Waiting time: {weeks}", weeks=_weeks(change.waiting_weeks.to(str)))),
        ),
        rx.cond(
            change.vacation,
            rx.el.li(
                rx.cond(
                    change.vacation_from != "",
                    _("Vacation: {days}", days=_period(change.vacation_from, change.vacation_until)),
                    _("The vacation ends"),
                )
            ),
        ),
        rx.cond(change.hours, rx.el.li(_("Other opening hours"))),
    )


def _weeks(weeks: rx.Var[str]) -> rx.Var[str]:
    """A waiting time as customers read it: from so many weeks to one more."""
    return _("{weeks}–{more} weeks", weeks=weeks, more=weeks.to(int) + 1)


def _period(first: Any, last: Any) -> rx.Var[str]:
    return _("{first} to {last}", first=day(first), last=day(last))


def _day_field(name: str, value: Any) -> rx.Component:
    return text_field(name, _LABELS[name], error=_error(name), value=value, kind="date", width="max-w-60")


def _failed(form: str) -> rx.Component:
    page = StoreHoursPage
    return notice_on_failure((page.refused == form) & (page.refusal != ""), message(page.refusal), page.attempt)


def _error(name: str) -> rx.Var[str]:
    own = {
        "waiting-waiting_weeks": {
            Code.INVALID_NUMBER.value: _("Enter a whole number from 0 to {most}.", most=LONGEST_WAIT)
        },
        "vacation-vacation_until": {
            Code.INVALID_CHOICE.value: _("Choose a last day that is not before the first one.")
        },
        "vacation-vacation_from": {Code.INVALID_CHOICE.value: _("Choose a day.")},
    }.get(name, {Code.INVALID_CHOICE.value: _("Choose today or a later day.")})
    return field_message(StoreHoursPage.errors.get(name, "").to(str), _LABELS[name], **own)


NAVIGATION = (NavigationItem(_("Waiting time and vacation"), STORE_HOURS, STORE, Right.MANAGE_STORE),)

PAGES = [
    DeskRoute(STORE_HOURS[1:], store_hours, title(_("Waiting time and vacation")), on_load=[StoreHoursPage.load]),
    DeskRoute(
        f"{STORE_HOURS[1:]}/[store]",
        store_hours,
        title(_("Waiting time and vacation"), StoreHoursPage.store.name),
        on_load=[StoreHoursPage.load],
    ),
]
