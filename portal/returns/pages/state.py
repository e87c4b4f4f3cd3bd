"""The states of the list of returns and of the page of one return (part-2 §2)."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

import reflex as rx

from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.models import Page
from portal.contract.registry import ask
from portal.conversations.api import Conversation
from portal.conversations.pages.state import Conversing, conversation_about
from portal.frontend.live import Live
from portal.frontend.load import COUNTS, Form, Paginated, Question, last_part, page_asked, text_in
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer
from portal.frontend.toasts import Toasts
from portal.kernel.address import address_lines, readable_phone, route_url
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.returns.api import (
    MAX_HOLDER,
    MAX_IBAN,
    BatteryAnswer,
    OwnRefundAccount,
    ReturnDetail,
    ReturnedItem,
    ReturnsApi,
    ReturnStore,
    ReturnSummary,
)
from portal.returns.flow.items import BATTERY
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.returns import DONE, GIVES_BACK, ReturnKind, return_tone
from portal.vocabulary.status import Tone

HOLDER, IBAN = "holder", "iban"
ACCOUNT_FIELDS = (HOLDER, IBAN)
"""Names of the fields of the account for a refund."""

CLOSED = DONE | GIVES_BACK
"""Statuses of finished returns."""


def return_path(return_id: str) -> str:
    return f"/returns/{return_id}"


class ListedReturn(ReturnSummary):
    @computed
    def tone(self) -> Tone:
        return "warn" if self.asked else return_tone(self.status)

    @computed
    def orders(self) -> str:
        return ", ".join(self.order_numbers or [self.order_number])

    @computed
    def closed(self) -> bool:
        return self.status in CLOSED and not self.can_resend


class ShownReturnItem(ReturnedItem):
    """Units of one order line. `details` is colour and size, `frames` the frame numbers; both may be empty."""

    @computed
    def details(self) -> str:
        return ", ".join(part for part in (self.item_color, self.frame_size) if part)

    @computed
    def frames(self) -> str:
        return ", ".join(self.frame_numbers)


class ShownStore(ReturnStore):
    @computed
    def readable_phone(self) -> str:
        return readable_phone(self.phone)

    @computed
    def route(self) -> str:
        return route_url(self.name, *address_lines(self))


class ShownReturn(ReturnDetail):
    items: list[ShownReturnItem]  # pyrefly: ignore[bad-override]  # the model is frozen, so its list is only read
    store: ShownStore | None = None

    @computed
    def tone(self) -> Tone:
        return return_tone(self.status)

    @computed
    def closed(self) -> bool:
        return self.status in CLOSED

    @computed
    def frames(self) -> str:
        return ", ".join(item.frames for item in self.items if item.frames)


class ReturnActions(Live, mixin=True):
    """The actions that a page of returns offers, and their results.

    `sent_to`: address to which the link was mailed again; empty when it was not.
    `retry_at`: when to try again (ISO 8601, UTC); empty when the provider did not say.
    """

    asked: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    failures: rx.Field[int] = rx.field(0)
    battery_error: rx.Field[str] = rx.field("")
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)

    async def _resend(self, return_id: str) -> None:
        """Mail the link again, then load the page again."""
        sent = await self._do(return_id, lambda token: ask(ReturnsApi).resend_return(token, return_id))
        if sent is None:
            return
        async with self:
            self.sent_to = sent.email
        await self._ask()

    async def _do(self, return_id: str, act: Callable[[str], Awaitable[Any]]) -> Any:
        """Run an action on a return in a background event, and set the result variables."""
        answer, problem = await self._try(act)
        async with self:
            self.asked, self.sent_to, self.refusal, self.retry_at = return_id, "", "", ""
            self.errors = {}
            self.answered += 1
            if problem is not None:
                self.errors = {name: code.value for name, code in problem.fields.items() if name in ACCOUNT_FIELDS}
                self.refusal, self.failures = "" if self.errors else problem.code.value, self.failures + 1
                self.retry_at = problem.retry_at.isoformat() if problem.retry_at else ""
        return answer


class Returns(ReturnActions, Paginated, rx.State):
    """One page of the list, newest first."""

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS, Topic.MESSAGES)
    _browser_keeps: ClassVar[tuple[str, ...]] = ("under_way", "earlier", *COUNTS)
    under_way: rx.Field[list[ListedReturn]] = rx.field(default_factory=list)
    earlier: rx.Field[list[ListedReturn]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @customer
    async def resend(self, form: Form) -> None:
        await self._resend(text_in(form, "return"))

    def _question(self) -> Question[Page[ReturnSummary]]:
        page = page_asked(self)
        return lambda token: ask(ReturnsApi).returns(token, page)

    def _show(self, part: Page[ReturnSummary]) -> None:
        rows = [viewed(ListedReturn, entry) for entry in part.items]
        self.under_way = [row for row in rows if not row.closed]
        self.earlier = [row for row in rows if row.closed]
        self._count(part)


class ReturnPage(Conversing, ReturnActions, rx.State):
    """The return that the URL names. Another customer's return is reported as missing.

    `accounts`: number of accounts that were named, so that the form is empty again.
    """

    _topics: ClassVar[tuple[Topic, ...]] = (Topic.RETURNS, Topic.MESSAGES)
    shown: rx.Field[ShownReturn | None] = rx.field(None)
    accounts: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def resend(self, form: Form) -> None:  # noqa: ARG002 - the form has no fields
        await self._loaded()
        async with self:
            return_id = self.subject
        await self._resend(return_id)

    @rx.event(background=True)
    @customer
    async def cancel(self) -> None:
        await self._loaded()
        done = await self._change(lambda token, return_id: ask(ReturnsApi).cancel_return(token, return_id))
        if done is not None:
            exchange = done.kind is ReturnKind.EXCHANGE
            message = N_("Your exchange has been cancelled") if exchange else N_("Your return has been cancelled")
            async with self:
                (await self.get_state(Toasts))._add("success", message)

    @rx.event(background=True)
    @customer
    async def answer_battery(self, form: Form) -> None:
        """Answer the battery question. If it was answered elsewhere meanwhile, load the page again."""
        answer = text_in(form, BATTERY)
        await self._loaded()
        async with self:
            self.battery_error = "" if answer else Code.REQUIRED.value
            self._wrong({} if answer else {BATTERY: Code.REQUIRED})
        if not answer:
            return
        await self._change(
            lambda token, return_id: ask(ReturnsApi).answer_battery(
                token, BatteryAnswer(return_id=return_id, battery=answer)
            )
        )
        async with self:
            outdated = self.refusal == Code.STATUS_CHANGED.value
        if outdated:
            await self._ask()

    @rx.event(background=True)
    @customer
    async def name_account(self, form: Form) -> None:
        holder, iban = (" ".join(text_in(form, name).split()) for name in ACCOUNT_FIELDS)
        wrong = {name: Code.REQUIRED for name, text in zip(ACCOUNT_FIELDS, (holder, iban), strict=True) if not text}
        if len(holder) > MAX_HOLDER:
            wrong[HOLDER] = Code.TOO_LONG
        if len(iban) > MAX_IBAN:
            wrong[IBAN] = Code.INVALID_IBAN
        await self._loaded()
        async with self:
            self.errors = {name: code.value for name, code in wrong.items()}
            self._wrong(wrong)
        if wrong:
            return
        done = await self._change(
            lambda token, return_id: ask(ReturnsApi).name_refund_account(
                token, OwnRefundAccount(return_id=return_id, holder=holder, iban=iban)
            )
        )
        if done is not None:
            async with self:
                self.accounts += 1
                (await self.get_state(Toasts))._add("success", N_("Saved. We’ve emailed you the last digits."))

    async def _change(self, act: Callable[[str, str], Awaitable[ReturnDetail]]) -> ReturnDetail | None:
        """Change the return of the page with its id, and show it."""
        async with self:
            return_id = self.subject
        done = await self._do(return_id, lambda token: act(token, return_id))
        if done is not None:
            async with self:
                if self.subject == return_id:
                    self.shown = viewed(ShownReturn, done)
        return done

    def _wrong(self, errors: dict[str, Code]) -> None:
        """Begin an answer to a form; with errors, it is the whole answer."""
        self.refusal = ""
        self.answered += bool(errors)
        self.failures += bool(errors)

    def _about(self) -> str:
        return last_part(self)

    def _case(self) -> tuple[str, str]:
        return (_kind_of_case(self.shown.kind), self.shown.reference) if self.shown else ("", "")

    def _question(self) -> Question[tuple[ReturnDetail, Conversation | None]]:
        return_id = self._about()

        async def question(token: str) -> tuple[ReturnDetail, Conversation | None]:
            try:
                found = await ask(ReturnsApi).return_detail(token, return_id)
            except (Refused, InvalidInput) as error:
                if error.code in (Code.ITEM_RETURN_DOES_NOT_EXIST, Code.MISSING_ID_PARAM):
                    raise NotFound from error
                raise
            return found, await conversation_about(token, _kind_of_case(found.kind), found.reference)

        return question

    def _show(self, loaded: tuple[ReturnDetail, Conversation | None]) -> None:
        found, conversation = loaded
        self.shown = viewed(ShownReturn, found)
        self._show_conversation(conversation)


def _kind_of_case(kind: str) -> str:
    """The kind of the case of a return: exchanges are returns for staff."""
    return (CaseKind.WITHDRAWAL if kind == ReturnKind.WITHDRAWAL else CaseKind.RETURN).value
