"""State of the page with waiting time, opening hours and vacation of a store."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ClassVar

import reflex as rx
from pydantic import computed_field

from portal.contract.registry import ask
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.load import Question, last_part, text_in
from portal.frontend.models import viewed
from portal.frontend.policies import staff
from portal.kernel import days
from portal.kernel.texts import N_
from portal.locations.api import OpenDay
from portal.master_data.api import AnnouncedChange, HoursEntry, StoreHours, StoreHoursApi, VacationEntry, WaitingEntry
from portal.staff.api.people import StoreName
from portal.vocabulary.staff import Right

STORE_HOURS = "/store-hours"

WAITING, HOURS, VACATION, WITHDRAWAL = "waiting", "hours", "vacation", "withdrawal"
"""What can be changed; also the prefix of the fields and their errors."""

DAY_FIELDS = tuple(f"{HOURS}-{day}" for day in days.WEEKDAYS)
"""A row of the week; its times are `hours-1-opens` and `hours-1-closes`."""

FIELDS = ("waiting-waiting_weeks", "waiting-valid_from", *DAY_FIELDS, "hours-valid_from", "vacation-vacation_from",
          "vacation-vacation_until", "vacation-valid_from")  # fmt: skip


class ShownStoreChange(AnnouncedChange):
    """A change as the page reads it."""

    @computed_field
    @property
    def weeks(self) -> str:
        """Lower bound of the waiting time; empty if it does not change."""
        return str(self.values.get("waiting_weeks", ""))

    @computed_field
    @property
    def vacation(self) -> list[str] | None:
        """First and last day of the vacation, empty if it ends; None if it does not change."""
        days_of = (self.values.get("vacation_from"), self.values.get("vacation_until"))
        return list(filter(None, days_of)) if "vacation_from" in self.values else None

    @computed_field
    @property
    def hours(self) -> list[list[OpenDay]] | None:
        """Opening hours, empty if they become unknown; None if they do not change."""
        return runs(days.read(self.values["opening_hours"] or "")) if "opening_hours" in self.values else None


class StoreHoursPage(DeskForms, DeskPage, rx.State):
    """Waiting time, opening hours and vacation of the store in the address; without one, of the person's first store.

    Attributes:
        now: what is shown; None if the person has no store. Its changes are `announced` and `made`, by day.
        opens, closes: of each weekday, Monday first; empty on a day on which it is closed.
        hours: the same, the first and the last of days with equal hours.
    """

    stores: rx.Field[list[StoreName]] = rx.field(default_factory=list)
    now: rx.Field[StoreHours | None] = rx.field(None)
    opens: rx.Field[list[str]] = rx.field(default_factory=list)
    closes: rx.Field[list[str]] = rx.field(default_factory=list)
    hours: rx.Field[list[list[OpenDay]]] = rx.field(default_factory=list)
    announced: rx.Field[list[ShownStoreChange]] = rx.field(default_factory=list)
    made: rx.Field[list[ShownStoreChange]] = rx.field(default_factory=list)
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
            store_id = self.now.store.store_id if self.now else ""
        done = N_("Taken back") if form == WITHDRAWAL else N_("Saved")
        hours = await self._answer(form, lambda token: change(token, store_id), done)
        if hours is not None:
            async with self:
                self._show_hours(hours)

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
