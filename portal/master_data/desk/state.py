"""State of the page with waiting time, opening hours and vacation of a store."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

import reflex as rx

from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.load import Question, last_part, text_in
from portal.frontend.policies import staff
from portal.kernel import days
from portal.kernel.texts import N_
from portal.master_data.api import (
    AnnouncedChange,
    HoursEntry,
    StoreHours,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.staff.api import Store
from portal.vocabulary.staff import Right

STORE_HOURS = "/store-hours"

WAITING, HOURS, VACATION, WITHDRAWAL = "waiting", "hours", "vacation", "withdrawal"
"""What can be changed; also the prefix of the fields and their errors."""

DAY_FIELDS = tuple(f"{HOURS}-{day}" for day in days.WEEKDAYS)
"""A row of the week; its times are `hours-1-opens` and `hours-1-closes`."""

FIELDS = ("waiting-waiting_weeks", "waiting-valid_from", *DAY_FIELDS, "hours-valid_from", "vacation-vacation_from",
          "vacation-vacation_until", "vacation-valid_from")  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoreLink:
    """A store that the person manages."""

    store_id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class HoursLine:
    """Consecutive weekdays with the same hours; 1 is Monday."""

    first: str = ""
    last: str = ""
    opens: str = ""
    closes: str = ""


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A change. Days are ISO 8601; `waiting_weeks` is empty when it does not change.

    Attributes:
        vacation: whether the vacation changes; without days it ends.
        hours: whether the opening hours change; without lines they become unknown.
    """

    valid_from: str = ""
    applied: bool = False
    waiting_weeks: str = ""
    vacation: bool = False
    vacation_from: str = ""
    vacation_until: str = ""
    hours: bool = False
    lines: list[HoursLine] = field(default_factory=list)


class StoreHoursPage(DeskForms, DeskPage, rx.State):
    """Waiting time, opening hours and vacation of the store in the address; without one, of the person's first store.

    Attributes:
        store: what is shown; empty if the person has no store.
        opens, closes: of each weekday, Monday first; empty on a day on which it is closed.
        hours: the same, days with equal hours together.
        waiting_weeks, vacation_from, vacation_until: as they are today; days are ISO 8601.
        today: local day, the earliest from which a change holds.
        announced, made: changes by day.
    """

    stores: rx.Field[list[StoreLink]] = rx.field(default_factory=list)
    store: rx.Field[StoreLink] = rx.field(default_factory=StoreLink)
    opens: rx.Field[list[str]] = rx.field(default_factory=list)
    closes: rx.Field[list[str]] = rx.field(default_factory=list)
    hours: rx.Field[list[HoursLine]] = rx.field(default_factory=list)
    waiting_weeks: rx.Field[int] = rx.field(0)
    vacation_from: rx.Field[str] = rx.field("")
    vacation_until: rx.Field[str] = rx.field("")
    today: rx.Field[str] = rx.field("")
    announced: rx.Field[list[ChangeView]] = rx.field(default_factory=list)
    made: rx.Field[list[ChangeView]] = rx.field(default_factory=list)
    _fields: ClassVar[tuple[str, ...]] = FIELDS

    @rx.event
    @staff(Right.MANAGE_STORE)
    def open_store(self, store_id: str) -> Any:
        known = any(store.store_id == store_id for store in self.stores)
        return rx.redirect(f"{STORE_HOURS}/{store_id}") if known else None

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_waiting_time(self, form: dict[str, Any]) -> None:
        entry = WaitingEntry(
            waiting_weeks=text_in(form, "waiting-waiting_weeks"), valid_from=text_in(form, "waiting-valid_from")
        )
        await self._change(WAITING, lambda token, store: ask(StoreHoursApi).change_waiting_time(token, store, entry))

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_opening_hours(self, form: dict[str, Any]) -> None:
        entry = HoursEntry(
            opens=[text_in(form, f"{name}-opens") for name in DAY_FIELDS],
            closes=[text_in(form, f"{name}-closes") for name in DAY_FIELDS],
            valid_from=text_in(form, "hours-valid_from"),
        )
        await self._change(HOURS, lambda token, store: ask(StoreHoursApi).change_opening_hours(token, store, entry))

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def change_vacation(self, form: dict[str, Any]) -> None:
        entry = VacationEntry(
            vacation_from=text_in(form, "vacation-vacation_from"),
            vacation_until=text_in(form, "vacation-vacation_until"),
            valid_from=text_in(form, "vacation-valid_from"),
        )
        await self._change(VACATION, lambda token, store: ask(StoreHoursApi).change_vacation(token, store, entry))

    @rx.event(background=True)
    @staff(Right.MANAGE_STORE)
    async def withdraw(self, valid_from: str) -> None:
        """Take back what was announced for a day."""
        day = valid_from[:10]
        await self._change(WITHDRAWAL, lambda token, store: ask(StoreHoursApi).withdraw_store_change(token, store, day))

    async def _change(self, form: str, change: Callable[[str, str], Awaitable[StoreHours]]) -> None:
        async with self:
            store_id = self.store.store_id
        done = N_("Taken back") if form == WITHDRAWAL else N_("Saved")
        hours = await self._answer(form, lambda token: change(token, store_id), done)
        if hours is not None:
            async with self:
                self._show_hours(hours)

    def _about(self) -> str:
        part = last_part(self)
        return "" if part == STORE_HOURS[1:] else part

    def _question(self) -> Question[tuple[list[Store], StoreHours | None]]:
        about = self._about()

        async def ask_for(token: str) -> tuple[list[Store], StoreHours | None]:
            stores = await ask(StoreHoursApi).managed_stores(token)
            store_id = about or next((store.store_id for store in stores), "")
            return stores, await ask(StoreHoursApi).store_hours(token, store_id) if store_id else None

        return ask_for

    def _show(self, answer: tuple[list[Store], StoreHours | None]) -> None:
        stores, hours = answer
        self.stores = [StoreLink(store.store_id, store.name) for store in stores]
        if hours is None:
            self.store = StoreLink()
        else:
            self._show_hours(hours)

    def _show_hours(self, hours: StoreHours) -> None:
        self.store = StoreLink(hours.store.store_id, hours.store.name)
        self.waiting_weeks = hours.waiting_weeks
        by_day = {str(open_day.weekday): open_day for open_day in hours.opening_hours}
        self.opens = [by_day[day].opens if day in by_day else "" for day in days.WEEKDAYS]
        self.closes = [by_day[day].closes if day in by_day else "" for day in days.WEEKDAYS]
        self.hours = _lines(hours.opening_hours)
        self.vacation_from, self.vacation_until = _iso(hours.vacation_from), _iso(hours.vacation_until)
        self.today = hours.today.isoformat()
        views = [_view(change) for change in hours.changes]
        self.announced = [view for view in views if not view.applied]
        self.made = [view for view in reversed(views) if view.applied]
        self._forget_errors()


def _view(change: AnnouncedChange) -> ChangeView:
    values = change.values
    return ChangeView(
        change.valid_from.isoformat(),
        change.applied,
        str(values.get("waiting_weeks", "")),
        "vacation_from" in values,
        values.get("vacation_from") or "",
        values.get("vacation_until") or "",
        "opening_hours" in values,
        _lines(days.read(values.get("opening_hours") or "")),
    )


def _lines(open_days: Iterable[days.OpenOn]) -> list[HoursLine]:
    return [
        HoursLine(str(first.weekday), str(last.weekday), first.opens, first.closes)
        for first, last in days.runs(open_days)
    ]


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""
