"""States of the order status page and of the change of the delivery day (part-2 §2).

Three pages show this state: the entry, the days, and the check. What is chosen travels in the address, so that a
page that is loaded anew knows it.
"""

import re
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError, TooMany, Unavailable
from portal.contract.registry import ask
from portal.deliveries.api import DateChoice, DeliveriesApi, DeliveryDates, OrderStatus
from portal.deliveries.pages.views import DatesView, OrderStatusView, dates_view, order_status_view, week_of
from portal.frontend.live import Live
from portal.frontend.session import customer, session_ended, session_token
from portal.frontend.state import Question, last_part, text_in
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import N_
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import PENDING

DAY, WEEK = "day", "week"
"""Names of the choices, in the form and in the address."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class DeliveryDatePage(Live, rx.State):
    """The order that the address names; another customer's order is not found.

    Attributes:
        dates: what can be chosen, or why nothing can, and how the last wish stands.
        week: the week that was chosen, such as '2026-W24'.
        day: the day that was chosen, which the check page tells.
        wrong_week, wrong_day: codes of what is wrong with the choice; empty when nothing is.
        failure: why asking, sending again or taking back failed, a code of the catalogue.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        resent: the mail has just been sent again.
        answered: counts the answers.
        attempt: counts those that say what is wrong.
        withdrawn: counts the wishes that were taken back while the page was open.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    dates: rx.Field[DatesView] = rx.field(default_factory=DatesView)
    week: rx.Field[str] = rx.field("")
    day: rx.Field[str] = rx.field("")
    wrong_week: rx.Field[str] = rx.field("")
    wrong_day: rx.Field[str] = rx.field("")
    failure: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    resent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    withdrawn: rx.Field[int] = rx.field(0)
    _choice_refused: bool = False

    def _before_load(self) -> bool:
        # What a page before has just found wrong is for this page to tell.
        if not self._choice_refused:
            self._forget()
        self._choice_refused, self.withdrawn = False, 0
        return True

    async def _after_load(self, *, shown: bool) -> Any:
        # Without a day that can be had there is nothing to check.
        checking = self.router.url.path.rstrip("/").endswith("/check")
        asked = self._asked()
        if not (shown and checking) or self.dates.date_status or (asked and asked == self.day):
            return None
        if asked:
            self._choice_refused, self.wrong_week = True, self._why_not(asked).value
            self.attempt += 1
        return rx.redirect(f"{path_of(self.dates.number)}/choose", replace=True)

    @rx.event
    @customer
    async def choose(self, form: dict[str, Any]) -> Any:
        """Go on to checking the day of the chosen week."""
        self._forget()
        self.answered += 1
        self.week = text_in(form, WEEK)
        day = text_in(form, f"{DAY}-{self.week}")
        week = next((week for week in self.dates.weeks if week.id == self.week), None)
        if week is None:
            self.wrong_week = Code.REQUIRED.value
        elif not day:
            self.wrong_day = Code.REQUIRED.value
        elif week_of(self.dates, day) != self.week:
            self.wrong_day = self._why_not(day).value
        else:
            self.day = day
            return rx.redirect(f"{path_of(self.dates.number)}/check?{DAY}={day}")
        self.attempt += 1
        return None

    @rx.event(background=True)
    @customer
    async def send(self, form: dict[str, Any]) -> Any:
        """Ask for the day; a link to confirm it is mailed."""
        async with self:
            self._forget()
            number, token = self.dates.number, session_token(self)
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
        """Have the mail with the link sent again."""
        async with self:
            self._forget()
            number, token = self.dates.number, session_token(self)
        try:
            await ask(DeliveriesApi).resend_delivery_date(token, number)
        except ProviderError as error:
            await self._not_done(error)
            return
        await self._ask()
        async with self:
            self.resent = True

    @rx.event(background=True)
    @customer
    async def withdraw(self) -> None:
        """Take the wish back; its links become worthless."""
        async with self:
            self._forget()
            number, token = self.dates.number, session_token(self)
        try:
            await ask(DeliveriesApi).cancel_delivery_date(token, number)
        except ProviderError as error:
            await self._not_done(error)
            return
        await self._ask()
        async with self:
            self.withdrawn += 1
            (await self.get_state(Toasts))._add("success", N_("Your request has been taken back"))

    async def _refused(self, error: ProviderError) -> Any:
        """Tell why the day was not asked for, where something can be done about it."""
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
                # A rule says no: the first page shows which.
                known = self.dates.date_status not in {"", *PENDING}
                self.failure = "" if known else error.code.value
                return rx.redirect(path_of(number), replace=True)
            self.wrong_day = wrong.value if self.week else ""
            self.wrong_week = "" if self.week else wrong.value
            return rx.redirect(f"{path_of(number)}/choose", replace=True)

    async def _not_done(self, error: ProviderError) -> None:
        """Tell why the pending wish is as it was; when it no longer waits, show how it stands."""
        if not isinstance(error, (TooMany, Unavailable, NotAuthenticated)):
            await self._ask()
            async with self:
                gone = isinstance(error, NotFound) or not self.dates.change.pending
            if gone:
                return
        known = isinstance(error, TooMany)
        await self._complain(error, MESSAGES[error.code] if known else N_("Something went wrong"))

    async def _complain(self, error: ProviderError, title: str) -> None:
        async with self:
            self.answered += 1
            self.attempt += 1
            self.failure = error.code.value
            self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
            if isinstance(error, NotAuthenticated):
                await session_ended(self)
                return
            (await self.get_state(Toasts))._add("error", title)

    def _forget(self) -> None:
        self.wrong_week = self.wrong_day = self.failure = self.retry_at = ""
        self.resent = False

    def _about(self) -> str:
        return self.router.url.path.split("/")[2]

    def _question(self) -> Question[DeliveryDates]:
        number = self._about()
        return lambda token: ask(DeliveriesApi).delivery_dates(token, number)

    def _show(self, dates: DeliveryDates) -> None:
        self.dates = dates_view(dates)
        # The address decides; without a day in it, what was chosen before stays chosen as long as it can be had.
        day = self._asked() or self.day
        week = week_of(self.dates, day) if day else ""
        self.week, self.day = (week, day) if week else (self.week, "")

    def _asked(self) -> str:
        """The day that the address names; empty for anything else."""
        text = str(self.router.url.query_parameters.get(DAY, ""))
        return text if _DAY.fullmatch(text) else ""

    def _why_not(self, day: str) -> Code:
        return Code.SAME_DELIVERY_DAY if day == self.dates.day else Code.DELIVERY_DAY_TAKEN


def path_of(number: str) -> str:
    """The first page of moving the delivery of an order."""
    return f"/delivery-date/{number}"


class OrderStatusPage(Live, rx.State):
    """The order that the address names; another customer's order is not found.

    Attributes:
        order: everything that is known of its way.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.DELIVERIES,)
    order: rx.Field[OrderStatusView] = rx.field(default_factory=OrderStatusView)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[OrderStatus]:
        number = self._about()
        return lambda token: ask(DeliveriesApi).order_status(token, number)

    def _show(self, order: OrderStatus) -> None:
        self.order = order_status_view(order)
