"""The page on which a manager changes waiting time, opening hours and vacation of a store, each from a day on."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.registry import ask
from portal.desk.forms import day_field, desk_form, refused
from portal.desk.registry import STORE, DeskRoute, NavigationItem
from portal.desk.state import DeskForms, DeskPage, typed
from portal.desk.tables import cell, data_table, listing, table_row
from portal.desk.views import desk_loaded, desk_page, pairs, panel, split, title
from portal.frontend.load import Form, Question, last_part, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import staff
from portal.frontend.texts import field_message
from portal.i18n import Text, _, choice, day, weekday_day
from portal.kernel import days
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.locations.api import OpenDay
from portal.master_data.api import (
    MAX_WAITING_WEEKS,
    AnnouncedChange,
    HoursEntry,
    StoreHours,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.staff.api.people import StoreName
from portal.vocabulary.staff import Right

STORE_HOURS = "/store-hours"

WAITING, HOURS, VACATION, WITHDRAWAL = "waiting", "hours", "vacation", "withdrawal"
"""What can be changed; also the prefix of the fields and their errors."""

DAY_FIELDS = tuple(f"{HOURS}-{day}" for day in days.WEEKDAYS)
"""A row of the week; its times are `hours-1-opens` and `hours-1-closes`."""

_LABELS: dict[str, Text] = {
    "waiting-waiting_weeks": _("Waiting time in weeks"),
    "waiting-valid_from": _("Applies from"),
    **{f"{HOURS}-{day}": _(name) for day, name in days.WEEKDAYS.items()},
    "hours-valid_from": _("Apply from"),
    "vacation-vacation_from": _("First day of the holiday"),
    "vacation-vacation_until": _("Last day of the holiday"),
    "vacation-valid_from": _("Customers see it from"),
}


class ShownStoreChange(AnnouncedChange):
    @computed
    def weeks(self) -> str:
        """Lower bound of the waiting time; empty if it does not change."""
        return str(self.values.get("waiting_weeks", ""))

    @computed
    def vacation(self) -> list[str] | None:
        """First and last day of the vacation, empty if it ends; None if it does not change."""
        days_of = (self.values.get("vacation_from"), self.values.get("vacation_until"))
        return list(filter(None, days_of)) if "vacation_from" in self.values else None

    @computed
    def hours(self) -> list[list[OpenDay]] | None:
        """Opening hours, empty if they become unknown; None if they do not change."""
        return runs(days.read(self.values["opening_hours"] or "")) if "opening_hours" in self.values else None


class StoreHoursPage(DeskForms, DeskPage, rx.State):
    """Waiting time, opening hours and vacation of the store in the address; without one, of the person's first store.

    `now`: what is shown; None if the person has no store. Its changes are `announced` and `made`, by day.
    `opens`, `closes`: of each weekday, Monday first; empty on a day on which it is closed.
    `hours`: the same, the first and the last of days with equal hours.
    """

    stores: rx.Field[list[StoreName]] = rx.field(default_factory=list)
    now: rx.Field[StoreHours | None] = rx.field(None)
    opens: rx.Field[list[str]] = rx.field(default_factory=list)
    closes: rx.Field[list[str]] = rx.field(default_factory=list)
    hours: rx.Field[list[list[OpenDay]]] = rx.field(default_factory=list)
    announced: rx.Field[list[ShownStoreChange]] = rx.field(default_factory=list)
    made: rx.Field[list[ShownStoreChange]] = rx.field(default_factory=list)
    _fields: ClassVar[tuple[str, ...]] = tuple(_LABELS)

    @rx.event
    @staff(Right.MANAGE_STORE)
    def open_store(self, store_id: str) -> Any:
        known = any(store.store_id == store_id for store in self.stores)
        return rx.redirect(f"{STORE_HOURS}/{store_id}") if known else None

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_waiting_time(self, form: Form) -> None:
        await self._change(
            WAITING,
            lambda token, store: ask(StoreHoursApi).change_waiting_time(
                token, store, typed(WaitingEntry, form, WAITING)
            ),
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_opening_hours(self, form: Form) -> None:
        times = {end: [text_in(form, f"{name}-{end}") for name in DAY_FIELDS] for end in ("opens", "closes")}
        await self._change(
            HOURS,
            lambda token, store: ask(StoreHoursApi).change_opening_hours(
                token, store, typed(HoursEntry, form, HOURS, **times)
            ),
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_vacation(self, form: Form) -> None:
        await self._change(
            VACATION,
            lambda token, store: ask(StoreHoursApi).change_vacation(token, store, typed(VacationEntry, form, VACATION)),
        )

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def withdraw(self, valid_from: str) -> None:
        day = valid_from[:10]
        await self._change(WITHDRAWAL, lambda token, store: ask(StoreHoursApi).withdraw_store_change(token, store, day))

    async def _change(self, form: str, change: Callable[[str, str], Awaitable[StoreHours]]) -> None:
        async with self:
            store_id = self.now.store.store_id if self.now else ""
        done = N_("Taken back") if form == WITHDRAWAL else N_("Saved")
        await self._answer(form, lambda token: change(token, store_id), done, self._show_hours)

    def _about(self) -> str:
        part = last_part(self)
        return "" if part == STORE_HOURS[1:] else part

    def _question(self) -> Question[tuple[list[StoreName], StoreHours | None]]:
        about = self._about()

        async def ask_for(token: str) -> tuple[list[StoreName], StoreHours | None]:
            stores = await ask(StoreHoursApi).managed_stores(token)
            store_id = about or next((store.store_id for store in stores), "")
            return stores, await ask(StoreHoursApi).store_hours(token, store_id) if store_id else None

        return ask_for

    def _show(self, answer: tuple[list[StoreName], StoreHours | None]) -> None:
        self.stores, hours = answer
        if hours is None:
            self.now = None
        else:
            self._show_hours(hours)

    def _show_hours(self, hours: StoreHours) -> None:
        self.now = hours.model_copy(update={"changes": []})
        by_day = {str(open_day.weekday): open_day for open_day in hours.opening_hours}
        self.opens = [by_day[day].opens if day in by_day else "" for day in days.WEEKDAYS]
        self.closes = [by_day[day].closes if day in by_day else "" for day in days.WEEKDAYS]
        self.hours = runs(hours.opening_hours)
        changes = [viewed(ShownStoreChange, change) for change in hours.changes]
        self.announced = [change for change in changes if not change.applied]
        self.made = [change for change in reversed(changes) if change.applied]
        self._forget_errors()


def runs(open_days: Iterable[days.OpenOn]) -> list[list[OpenDay]]:
    return [[OpenDay.model_validate(day, from_attributes=True) for day in run] for run in days.runs(open_days)]


_SHORT = {
    "1": N_("Mon"),
    "2": N_("Tue"),
    "3": N_("Wed"),
    "4": N_("Thu"),
    "5": N_("Fri"),
    "6": N_("Sat"),
    "7": N_("Sun"),
}

_NOW = StoreHoursPage.now
_STORE = _NOW.store.to(StoreName).store_id.to(str)
_NAME = rx.cond(_NOW, _NOW.store.to(StoreName).name, "").to(str)


def store_hours() -> rx.Component:
    shown = StoreHoursPage
    return desk_page(
        desk_loaded(
            shown,
            rx.cond(
                shown.now,
                rx.fragment(
                    _stores(), split([_waiting(), _opening_hours(), _vacation(), _announced(), _made()], [_today()])
                ),
                panel(None, ui.text(_("No store is assigned to you. Ask the administrator."))),
            ),
            failure=_("The store couldn’t be loaded."),
        ),
        heading=_("Store times"),
        count=_NAME,
        above=ui.error_summary({name: _error(name) for name in _LABELS}, shown.attempt),
    )


def _stores() -> rx.Component:
    shown = StoreHoursPage
    return rx.cond(
        shown.stores.length() > 1,
        rx.el.select(
            rx.foreach(shown.stores, lambda store: rx.el.option(store.name, value=store.store_id)),
            value=_STORE,
            on_change=shown.open_store,
            aria_label=_("Store"),
            class_name="chip mb-4 bg-white",
        ),
    )


def _today() -> rx.Component:
    shown = StoreHoursPage
    vacation = rx.cond(_NOW.vacation_from, _period(_NOW.vacation_from, _NOW.vacation_until), _("None planned"))
    hours = rx.cond(shown.hours.length() > 0, _hours(shown.hours), _("Unknown"))
    return panel(
        _("Today"),
        pairs(
            ui.Fact(_("Waiting time"), _weeks(_NOW.waiting_weeks.to(str))),
            ui.Fact(_("Opening hours"), hours),
            ui.Fact(_("Holiday"), vacation),
        ),
    )


def _waiting() -> rx.Component:
    return panel(
        _("Change the waiting time"),
        desk_form(
            StoreHoursPage,
            rx.el.div(
                ui.text_field(
                    "waiting-waiting_weeks",
                    _LABELS["waiting-waiting_weeks"],
                    hint=_("0 means less than a week"),
                    error=_error("waiting-waiting_weeks"),
                    value=_NOW.waiting_weeks.to(str),
                    input_mode="numeric",
                    width="max-w-24",
                    max_length=3,
                ),
                _day_field("waiting-valid_from", _NOW.today),
                class_name="grid items-end gap-4 sm:grid-cols-2",
            ),
            on_send=StoreHoursPage.change_waiting_time,
            send=_("Save the waiting time"),
            name=WAITING,
            key=_STORE,
        ),
    )


def _opening_hours() -> rx.Component:
    shown = StoreHoursPage
    return panel(
        _("Change the opening hours"),
        ui.muted(_("Leave a day blank if the store is closed. Customers see these hours with the store."), bottom=3),
        desk_form(
            shown,
            ui.stack(*[_times_of(name, place) for place, name in enumerate(DAY_FIELDS)], gap=2),
            _day_field("hours-valid_from", _NOW.today),
            on_send=shown.change_opening_hours,
            send=_("Save the opening hours"),
            name=HOURS,
            key=_STORE,
        ),
    )


def _times_of(name: str, place: int) -> rx.Component:
    error = _error(name)

    def time(end: str, value: Any, label: Text) -> rx.Component:
        own = name if end == "opens" else f"{name}-{end}"
        return rx.el.input(
            name=f"{name}-{end}",
            default_value=value,
            auto_complete="off",
            max_length=8,
            class_name="field max-w-24",
            custom_attrs={
                **ui.described(own, None, None, required=False),
                "aria-label": label,
                "aria-invalid": rx.cond(error != "", "true", "false"),
                "aria-describedby": rx.cond(error != "", f"{name}-error", ""),
            },
        )

    day = _LABELS[name]
    return rx.el.div(
        rx.el.span(day, class_name="inline-block w-28 font-semibold first-letter:uppercase"),
        rx.el.div(
            *ui.error_line(name, error),
            rx.el.div(
                time("opens", StoreHoursPage.opens[place], _("{day}, open from", day=day)),
                rx.el.span(_("to"), aria_hidden="true"),
                time("closes", StoreHoursPage.closes[place], _("{day}, open until", day=day)),
                class_name="flex items-center gap-3",
            ),
        ),
        class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
    )


def _hours(lines: Any) -> rx.Component:
    def line(run: rx.vars.ArrayVar[list[OpenDay]]) -> rx.Component:
        first, last = (choice(run[place].weekday.to(str), _SHORT) for place in (0, 1))
        named = rx.cond(run[0].weekday == run[1].weekday, first, _("{first} to {last}", first=first, last=last))
        return rx.el.li(named, f" {run[0].opens}–{run[0].closes}", key=run[0].weekday.to(str))

    return ui.item_list(lines, line, look="tabular-nums")


def _vacation() -> rx.Component:
    return panel(
        _("Change the holiday"),
        ui.muted(
            _(
                "Customers see the holiday, and the store moves to the bottom of the list. No holiday? "
                "Leave both days blank."
            ),
            bottom=3,
        ),
        desk_form(
            StoreHoursPage,
            rx.el.div(
                _day_field("vacation-vacation_from", _NOW.vacation_from),
                _day_field("vacation-vacation_until", _NOW.vacation_until),
                _day_field("vacation-valid_from", _NOW.today),
                class_name="grid gap-4 sm:grid-cols-2",
            ),
            on_send=StoreHoursPage.change_vacation,
            send=_("Save the holiday"),
            name=VACATION,
            key=_STORE,
        ),
    )


def _announced() -> rx.Component:
    return panel(
        _("Announced"),
        refused(StoreHoursPage, WITHDRAWAL),
        listing(
            StoreHoursPage.announced,
            (_("From"), _("What changes"), ""),
            lambda change: _change(
                change, cell(ui.action_button(_("Take back"), StoreHoursPage.withdraw(change.valid_from)))
            ),
            label=_("Announced changes"),
            empty=_("Nothing has been announced."),
        ),
    )


def _made() -> rx.Component:
    return panel(
        _("Changed earlier"),
        data_table(
            (_("From"), _("What changed")),
            StoreHoursPage.made,
            lambda change: _change(change),
            label=_("Earlier changes"),
        ),
        shown=StoreHoursPage.made.length() > 0,
    )


def _change(change: rx.vars.ObjectVar[ShownStoreChange], *more: rx.Component) -> rx.Component:
    return table_row(cell(weekday_day(change.valid_from)), cell(_what(change)), *more, key=change.valid_from.to(str))


def _what(change: rx.vars.ObjectVar[ShownStoreChange]) -> rx.Component:
    period, hours = change.vacation.to(list[str]), change.hours.to(list[list[OpenDay]])
    return rx.el.ul(
        rx.cond(change.weeks != "", rx.el.li(_("Waiting time: {weeks}", weeks=_weeks(change.weeks.to(str))))),
        rx.cond(
            change.vacation.is_not_none(),
            rx.el.li(
                rx.cond(
                    period.length() > 0,
                    _("Holiday: {days}", days=_period(period[0], period[1])),
                    _("The holiday is removed"),
                )
            ),
        ),
        rx.cond(
            change.hours.is_not_none(),
            rx.el.li(
                rx.cond(
                    hours.length() > 0,
                    rx.fragment(_("Opening hours:"), _hours(hours)),
                    _("The opening hours are removed"),
                )
            ),
        ),
    )


def _weeks(weeks: rx.Var[str]) -> rx.Var[str]:
    return _("{weeks}–{more} weeks", weeks=weeks, more=weeks.to(int) + 1)


def _period(first: Any, last: Any) -> rx.Var[str]:
    return _("{first} to {last}", first=day(first), last=day(last))


def _day_field(name: str, value: Any) -> rx.Component:
    return day_field(name, _LABELS[name], error=_error(name), value=value.to(str))


def _error(name: str) -> rx.Var[str]:
    own = {
        "waiting-waiting_weeks": {
            Code.INVALID_NUMBER.value: _("Enter a whole number from 0 to {most}.", most=MAX_WAITING_WEEKS)
        },
        "vacation-vacation_until": {Code.INVALID_CHOICE.value: _("Choose a last day that isn’t before the first.")},
        "vacation-vacation_from": {Code.INVALID_CHOICE.value: _("Choose a day.")},
        **{
            day: {
                Code.REQUIRED.value: _("{day}: fill in both times, or neither.", day=_LABELS[day]),
                Code.INVALID_CHOICE.value: _(
                    "{day}: enter times such as 9:00 and 17:30, the earlier one first.", day=_LABELS[day]
                ),
            }
            for day in DAY_FIELDS
        },
    }.get(name, {Code.INVALID_CHOICE.value: _("Choose today or a later day.")})
    return field_message(StoreHoursPage.errors.get(name, "").to(str), _LABELS[name], **own)


NAVIGATION = (NavigationItem(_("Store times"), STORE_HOURS, STORE, Right.MANAGE_STORE),)

PAGES = [
    DeskRoute(STORE_HOURS[1:], store_hours, title(_("Store times")), on_load=[StoreHoursPage.load]),
    DeskRoute(f"{STORE_HOURS[1:]}/[store]", store_hours, title(_("Store times"), _NAME), on_load=[StoreHoursPage.load]),
]
