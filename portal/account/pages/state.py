"""Another e-mail address: the code goes to the old one, so that nobody takes an account along (part-1 §10)."""

from typing import Any

import reflex as rx

from portal.contract.account import EmailChange as Wish
from portal.contract.account import EmailChangeCode, EmailChangeSent, UserData
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.login_api import LoginApi
from portal.contract.registry import ask
from portal.domain.codes import Code
from portal.domain.marks import N_
from portal.states.my_data import MyData
from portal.states.policy import customer
from portal.states.session import Session, session_ended, session_token
from portal.states.toasts import Toasts
from portal.states.views.customer import text_in

CLOSED, ADDRESS, CODE = "", "address", "code"
"""Nothing going on, asking for the new address, asking for the code."""
_SPENT = frozenset({Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE})


class EmailChange(rx.State):
    """Changing the e-mail address.

    Attributes:
        step: `CLOSED`, `ADDRESS` or `CODE`.
        wanted: the address that was asked for.
        sent_to: where the code went, masked.
        expires_at: when the code stops working (ISO 8601, UTC).
        resend_at: from when another code can be asked for (ISO 8601, UTC).
        problem: why the last try was refused, a code of the catalogue.
        retry_at: when to try again, when the provider said so (ISO 8601, UTC).
        spent: the code can no longer be used; only a new one helps.
        resent: another code has just been sent.
        answered: counts the answers.
        attempt: counts the refusals.
    """

    step: rx.Field[str] = rx.field(CLOSED)
    wanted: rx.Field[str] = rx.field("")
    sent_to: rx.Field[str] = rx.field("")
    expires_at: rx.Field[str] = rx.field("")
    resend_at: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    spent: rx.Field[bool] = rx.field(False)
    resent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    async def begin(self) -> None:
        """Ask for the new address."""
        self.reset()
        self.step = ADDRESS
        page = await self.get_state(MyData)
        page.editing, page.saved = "", ""

    @rx.event
    @customer
    async def close(self) -> None:
        """Leave it as it is."""
        self.reset()

    @rx.event
    @customer
    async def back(self) -> None:
        """Type another address."""
        self.step, self.problem, self.retry_at, self.spent, self.resent = ADDRESS, "", "", False, False

    @rx.event(background=True)
    @customer
    async def request(self, form: dict[str, Any]) -> None:
        """Send a code to the old address."""
        async with self:
            self.wanted = text_in(form, "email").strip()
        await self._send(again=False)

    @rx.event(background=True)
    @customer
    async def resend(self) -> None:
        """Send another code."""
        await self._send(again=True)

    @rx.event(background=True)
    @customer
    async def confirm(self, form: dict[str, Any]) -> None:
        """Take the new address into use."""
        async with self:
            token = session_token(self)
        try:
            data = await ask(LoginApi).confirm_email_change(token, EmailChangeCode(code=text_in(form, "code")))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            await self._changed(data)

    async def _send(self, *, again: bool) -> None:
        async with self:
            token, wanted = session_token(self), self.wanted
        try:
            sent = await ask(LoginApi).request_email_change(token, Wish(email=wanted))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            self._sent(sent, again=again)

    def _sent(self, sent: EmailChangeSent, *, again: bool) -> None:
        self.step, self.sent_to = CODE, sent.email
        self.expires_at, self.resend_at = sent.expires_at.isoformat(), sent.resend_at.isoformat()
        self.problem, self.retry_at, self.spent, self.resent = "", "", False, again
        self.answered += 1

    async def _changed(self, data: UserData) -> None:
        answered = self.answered + 1
        self.reset()
        self.answered = answered
        page = await self.get_state(MyData)
        page._show(data)
        page.saved = "email"
        (await self.get_state(Session))._remember(data)
        (await self.get_state(Toasts))._add("success", N_("Your email address has been changed"))

    async def _refuse(self, error: ProviderError) -> None:
        self.answered += 1
        self.attempt += 1
        self.problem = error.fields.get("email", error.code).value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        self.spent, self.resent = error.code in _SPENT, False
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
