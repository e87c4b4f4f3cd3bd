"""The base classes of the states of staff pages, and the counts of the navigation."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, ClassVar, TypeVar

import reflex as rx
from pydantic import ValidationError

from portal.contract.common_api import MAX_WAIT_SECONDS, NEVER_ASKED, Changes
from portal.contract.errors import FIELD_CODES, InvalidInput, NotAuthenticated, ProviderError
from portal.contract.models import Model
from portal.desk.session import SavedLink, session_ended, session_token, sources
from portal.frontend.load import Form, Loading, text_in
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.frontend.watch import Watching, rest
from portal.kernel.codes import Code
from portal.vocabulary.staff import Right

T = TypeVar("T")
M = TypeVar("M", bound=Model)

_FIELD_CODES = {**FIELD_CODES, "string_too_short": Code.REQUIRED}


def typed(model: type[M], form: Form, name: str = "", **more: Any) -> M:
    """The values of a form as a model of the API, whose field names it uses; a boolean field is a check box.

    `name`: of the form. `more`: fields that are not read from the form.
    Raises `ValidationError`, which `_send` shows beside the fields.
    """
    texts = {
        field: text_in(form, f"{name}-{field}" if name else field).strip()
        for field in model.model_fields
        if field not in more
    }
    boxes = {field: text == "yes" for field, text in texts.items() if model.model_fields[field].annotation is bool}
    return model.model_validate({**texts, **boxes, **more})


def _refused(error: ProviderError | ValidationError) -> ProviderError:
    if isinstance(error, ProviderError):
        return error
    fields = {str(each["loc"][0]): _FIELD_CODES.get(each["type"], Code.INVALID_INPUT) for each in error.errors()}
    return InvalidInput(Code.INVALID_INPUT, fields=fields)


class DeskPage(Loading, mixin=True):
    """A page that loads its data by operations for staff, which check right and store."""

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def load(self) -> Any:
        return (await self._exchange(opening=True))[1]

    def _session_token(self) -> str:
        return session_token(self)

    async def _session_ended(self) -> None:
        await session_ended(self)


class DeskForms(rx.State, mixin=True):
    """A page that changes something, with forms or with buttons.

    Where a page has several forms, each has a name, with which the names of its fields begin: `address-street`. The
    only form of a page is named "", and its fields have their plain names.
    """

    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refusal: rx.Field[str] = rx.field("")
    refused: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)
    sent: rx.Field[int] = rx.field(0)
    _fields: ClassVar[tuple[str, ...]] = ()
    """Names of all fields; an error about anything else is one of the form."""

    async def _send(
        self, form: str, change: Callable[[str], Awaitable[T]], done: str = "", show: Callable[[T], None] | None = None
    ) -> tuple[bool, T | None]:
        """Change something for a form, and show its answer or why it was refused."""
        try:
            async with self:
                token = session_token(self)
            answer = await change(token)
        except (ProviderError, ValidationError) as refusal:  # the latter while the entry is made
            error = _refused(refusal)
            async with self:
                self._refuse_form(form, error.code, {name: code.value for name, code in error.fields.items()})
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
            return False, None
        async with self:
            self._forget_errors()
            self.answered += 1
            self.sent += 1
            if done:
                (await self.get_state(Toasts))._add("success", done)
            if show:
                show(answer)
        return True, answer

    async def _answer(
        self, form: str, change: Callable[[str], Awaitable[T]], done: str = "", show: Callable[[T], None] | None = None
    ) -> T | None:
        return (await self._send(form, change, done, show))[1]

    def _refuse_form(self, form: str, code: Code, fields: dict[str, str]) -> None:
        named = {f"{form}-{name}" if form else name: error for name, error in fields.items()}
        self.errors = {name: error for name, error in named.items() if name in self._fields}
        self.refusal, self.refused = ("", "") if self.errors else (code.value, form)
        self.answered += 1
        self.attempt += 1

    def _forget_errors(self) -> None:
        self.errors, self.refusal, self.refused = {}, "", ""


class LiveDeskPage(Watching, DeskPage, mixin=True):
    """A page that loads its data again when a case that the person may see has changed. List `watch` in `on_load`."""

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def watch(self) -> None:
        await self._watch()

    async def _changes(self, token: str, mark: int, wait_seconds: int) -> Changes:
        new = await sources().changes(token, mark, wait_seconds)
        # The first answer does not tell whether something changed since the page has loaded: it loads once more.
        return Changes(mark=new, recent=True)


UNREAD = "unread"
"""Name of the number of unread cases, which stands in the title of every page as well."""


class DeskCounts(rx.State):
    numbers: rx.Field[dict[str, int]] = rx.field(default_factory=dict)
    saved: rx.Field[list[SavedLink]] = rx.field(default_factory=list)

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def watch(self) -> None:
        mark, pause = NEVER_ASKED, 1.0
        while token := await self._token():
            started = time.monotonic()
            try:
                new = await sources().changes(token, mark, 0 if mark == NEVER_ASKED else MAX_WAIT_SECONDS)
                if new != mark:
                    await self._count(token)
            except NotAuthenticated:
                async with self:
                    await session_ended(self)
                return
            except ProviderError:
                pause = await rest(pause)
                continue
            if new == mark and time.monotonic() - started < 1:
                await asyncio.sleep(1)  # Limits the requests to a provider that does not wait for changes.
            mark, pause = new, 1.0

    @rx.event(background=True)
    @staff(Right.OWN_ACCOUNT)
    async def count(self) -> None:
        """Show the numbers after something that is no change of a case, such as reading it."""
        if token := await self._token():
            with suppress(ProviderError):  # `watch` shows them with the next change.
                await self._count(token)

    async def _count(self, token: str) -> None:
        found = await sources().counts(token)
        async with self:
            self.numbers = dict(found.numbers)
            self.saved = list(found.saved)

    async def _token(self) -> str:
        async with self:
            try:
                return session_token(self)
            except NotAuthenticated:
                await session_ended(self)
                return ""
