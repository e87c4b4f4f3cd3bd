"""Own data: shown, and changed a section at a time (part-1 §2 Account area)."""

from typing import Any

import reflex as rx

from portal.contract.account import UserData
from portal.contract.account_api import AccountApi
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.contract.session_api import SessionApi
from portal.domain.marks import N_
from portal.states.page import FAILED, Loadable, Question
from portal.states.policy import customer
from portal.states.session import Session, session_ended, session_token
from portal.states.toasts import DATA_ERROR_MILLISECONDS, Toasts
from portal.states.views.customer import SECTIONS, CustomerView, customer_view, update_of


class MyData(Loadable, rx.State):
    """What is known of the customer.

    Attributes:
        data: the data.
        editing: the section that is being edited; empty while none is.
        errors: for each refused field, the code of the catalogue.
        refusal: why saving failed as a whole; empty when only fields are wrong.
        saved: the section that was just saved.
        left: the section that was just left without saving; its button takes the focus back.
        answered: counts the answers to the form, so that it knows when its own came.
        attempt: counts the refusals, so that the summary takes the focus.
    """

    data: rx.Field[CustomerView] = rx.field(default_factory=CustomerView)
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
        """Begin to edit a section."""
        if section in SECTIONS:
            self.editing, self.saved, self.left = section, "", ""
            self._forget_errors()

    @rx.event
    @customer
    async def cancel(self) -> None:
        """Stop editing; nothing is changed."""
        self.editing, self.left = "", self.editing
        self._forget_errors()

    @rx.event(background=True)
    @customer
    async def save(self, form: dict[str, Any]) -> None:
        """Save the section that is being edited. What was typed stays in the fields when it is refused."""
        async with self:
            section = self.editing
            if section not in SECTIONS:
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
            self._show(data)
            self.editing, self.saved = "", section
            self._forget_errors()
            self.answered += 1
            (await self.get_state(Session))._remember(data)
            (await self.get_state(Toasts))._add("success", N_("Your data has been saved"))

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

    async def _after_load(self, *, shown: bool) -> None:  # noqa: ARG002
        if self.face == FAILED:
            toasts = await self.get_state(Toasts)
            toasts._add("error", N_("Customer data could not be loaded."), timeout=DATA_ERROR_MILLISECONDS)

    def _question(self) -> Question[UserData]:
        return lambda token: ask(SessionApi).customer_info(token)

    def _show(self, data: UserData) -> None:
        self.data = customer_view(data)

    def _forget_errors(self) -> None:
        self.errors, self.refusal = {}, ""
