"""The conversation as a part of the state of the page of a request."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, NotFound, ProviderError, Refused
from portal.contract.registry import ask
from portal.conversations.api import (
    AnswerDraft,
    AnswerEntry,
    AnswerText,
    Conversation,
    ConversationsApi,
    DoneForCustomer,
    Message,
)
from portal.conversations.api import MessageFile as StoredFile
from portal.conversations.flow import FILES_FIELD
from portal.frontend.accounts import texts_of
from portal.frontend.file_views import FileLists, FileView, file_view
from portal.frontend.live import Live
from portal.frontend.policies import customer
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import Asks, CaseKind, kind_path

TEXT, DRAFT = "message-text", "message-draft"
"""Names of the form fields."""

_LONGEST = 20_000
"""A longer text is cut; it stays long enough to be refused as too long."""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message.

    Attributes:
        sender: first name and store; empty for the customer.
        at: ISO 8601, UTC.
    """

    id: str
    by_customer: bool
    sender: str
    text: str
    asks: str
    files: list[FileView]
    fresh: bool
    at: str


@dataclass(frozen=True, slots=True)
class DoneView:
    """What staff did in the customer's name: what by language, by whom, and when (ISO 8601, UTC)."""

    what: dict[str, str]
    name: str
    at: str


@dataclass(frozen=True, slots=True)
class ConversationView:
    """A conversation and the form for an answer. One variable of a page: each more is sent with every first page.

    Attributes:
        draft: id of the answer that was begun; empty while the form is not shown.
    """

    known: bool = True
    asks: str = Asks.NOTHING.value
    open: bool = False
    unread: int = 0
    messages: list[MessageView] = field(default_factory=list)
    done: list[DoneView] = field(default_factory=list)
    draft: str = ""
    typed: str = ""
    files: list[FileView] = field(default_factory=list)
    text_error: str = ""
    files_error: str = ""
    problem: str = ""
    answers: int = 0
    failures: int = 0
    sent: int = 0


NONE = ConversationView(known=False)


def _done(entry: DoneForCustomer) -> DoneView:
    return DoneView(texts_of(entry.what), entry.name, entry.done_at.isoformat())


def shown_in(view: ConversationView, found: Conversation) -> ConversationView:
    """A view with the messages of a conversation; its form stays."""
    return replace(
        view,
        known=True,
        asks=found.asks.value,
        open=found.open,
        unread=found.unread,
        messages=[_message(entry) for entry in found.messages],
        done=[_done(entry) for entry in found.done],
    )


def _message(entry: Message) -> MessageView:
    return MessageView(
        id=entry.message_id,
        by_customer=entry.by_customer,
        sender=", ".join(part for part in (entry.author, entry.store) if part),
        text=entry.text,
        asks=Asks.NOTHING.value if entry.answered else entry.asks.value,
        files=[_file(file) for file in entry.files],
        fresh=not entry.by_customer and not entry.read,
        at=entry.sent_at.isoformat(),
    )


def _file(file: StoredFile) -> FileView:
    return file_view({**file.model_dump(), "id": file.upload_id})


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WithConversation(Generic[T]):
    about: T
    conversation: Conversation | None


async def with_conversation(token: str, about: T, kind: str, reference: str) -> WithConversation[T]:
    """The data of a page with the conversation about its request.

    When the retailer waits for an answer, the answer is begun, so that the form is there.
    """
    return WithConversation(about, await _conversation(token, kind, reference))


