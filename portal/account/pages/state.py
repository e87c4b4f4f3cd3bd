"""States of the page with the customer's own data and of the e-mail change (part-1 §2 Account area)."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx
from typing_extensions import override

from portal.account.api import AccountApi, CustomerUpdate
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session import Customer, UserData
from portal.frontend.live import Loadable
from portal.frontend.load import FAILED, Question, text_in
from portal.frontend.policies import customer
from portal.frontend.session import SessionState, session_ended, session_token
from portal.frontend.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.kernel.address import readable_phone
from portal.kernel.texts import N_
from portal.login.api import EmailChange, EmailChangeCode, EmailChangeSent, LoginApi

SECTIONS: dict[str, tuple[str, ...]] = {
    "name": ("first_name", "prefix", "last_name"),
    "address": ("country_code", "post_code", "house_number", "house_number_addon", "street", "city"),
    "contact": ("phone",),
}


def update_of(shown: Customer, typed: Mapping[str, Any], section: str) -> CustomerUpdate:
    """The complete update: typed values for one section, shown values for all other fields."""
    values = {**shown.address.model_dump(mode="json"), **shown.model_dump(exclude={"address", "email"})}
    return CustomerUpdate.model_validate(values | {name: text_in(typed, name) for name in SECTIONS[section]})


class MyData(Loadable, rx.State):
    """The customer's own data and the section that is being edited.

    `editing`: the section that is being edited, a key of `SECTIONS`; may be empty.
    `refusal`: error code if saving failed; empty if only fields are invalid.
    `saved`: the section that was just saved, or `email`; may be empty.
    """

    _browser_keeps: ClassVar[tuple[str, ...]] = ("data", "phone")
    data: rx.Field[Customer | None] = rx.field(None)
    phone: rx.Field[str] = rx.field("")
    editing: rx.Field[str] = rx.field("")
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    saved: rx.Field[str] = rx.field("")
    left: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    async def edit(self, section: str) -> None:
        if section in SECTIONS:
            self.editing, self.saved, self.left = section, "", ""
            self._forget_errors()

    @rx.event
    @customer
    async def cancel(self) -> None:
        self.editing, self.left = "", self.editing
        self._forget_errors()

    @rx.event(background=True)
    @customer
    async def save(self, form: dict[str, Any]) -> None:
        """Save the section that is being edited. If it is refused, the fields keep the typed values."""
        async with self:
            section = self.editing
            if section not in SECTIONS or self.data is None:
                return
            update = update_of(self.data, form, section)
            token = session_token(self)
        try:
            data = await ask(AccountApi).update_customer(token, update)
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            self._show_newest(data)
            self.editing, self.saved = "", section
            self._forget_errors()
            self.answered += 1
            (await self.get_state(SessionState))._remember(data)
            (await self.get_state(Toasts))._add("success", N_("Your details have been saved"))

    async def _refuse(self, error: ProviderError) -> None:
        self.answered += 1
        self.attempt += 1
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        self.errors = {name: code.value for name, code in error.fields.items()}
        self.refusal = "" if isinstance(error, InvalidInput) and error.fields else error.code.value
        if self.refusal:
            toasts = await self.get_state(Toasts)
            toasts._add("error", N_("Something went wrong"), N_("Please try again"))

    @override
    async def _after_load(self, *, shown: bool) -> None:
        if self.view_state == FAILED:
            toasts = await self.get_state(Toasts)
            toasts._add("error", N_("Customer data could not be loaded."), timeout=DATA_ERROR_MILLISECONDS)

    def _question(self) -> Question[UserData]:
        return lambda token: ask(SessionApi).customer_info(token)

    def _show(self, data: UserData) -> None:
        self.data, self.phone = data.customer, readable_phone(data.customer.address.phone)

    def _forget_errors(self) -> None:
        self.errors, self.refusal = {}, ""


CLOSED, ADDRESS, CODE = "", "address", "code"
"""Steps of the e-mail change: not started, enter the new address, enter the code."""


class EmailChangePage(rx.State):
    """State of the e-mail change.

    `problem`: error code of the latest refusal; empty if there is none.
    `retry_at`: time from which another try is allowed (ISO 8601, UTC); empty if unknown.
    """

    step: rx.Field[str] = rx.field(CLOSED)
    wanted: rx.Field[str] = rx.field("")
    sent: rx.Field[EmailChangeSent | None] = rx.field(None)
    problem: rx.Field[str] = rx.field("")
    retry_at: rx.Field[str] = rx.field("")
    resent: rx.Field[bool] = rx.field(False)
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event
    @customer
    async def begin(self) -> None:
        self.reset()
        self.step = ADDRESS
        page = await self.get_state(MyData)
        page.editing, page.saved = "", ""

    @rx.event
    @customer
    async def close(self) -> None:
        self.reset()

    @rx.event
    @customer
    async def back(self) -> None:
        self.step, self.problem, self.retry_at, self.resent = ADDRESS, "", "", False

    @rx.event(background=True)
    @customer
    async def request(self, form: dict[str, Any]) -> None:
        async with self:
            self.wanted = text_in(form, "email").strip()
        await self._send(again=False)

    @rx.event(background=True)
    @customer
    async def resend(self) -> None:
        await self._send(again=True)

    @rx.event(background=True)
    @customer
    async def confirm(self, form: dict[str, Any]) -> None:
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
            sent = await ask(LoginApi).request_email_change(token, EmailChange(email=wanted))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return
        async with self:
            self._sent(sent, again=again)

    def _sent(self, sent: EmailChangeSent, *, again: bool) -> None:
        self.step, self.sent = CODE, sent
        self.problem, self.retry_at, self.resent = "", "", again
        self.answered += 1

    async def _changed(self, data: UserData) -> None:
        answered = self.answered + 1
        self.reset()
        self.answered = answered
        page = await self.get_state(MyData)
        page._show(data)
        page.saved = "email"
        (await self.get_state(SessionState))._remember(data)
        (await self.get_state(Toasts))._add("success", N_("Your email address has been changed"))

    async def _refuse(self, error: ProviderError) -> None:
        self.answered += 1
        self.attempt += 1
        self.problem = error.fields.get("email", error.code).value
        self.retry_at = error.retry_at.isoformat() if error.retry_at else ""
        self.resent = False
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
