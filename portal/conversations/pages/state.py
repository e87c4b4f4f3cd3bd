"""The conversation as a part of the state of the page of a request."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.conversations.api import AnswerDraft, AnswerEntry, AnswerText, Conversation, ConversationsApi, Message
from portal.conversations.flow import FILES_FIELD
from portal.frontend.file_views import FileLists, FileView
from portal.frontend.live import Live
from portal.frontend.load import Form
from portal.frontend.models import computed, viewed
from portal.frontend.policies import customer
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import Asks, CaseKind, kind_path

TEXT, DRAFT = "message-text", "message-draft"
_MAX_LENGTH = 20_000
"""A longer text is cut; it stays long enough to be refused as too long."""


class ShownMessage(Message):
    files: list[FileView]  # pyrefly: ignore[bad-override]  # the model is frozen

    @computed
    def sender(self) -> str:
        return ", ".join(part for part in (self.author, self.store) if part)

    @computed
    def fresh(self) -> bool:
        return not self.by_customer and not self.read


class ShownConversation(Conversation):
    messages: list[ShownMessage]  # pyrefly: ignore[bad-override]  # the model is frozen


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form for an answer. One variable of a page: each more is sent with every first page.

    `draft`: id of the answer that was begun; empty while the form is not shown.
    """

    draft: str = ""
    typed: str = ""
    files: list[FileView] = field(default_factory=list)
    text_error: str = ""
    files_error: str = ""
    problem: str = ""
    answers: int = 0
    failures: int = 0
    sent: int = 0


async def conversation_about(token: str, kind: str, reference: str) -> Conversation | None:
    """The conversation about a request.

    When the retailer waits for an answer, the answer is begun, so that the form is there.
    """
    if kind not in set(CaseKind):
        return None
    path, api = kind_path(CaseKind(kind)), ask(ConversationsApi)
    try:
        found = await api.conversation(token, path, reference)
    except NotFound:
        return None
    if not found.open or found.asks is Asks.NOTHING or found.draft is not None:
        return found
    try:
        return found.model_copy(update={"draft": await api.begin_answer(token, path, reference)})
    except (Conflict, NotFound, Refused):
        # Closed meanwhile, or somebody of the retailer is looking along.
        return found


class Conversing(FileLists, Live, mixin=True):
    """A page that shows the conversation about its request, and takes an answer.

    `talk`: the conversation; None if there is none for this request.
    `answer`: the form below it; None with `talk`.
    """

    talk: rx.Field[ShownConversation | None] = rx.field(None)
    answer: rx.Field[AnswerForm | None] = rx.field(None)

    def _case(self) -> tuple[str, str]:
        """Kind, as in a path of the contract, and reference of the case of the request that is shown."""
        raise NotImplementedError

    @rx.event(background=True)
    @customer
    async def begin_answer(self) -> None:
        found = await self._tell(lambda token, case: ask(ConversationsApi).begin_answer(token, *case))
        async with self:
            if found is not None:
                self.answer = _with_draft(_form_of(self), found)

    @rx.event(background=True)
    @customer
    async def keep_answer(self, text: str) -> None:
        """Keep what was typed so far. A failure is not shown: the text is still in the field."""
        async with self:
            case, draft = self._case(), _form_of(self).draft
        if draft:
            kept = AnswerText(draft_id=draft, text=text[:_MAX_LENGTH])
            await self._try(lambda token: ask(ConversationsApi).keep_answer(token, *case, kept))

    @rx.event(background=True)
    @customer
    async def files_changed(self) -> None:
        async with self:
            case, draft, asked_at = self._case(), _form_of(self).draft, time.time()
        if not draft:
            return
        talk, _problem = await self._try(lambda token: ask(ConversationsApi).conversation(token, *case))
        found = talk.draft if talk else None
        async with self:
            form = _form_of(self)
            if found is not None and found.draft_id == form.draft and self._is_newest_list(asked_at):
                self.answer = replace(form, files=[viewed(FileView, file) for file in found.files])

    @rx.event(background=True)
    @customer
    async def send_answer(self, form: Form) -> None:
        text, draft, chosen = form.get(TEXT, ""), form.get(DRAFT, ""), form.get(FILES_FIELD, [])
        files = [str(entry)[:16] for entry in (chosen if isinstance(chosen, list) else [chosen]) if entry]
        entry = AnswerEntry(draft_id=str(draft)[:16], text=str(text)[:_MAX_LENGTH], files=files[:20])
        found = await self._tell(lambda token, case: ask(ConversationsApi).send_answer(token, *case, entry))
        if found is None:
            return
        async with self:
            before = _form_of(self)
            self.talk = viewed(ShownConversation, found)
            self.answer = replace(before, draft="", typed="", files=[], sent=before.sent + 1)
            (await self.get_state(Toasts))._add("success", N_("Your message has been sent"))

    async def _tell(self, act: Callable[[str, tuple[str, str]], Awaitable[T]]) -> T | None:
        await self._loaded()
        async with self:
            case = self._case()
        answer, problem = await self._try(lambda token: act(token, case))
        async with self:
            if self.talk is not None:
                self.answer = _answered(_form_of(self), problem)
        return answer

    @rx.event(background=True)
    @customer
    async def read_messages(self) -> None:
        """Record that the messages were read. The page keeps the marks of what was new."""
        async with self:
            case, unread = self._case(), self._unread()
        if unread:
            await self._try(lambda token: ask(ConversationsApi).mark_read(token, *case))

    async def _after_load(self, *, shown: bool) -> Any:
        return self.__class__.read_messages if shown and self._unread() else None

    def _unread(self) -> int:
        return self.talk.unread if self.talk else 0

    async def _again(self, token: str) -> bool:
        async with self:
            before = self._unread()
        settled = await super()._again(token)
        async with self:
            case, more = self._case(), self._unread() > before
        if more:
            with suppress(ProviderError):
                await ask(ConversationsApi).mark_read(token, *case)
        return settled

    def _show_conversation(self, found: Conversation | None) -> None:
        """Show a conversation. What is being typed stays."""
        if found is None:
            self.talk = self.answer = None
            return
        form = _form_of(self)
        if found.draft is not None and found.draft.draft_id != form.draft:
            form = _with_draft(form, found.draft)
        elif found.draft is None and not found.open:
            form = replace(form, draft="")
        self.talk, self.answer = viewed(ShownConversation, found), form


def _form_of(page: Conversing) -> AnswerForm:
    return page.answer or AnswerForm()


def _with_draft(form: AnswerForm, draft: AnswerDraft) -> AnswerForm:
    return replace(form, draft=draft.draft_id, typed=draft.text, files=[viewed(FileView, file) for file in draft.files])


def _answered(form: AnswerForm, problem: ProviderError | None) -> AnswerForm:
    fields = problem.fields if isinstance(problem, InvalidInput) else {}
    text, files = _code(fields.get("text")), _code(fields.get(FILES_FIELD))
    return replace(
        form,
        answers=form.answers + 1,
        failures=form.failures + (problem is not None),
        text_error=text,
        files_error=files,
        problem=problem.code.value if problem is not None and not (text or files) else "",
    )


def _code(code: Code | None) -> str:
    return code.value if code else ""
