"""States of the order status page and of the pages for another delivery day (part-2 §2).

Three pages share `DeliveryDatePage`: the entry page, the choice of a day and the check. The address of the check page
contains the chosen day, so that a reload does not lose it.
"""

import re
from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, TooMany, Unavailable
from portal.contract.models import Model
from portal.contract.registry import ask
from portal.deliveries.api import DateChange, DateChoice, DeliveriesApi, DeliveryDates, DeliveryWeek
from portal.frontend.live import Live
from portal.frontend.load import Form, Question, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import PENDING, date_change_tone, window_of
from portal.vocabulary.status import Tone

DAY, WEEK = "day", "week"
"""Names of the form fields. `DAY` is also the query parameter of the check page."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class ShownDateChange(DateChange):
    @computed
    def tone(self) -> Tone:
        return "warn" if self.asked else date_change_tone(self.status)

    @computed
    def pending(self) -> bool:
        return self.status in PENDING


FREE, FULL, CLOSED = "free", "full", "closed"
"""Kinds of days in the calendar: available, without a free place, without deliveries."""


class CalendarCell(Model):
    day: date
    number: int
    kind: str


class ShownWeek(DeliveryWeek):
    @computed
    def id(self) -> str:
        return f"{self.year}-W{self.week:02}"

    @computed
    def free(self) -> list[date]:
        return [entry.day for entry in self.days if entry.free]

    @computed
    def cells(self) -> list[CalendarCell]:
        kinds = {entry.day: FREE if entry.free else FULL for entry in self.days}
        days = [self.monday + timedelta(days=place) for place in range(7)]
        return [CalendarCell(day=day, number=day.day, kind=kinds.get(day, CLOSED)) for day in days]


class ShownDates(DeliveryDates):
    weeks: list[ShownWeek]  # pyrefly: ignore[bad-override]  # only read: the model is frozen
    change: ShownDateChange | None

    @computed
    def date_status(self) -> str:
        """Empty for the form; otherwise the status of the pending request or the code of the refusal."""
        if self.refusal is Code.DATE_CHANGE_PENDING and self.change and self.change.pending:
            return self.change.status.value
        return self.refusal.value if self.refusal else ""

    @computed
    def new_window(self) -> list[str]:
        return [*window_of(self.scheduled.from_time if self.scheduled else "")]

    def week_of(self, day: str) -> str:
        return next((week.id for week in self.weeks if day in map(str, week.free)), "")


class DeliveryDatePage(Live, rx.State):
    """The state of the pages for another delivery day. The address contains the order number.

    `day`: the chosen day, which the check page shows (ISO 8601).
    `wrong_week`, `wrong_day`: error codes of the choice; empty if there is no error.
    `failure`: error code of the last request, resend or cancellation; empty if it succeeded.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES, Topic.MESSAGES)
    dates: rx.Field[ShownDates | None] = rx.field(None)
    week: rx.Field[str] = rx.field("")
    day: rx.Field[str] = rx.field("")
    wrong_week: rx.Field[str] = rx.field("")
    wrong_day: rx.Field[str] = rx.field("")
    failure: rx.Field[str] = rx.field("")
    retry_at: rx.Field[datetime | None] = rx.field(None)
    resent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    withdrawn: rx.Field[int] = rx.field(0)
    _choice_refused: bool = False

    def _before_load(self) -> bool:
        # If the previous page redirected here because of an error, this page shows that error.
        if not self._choice_refused:
            self._forget()
        self._choice_refused, self.withdrawn = False, 0
        return True

    async def _after_load(self, *, shown: bool) -> Any:
        # The check page needs a valid day. Without one, go back to the choice.
        checking = self.router.url.path.rstrip("/").endswith("/check")
        asked = self._asked()
        if not (shown and checking and self.dates) or self.dates.date_status or (asked and asked == self.day):
            return None
        if asked:
            self._choice_refused, self.wrong_week = True, self._why_not(asked).value
            self.attempt += 1
        return rx.redirect(f"{path_of(self._about())}/choose", replace=True)

    @rx.event(background=True)
    @customer
    async def choose(self, form: Form) -> Any:
        await self._loaded()
        async with self:
            return self._take(form)

    def _take(self, form: Form) -> Any:
        self._forget()
        self.answered += 1
        self.week = text_in(form, WEEK)
        day = text_in(form, f"{DAY}-{self.week}")
        if not self.dates or self.week not in {week.id for week in self.dates.weeks}:
            self.wrong_week = Code.REQUIRED.value
        elif not day:
            self.wrong_day = Code.REQUIRED.value
        elif self.dates.week_of(day) != self.week:
            self.wrong_day = self._why_not(day).value
        else:
            self.day = day
            return rx.redirect(f"{path_of(self._about())}/check?{DAY}={day}")
        self.attempt += 1
        return None

    @rx.event(background=True)
    @customer
    async def send(self, form: Form) -> Any:
        await self._loaded()
        async with self:
            self._forget()
            number, token = self._about(), session_token(self)
        try:
            await ask(DeliveriesApi).request_delivery_date(token, number, DateChoice(day=text_in(form, DAY)[:40]))
        except ProviderError as error:
            return await self._refused(error)
        await self._ask()
        async with self:
            self.answered += 1
        return rx.redirect(path_of(number), replace=True)

    @rx.event(background=True)
    @customer
    async def resend(self) -> None:
        if await self._done(lambda token, number: ask(DeliveriesApi).resend_delivery_date(token, number)):
            async with self:
                self.resent = True

    @rx.event(background=True)
    @customer
    async def withdraw(self) -> None:
        if await self._done(lambda token, number: ask(DeliveriesApi).cancel_delivery_date(token, number)):
            async with self:
                self.withdrawn += 1
                (await self.get_state(Toasts))._add("success", N_("Your request has been cancelled"))

    async def _done(self, act: Callable[[str, str], Awaitable[Any]]) -> bool:
        await self._loaded()
        async with self:
            self._forget()
            number, token = self._about(), session_token(self)
        try:
            await act(token, number)
        except ProviderError as error:
            await self._not_done(error)
            return False
        await self._ask()
        return True

    async def _refused(self, error: ProviderError) -> Any:
        if isinstance(error, (TooMany, Unavailable)):
            await self._complain(error, MESSAGES[Code.DATE_CHANGE_FAILED])
            return None
        number = self._about()
        wrong = error.fields.get(DAY)
        await self._ask()
        async with self:
            self.answered += 1
            self.attempt += 1
            if isinstance(error, NotAuthenticated):
                await session_ended(self)
                return None
            (await self.get_state(Toasts))._add("error", MESSAGES[Code.DATE_CHANGE_FAILED])
            self._choice_refused = True
            if wrong is None:
                # The choice itself is valid but a rule forbids the change. The entry page shows which one.
                known = self.dates is not None and self.dates.date_status not in {"", *PENDING}
                self.failure = "" if known else error.code.value
                return rx.redirect(path_of(number), replace=True)
            self.wrong_day = wrong.value if self.week else ""
            self.wrong_week = "" if self.week else wrong.value
            return rx.redirect(f"{path_of(number)}/choose", replace=True)

    async def _not_done(self, error: ProviderError) -> None:
        """Show why a resend or cancellation failed. If the request is no longer pending, show its status instead."""
        if not isinstance(error, (TooMany, Unavailable, NotAuthenticated)):
            await self._ask()
            async with self:
                gone = isinstance(error, NotFound) or not (
                    self.dates and self.dates.change and self.dates.change.pending
                )
            if gone:
                return
        known = isinstance(error, TooMany)
        await self._complain(error, MESSAGES[error.code] if known else N_("Something went wrong"))

    async def _complain(self, error: ProviderError, title: str) -> None:
        async with self:
            self.answered += 1
            self.attempt += 1
            self.failure = error.code.value
            self.retry_at = error.retry_at
            if isinstance(error, NotAuthenticated):
                await session_ended(self)
                return
            (await self.get_state(Toasts))._add("error", title)

    def _forget(self) -> None:
        self.wrong_week = self.wrong_day = self.failure = ""
        self.retry_at, self.resent = None, False

    def _about(self) -> str:
        return self.router.url.path.split("/")[2]

    def _question(self) -> Question[DeliveryDates]:
        number = self._about()
        return lambda token: ask(DeliveriesApi).delivery_dates(token, number)

    def _show(self, dates: DeliveryDates) -> None:
        self.dates = shown = viewed(ShownDates, dates)
        # The day in the address wins. Without one, the earlier choice is kept as long as it is available.
        day = self._asked() or self.day
        week = shown.week_of(day)
        self.week, self.day = (week, day) if week else (self.week, "")

    def _asked(self) -> str:
        text = str(self.router.url.query_parameters.get(DAY, ""))
        return text if _DAY.fullmatch(text) else ""

    def _why_not(self, day: str) -> Code:
        return (
            Code.SAME_DELIVERY_DAY
            if self.dates and self.dates.scheduled and day == str(self.dates.scheduled.day)
            else Code.DELIVERY_DAY_TAKEN
        )


def path_of(number: str) -> str:
    return f"/delivery-date/{number}"
