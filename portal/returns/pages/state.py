"""One return: how far it is, what it is worth, what can still be done about it (part-2 §2, §4)."""

from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.registry import ask
from portal.contract.returns import BatteryAnswer, ReturnDetail
from portal.contract.returns_api import ReturnsApi
from portal.domain.codes import Code
from portal.domain.marks import N_
from portal.states.page import Question, last_part
from portal.states.policy import customer
from portal.states.return_actions import ReturnActions
from portal.states.toasts import Toasts
from portal.states.views.customer import text_in
from portal.states.views.returns import ReturnView, return_view
from portal.states.withdrawing import BATTERY
from portal.vocabulary.actions import Topic
from portal.vocabulary.returns import ReturnKind


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
            told = N_("Your exchange has been cancelled") if exchange else N_("Your return has been cancelled")
            (await self.get_state(Toasts))._add("success", told)

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
