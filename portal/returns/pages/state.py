"""States of the list of returns and of the page of one (part-2 §2)."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError, Refused
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.frontend.live import Live
from portal.frontend.session import customer
from portal.frontend.state import COUNTS, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.api import BatteryAnswer, ReturnDetail, ReturnsApi, ReturnSummary
from portal.returns.pages.battery import BATTERY
from portal.returns.pages.views import ReturnListItem, ReturnView, return_list_item, return_view
from portal.vocabulary.actions import Topic
from portal.vocabulary.returns import ReturnKind


class ReturnActions(Live, mixin=True):
    """A page that shows returns.

    Attributes:
        asked: id of the return that something was last done about.
        sent_to: where a new mail went, masked; empty when none did.
        refusal: why it was not done, a code of the catalogue.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        answered: counts the answers.
        failures: counts the refusals.
        battery_error: code of what is wrong with the answer about a battery.
    """

    asked: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    battery_error: rx.Field[str] = rx.field("")

    async def _resend(self, return_id: str) -> None:
        """Have the link mailed again, and show how the return stands after that."""
        sent = await self._do(return_id, lambda token: ask(ReturnsApi).resend_return(token, return_id))
        if sent is None:
            return
        async with self:
            self.sent_to = sent.email
        await self._ask()

    async def _do(self, return_id: str, act: Callable[[str], Awaitable[Any]]) -> Any:
        """Do something about a return. Runs in a background event.

        Returns:
            What the provider answered; none when it refused.
        """
        if not (token := await self._token()):
            return None
        answer, problem = None, None
        try:
            answer = await act(token)
        except NotAuthenticated:
            await self._ended()
        except ProviderError as error:
            problem = error
        async with self:
            self.asked, self.sent_to, self.refusal, self.retry_at = return_id, "", "", ""
            self.answered += 1
            if problem is not None:
                self.refusal, self.failures = problem.code.value, self.failures + 1
                self.retry_at = problem.retry_at.isoformat() if problem.retry_at else ""
        return answer


class Returns(ReturnActions, Paginated, rx.State):
    """One page of the list, newest first.

    Attributes:
        going_on: returns of this page that are going on, or wait for the customer.
        earlier: returns of this page that are over.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS,)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("going_on", "earlier", *COUNTS)
    going_on: rx.Field[list[ReturnListItem]] = rx.field(default_factory=list)
    earlier: rx.Field[list[ReturnListItem]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def resend(self, form: dict[str, Any]) -> None:
        """Have the link to a return mailed again."""
        await self._resend(text_in(form, "return"))

    def _question(self) -> Question[Page[ReturnSummary]]:
        page = page_asked(self)
        return lambda token: ask(ReturnsApi).returns(token, page)

    def _show(self, part: Page[ReturnSummary]) -> None:
        rows = [return_list_item(entry) for entry in part.items]
        self.going_on = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)


class ReturnPage(ReturnActions, rx.State):
    """The return that the address names; another customer's return is not found.

    Attributes:
        shown: everything that is known of it.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS,)
    shown: rx.Field[ReturnView] = rx.field(default_factory=ReturnView)

    @rx.event(background=True)
    @customer
    async def resend(self, form: dict[str, Any]) -> None:  # noqa: ARG002 - the form has no fields
        """Have its link mailed again."""
        async with self:
            return_id = self.subject
        await self._resend(return_id)

    @rx.event(background=True)
    @customer
    async def cancel(self) -> None:
        """Cancel it, as long as nothing was picked up."""
        async with self:
            return_id = self.subject
        done = await self._do(return_id, lambda token: ask(ReturnsApi).cancel_return(token, return_id))
        if done is None:
            return
        async with self:
            if self.subject == return_id:
                self._show(done)
            exchange = self.shown.kind == ReturnKind.EXCHANGE
            message = N_("Your exchange has been cancelled") if exchange else N_("Your return has been cancelled")
            (await self.get_state(Toasts))._add("success", message)

    @rx.event(background=True)
    @customer
    async def answer_battery(self, form: dict[str, Any]) -> None:
        """Say how its battery is. Where that was said meanwhile, the page shows what was."""
        given = text_in(form, BATTERY)
        async with self:
            return_id = self.subject
            self.battery_error = "" if given else Code.REQUIRED.value
            self.refusal, self.answered, self.failures = "", self.answered + (not given), self.failures + (not given)
        if not given:
            return
        entry = BatteryAnswer(return_id=return_id, battery=given)
        done = await self._do(return_id, lambda token: ask(ReturnsApi).answer_battery(token, entry))
        async with self:
            if done is not None and self.subject == return_id:
                self._show(done)
            again = self.refusal == Code.STATUS_CHANGED.value
        if again:
            await self._ask()

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[ReturnDetail]:
        return_id = self._about()

        async def question(token: str) -> ReturnDetail:
            try:
                return await ask(ReturnsApi).return_detail(token, return_id)
            except (Refused, InvalidInput) as error:
                if error.code in (Code.ITEM_RETURN_DOES_NOT_EXIST, Code.MISSING_ID_PARAM):
                    raise NotFound from error
                raise

        return question

    def _show(self, found: ReturnDetail) -> None:
        self.shown = return_view(found)