async def _conversation(token: str, kind: str, reference: str) -> Conversation | None:
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

    Attributes:
        talk: the conversation; None if there is none for this request.
    """

    talk: rx.Field[ConversationView | None] = rx.field(None)

    def _case(self) -> tuple[str, str]:
        """Kind, as in a path of the contract, and reference of the case of the request that is shown."""
        raise NotImplementedError

    @rx.event(background=True)
    @customer
    async def begin_answer(self) -> None:
        """Show the form, with what was typed before."""
        found = await self._tell(lambda token, case: ask(ConversationsApi).begin_answer(token, *case))
        async with self:
            if found is not None:
                self.talk = _with_draft(_view_of(self), found)

    @rx.event(background=True)
    @customer
    async def keep_answer(self, text: str) -> None:
        """Keep what was typed so far. A failure is not shown: the text is still in the field."""
        async with self:
            case, draft = self._case(), _view_of(self).draft
        if not draft or not (token := await self._token()):
            return
        try:
            await ask(ConversationsApi).keep_answer(token, *case, AnswerText(draft_id=draft, text=text[:_LONGEST]))
        except NotAuthenticated:
            await self._ended()
        except ProviderError:
            return

    @rx.event(background=True)
    @customer
    async def files_changed(self) -> None:
        """Load the list of uploaded files."""
        async with self:
            case, draft, asked_at = self._case(), _view_of(self).draft, time.time()
        if not draft or not (token := await self._token()):
            return
        try:
            found = (await ask(ConversationsApi).conversation(token, *case)).draft
        except NotAuthenticated:
            await self._ended()
            return
        except ProviderError:
            return
        async with self:
            view = _view_of(self)
            if found is not None and found.draft_id == view.draft and self._is_newest_list(asked_at):
                self.talk = replace(view, files=[_file(file) for file in found.files])

    @rx.event(background=True)
    @customer
    async def send_answer(self, form: dict[str, Any]) -> None:
        """Send the answer. After a refusal the form keeps what was typed."""
        text, draft, chosen = form.get(TEXT, ""), form.get(DRAFT, ""), form.get(FILES_FIELD, [])
        files = [str(entry)[:16] for entry in (chosen if isinstance(chosen, list) else [chosen]) if entry]
        entry = AnswerEntry(draft_id=str(draft)[:16], text=str(text)[:_LONGEST], files=files[:20])
        found = await self._tell(lambda token, case: ask(ConversationsApi).send_answer(token, *case, entry))
        if found is None:
            return
        async with self:
            view = _view_of(self)
            self.talk = replace(shown_in(view, found), draft="", typed="", files=[], sent=view.sent + 1)
            (await self.get_state(Toasts))._add("success", N_("Your message has been sent"))

    async def _tell(self, act: Callable[[str, tuple[str, str]], Awaitable[T]]) -> T | None:
        """Run an operation on the conversation, and show why it was refused."""
        await self._loaded()
        async with self:
            case = self._case()
        if not (token := await self._token()):
            return None
        answer, problem = None, None
        try:
            answer = await act(token, case)
        except NotAuthenticated:
            await self._ended()
        except ProviderError as error:
            problem = error
        async with self:
            if self.talk is not None:
                self.talk = _answered(_view_of(self), problem)
        return answer

    @rx.event(background=True)
    @customer
    async def read_messages(self) -> None:
        """Record that the messages were read. The page keeps the marks of what was new."""
        async with self:
            case, unread = self._case(), _view_of(self).unread
        if not unread or not (token := await self._token()):
            return
        try:
            await ask(ConversationsApi).mark_read(token, *case)
        except NotAuthenticated:
            await self._ended()
        except ProviderError:
            return

    async def _after_load(self, *, shown: bool) -> Any:
        return self.__class__.read_messages if shown and _view_of(self).unread else None

    async def _again(self, token: str) -> bool:
        async with self:
            before = _view_of(self).unread
        settled = await super()._again(token)
        async with self:
            case, more = self._case(), _view_of(self).unread > before
        if more:
            with suppress(ProviderError):
                await ask(ConversationsApi).mark_read(token, *case)
        return settled

    def _show_conversation(self, found: Conversation | None) -> None:
        """Show a conversation. What is being typed stays."""
        if found is None:
            self.talk = None
            return
        view = shown_in(_view_of(self), found)
        if found.draft is not None and found.draft.draft_id != view.draft:
            view = _with_draft(view, found.draft)
        elif found.draft is None and not found.open:
            view = replace(view, draft="")
        self.talk = view


def _view_of(page: Conversing) -> ConversationView:
    return page.talk or NONE


def _with_draft(view: ConversationView, draft: AnswerDraft) -> ConversationView:
    return replace(view, draft=draft.draft_id, typed=draft.text, files=[_file(file) for file in draft.files])


def _answered(view: ConversationView, problem: ProviderError | None) -> ConversationView:
    """The view after a response to the form; its errors, if it was refused."""
    fields = problem.fields if isinstance(problem, InvalidInput) else {}
    text, files = _code(fields.get("text")), _code(fields.get(FILES_FIELD))
    return replace(
        view,
        answers=view.answers + 1,
        failures=view.failures + (problem is not None),
        text_error=text,
        files_error=files,
        problem=problem.code.value if problem is not None and not (text or files) else "",
    )


def _code(code: Code | None) -> str:
    return code.value if code else ""
