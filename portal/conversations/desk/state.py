"""The conversation as a part of the state of the case page of staff."""

import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import reflex as rx
from pydantic import Field

from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.conversations.api import (
    MessageEntry,
    MessageTemplate,
    StaffConversation,
    StaffConversationsApi,
    StaffMessage,
    TemplateChoice,
    TemplateEntry,
)
from portal.desk.state import DeskCounts, LiveDeskPage
from portal.flow.api import StaffFilesApi
from portal.frontend.file_views import FileLists, FileView
from portal.frontend.load import Form
from portal.frontend.models import computed, viewed
from portal.frontend.policies import staff
from portal.frontend.toasts import Toasts
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import MAX_FILES, Asks
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.staff import Right

TO_CUSTOMER, NOTE, TEMPLATE = "customer", "note", "template"
"""Values of `CaseConversing.mode`."""

TEXT, NOTE_TEXT, DAY, BY_TEXT_MESSAGE = "message", "note", "day", "by-text-message"
FILES = f"{StaffFileUse.MESSAGE}-files"
_MAX_LENGTH = 20_000
_MAX_NAMED = 4 * MAX_FILES


class Note(Protocol):
    @property
    def who(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def written_at(self) -> datetime: ...


class TalkEntry(StaffMessage):
    """A message or an internal note."""

    note: bool = False
    files: list[FileView] = Field(default_factory=list)  # pyrefly: ignore[bad-override]  # the model is frozen

    @computed
    def kind(self) -> str:
        return NOTE if self.note else TO_CUSTOMER if self.by_customer else "staff"

    @computed
    def who(self) -> str:
        return self.writer or self.author


@dataclass(frozen=True, slots=True)
class LoadedConversation:
    conversation: StaffConversation
    templates: list[MessageTemplate]


async def conversation_of(token: str, kind: str, reference: str) -> LoadedConversation:
    api = ask(StaffConversationsApi)
    return LoadedConversation(
        await api.case_conversation(token, kind, reference), await api.case_templates(token, kind, reference)
    )


def _note(note: Note) -> TalkEntry:
    of_staff = TalkEntry(message_id="", by_customer=False, author=note.who, text=note.text, sent_at=note.written_at)
    return of_staff.model_copy(update={"note": True})


class CaseConversing(FileLists, LiveDeskPage, mixin=True):
    """A case page with its conversation.

    The page defines `_case` and `_add_note`, and calls `_show_conversation` in its `_show`.

    `talk`: the conversation without its messages.
    `template_day`: the day that it names (ISO 8601).
    """

    talk: rx.Field[StaffConversation | None] = rx.field(None)
    said: rx.Field[list[TalkEntry]] = rx.field(default_factory=list)
    templates: rx.Field[list[MessageTemplate]] = rx.field(default_factory=list)
    mode: rx.Field[str] = rx.field(TO_CUSTOMER)
    asks: rx.Field[str] = rx.field(Asks.NOTHING.value)
    chosen: rx.Field[str] = rx.field("")
    template_day: rx.Field[str] = rx.field("")
    preview: rx.Field[str] = rx.field("")
    preview_asks: rx.Field[str] = rx.field(Asks.NOTHING.value)
    prefill: rx.Field[str] = rx.field("")
    text_error: rx.Field[str] = rx.field("")
    note_error: rx.Field[str] = rx.field("")
    day_error: rx.Field[str] = rx.field("")
    talk_problem: rx.Field[str] = rx.field("")
    talk_responses: rx.Field[int] = rx.field(0)
    talk_failures: rx.Field[int] = rx.field(0)
    messages_sent: rx.Field[int] = rx.field(0)
    notes_sent: rx.Field[int] = rx.field(0)
    case_path: rx.Field[str] = rx.field("")
    message_draft: rx.Field[str] = rx.field("")
    message_files: rx.Field[list[FileView]] = rx.field(default_factory=list)
    files_error: rx.Field[str] = rx.field("")
    _key: str = ""

    def _case(self) -> tuple[str, str]:
        raise NotImplementedError

    async def _add_note(self, token: str, text: str) -> None:
        raise NotImplementedError

    def _show_conversation(self, found: LoadedConversation, notes: Iterable[Note]) -> None:
        path = "/".join(self._case())
        self._show_messages(
            found.conversation,
            [_note(note) for note in notes],
        )
        if path != self.case_path:
            self.case_path = path
            self._begin_message()
        self.templates = found.templates
        if not found.conversation.may_write and self.mode == TO_CUSTOMER:
            self.mode = TEMPLATE

    @rx.event
    @staff(Right.SEE_CASES)
    def choose_mode(self, mode: str) -> None:
        """Choose between a message, a template and an internal note. Each keeps what was typed."""
        if mode in (TO_CUSTOMER, NOTE, TEMPLATE):
            self.mode = mode
            self._forget_talk_errors()

    @rx.event
    @staff(Right.SEND_TEMPLATES)
    def choose_asks(self, asks: str) -> None:
        """Ask for an answer or a photo, or, with the same choice again, for nothing."""
        known = asks if asks in (Asks.ANSWER, Asks.PHOTO) else Asks.NOTHING.value
        self.asks = Asks.NOTHING.value if self.asks == known else known

    @rx.event(background=True)
    @staff(Right.SEND_TEMPLATES)
    async def choose_template(self, name: str) -> None:
        async with self:
            self.chosen, self.preview, self.day_error = name[:40], "", ""
        await self._load_preview()

    @rx.event(background=True)
    @staff(Right.SEND_TEMPLATES)
    async def choose_day(self, day: str) -> None:
        async with self:
            self.template_day, self.day_error = day[:10], ""
        await self._load_preview()

    async def _load_preview(self) -> None:
        async with self:
            case, name, day = self._case(), self.chosen, validation.day(self.template_day)
            needs_day = any(entry.name == name and entry.needs_day for entry in self.templates)
        if not name or (needs_day and day is None):
            return
        choice = TemplateChoice(template=name, day=day)
        found = await self._notify_customer(
            lambda token: ask(StaffConversationsApi).preview_template(token, *case, choice)
        )
        async with self:
            if found is not None and self.chosen == name:
                self.preview, self.preview_asks = found.text, found.asks.value

    @rx.event
    @staff(Right.WRITE_TO_CUSTOMERS)
    def edit_template(self) -> None:
        self.prefill, self.asks, self.mode = self.preview, self.preview_asks, TO_CUSTOMER

    @rx.event(background=True)
    @staff(Right.WRITE_TO_CUSTOMERS)
    async def send_message(self, form: Form) -> None:
        async with self:
            case, asks, key = self._case(), Asks(self.asks), self._message_key()
        chosen = form.get(FILES, [])
        files = [str(entry)[:16] for entry in (chosen if isinstance(chosen, list) else [chosen]) if entry]
        entry = MessageEntry(
            text=str(form.get(TEXT, ""))[:_MAX_LENGTH],
            files=files[:_MAX_NAMED],
            asks=asks,
            by_text_message=bool(form.get(BY_TEXT_MESSAGE)),
            key=key,
        )
        await self._sent(
            await self._notify_customer(lambda token: ask(StaffConversationsApi).send_message(token, *case, entry))
        )

    @rx.event(background=True)
    @staff(Right.SEND_TEMPLATES)
    async def send_template(self, form: Form) -> None:
        async with self:
            case, key = self._case(), self._message_key()
            entry = TemplateEntry(
                template=self.chosen,
                day=validation.day(self.template_day),
                by_text_message=bool(form.get(BY_TEXT_MESSAGE)),
                key=key,
            )
        await self._sent(
            await self._notify_customer(lambda token: ask(StaffConversationsApi).send_template(token, *case, entry))
        )

    @rx.event(background=True)
    @staff(Right.WRITE_TO_CUSTOMERS)
    async def message_files_changed(self) -> None:
        async with self:
            key, asked_at = self._key, time.time()
        if not key:
            return
        found, _problem = await self._try(lambda token: ask(StaffFilesApi).staff_files(token, key))
        async with self:
            if found is not None and self._key == key and self._is_newest_list(asked_at):
                self.message_files = [viewed(FileView, file) for file in found]

    def _message_key(self) -> str:
        """The key of the message that is being written: a second press has the same one."""
        if not self._key:
            self._begin_message()
        return self._key

    def _begin_message(self) -> None:
        self._key = secrets.token_hex(16)
        self.message_draft, self.message_files = f"messages/{self.case_path}/{self._key}", []

    def _forget_talk_errors(self) -> None:
        self.text_error = self.note_error = self.day_error = self.files_error = self.talk_problem = ""

    async def _sent(self, found: StaffConversation | None) -> None:
        if found is None:
            return
        async with self:
            self._show_messages(found, self._notes())
            self._begin_message()
            self.prefill, self.asks = "", Asks.NOTHING.value
            self.chosen, self.preview, self.template_day = "", "", ""
            self.messages_sent += 1
            (await self.get_state(Toasts))._add("success", N_("Sent to the customer"))
        await self._ask()

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def add_note(self, form: Form) -> None:
        text = str(form.get(NOTE_TEXT, ""))[:_MAX_LENGTH].strip()
        if not text:
            async with self:
                self.note_error = Code.REQUIRED.value
                self.talk_responses += 1
                self.talk_failures += 1
            return
        if await self._notify_customer(lambda token: _done(self._add_note(token, text)), note=True):
            async with self:
                self.notes_sent += 1
                (await self.get_state(Toasts))._add("success", N_("Note saved"))
            await self._ask()

    @rx.event(background=True)
    @staff(Right.SEND_TEMPLATES)
    async def close_question(self) -> None:
        async with self:
            case = self._case()
        found = await self._notify_customer(lambda token: ask(StaffConversationsApi).close_question(token, *case))
        async with self:
            if found is not None:
                self._show_messages(found, self._notes())

    @rx.event(background=True)
    @staff(Right.SEE_CASES)
    async def read_messages(self) -> Any:
        async with self:
            case = self._case()
        if not (token := await self._token()):
            return None
        try:
            await ask(StaffConversationsApi).mark_case_read(token, *case)
        except NotAuthenticated:
            await self._ended()
            return None
        except ProviderError:
            return None
        return DeskCounts.count

    async def _after_load(self, *, shown: bool) -> Any:
        return self.__class__.read_messages if shown and self._is_unread() else None

    def _is_unread(self) -> bool:
        raise NotImplementedError

    async def _notify_customer(self, act: Callable[[str], Awaitable[Any]], *, note: bool = False) -> Any:
        answer, problem = await self._try(act)
        async with self:
            self._forget_talk_errors()
            self.talk_responses += 1
            if problem is not None:
                self._refuse_message(problem, note=note)
        return answer

    def _refuse_message(self, problem: ProviderError, *, note: bool) -> None:
        self.talk_failures += 1
        fields = problem.fields if isinstance(problem, InvalidInput) else {}
        wrong, day, files = fields.get("text"), fields.get("day"), fields.get("files")
        if note and wrong:
            self.note_error = wrong.value
        elif wrong:
            self.text_error = wrong.value
        elif day:
            self.day_error = day.value
        elif files:
            self.files_error = files.value
        else:
            self.talk_problem = (Code.NOT_FOUND if isinstance(problem, NotFound) else problem.code).value

    def _notes(self) -> list[TalkEntry]:
        return [entry for entry in self.said if entry.note]

    def _show_messages(self, found: StaffConversation, notes: list[TalkEntry]) -> None:
        self.talk = found.model_copy(update={"messages": []})
        self.said = sorted(
            [*(viewed(TalkEntry, message) for message in found.messages), *notes], key=lambda entry: entry.sent_at
        )


async def _done(act: Awaitable[None]) -> bool:
    await act
    return True
