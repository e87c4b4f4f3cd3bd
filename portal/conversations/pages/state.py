"""The conversation as a part of the state of the page of a request."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from portal.contract.errors import Conflict, InvalidInput, NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.conversations.api import AnswerDraft, AnswerEntry, AnswerText, Conversation, ConversationsApi, Message
from portal.conversations.api import MessageFile as StoredFile
from portal.conversations.flow import FILES_FIELD
from portal.flow.pages.views import FileView, file_view
from portal.frontend.live import Live
from portal.frontend.session import customer
from portal.frontend.toasts import Toasts
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.cases import CaseKind, kind_path
from portal.vocabulary.conversations import Asks

TEXT, DRAFT = "message-text", "message-draft"
"""Names of the form fields."""

_LONGEST = 20_000
"""A longer text is cut; it stays long enough to be refused as too long."""


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message.

    Attributes:
        sender: first name and store; empty for the customer.
        fresh: whether it was new when the page was opened.
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
class ConversationView:
    """A conversation.

    Attributes:
        known: whether there is one for this request.
        asks: what the retailer waits for; a value of `Asks`.
        open: whether the customer can write.
    """

    known: bool = False
    asks: str = Asks.NOTHING.value
    open: bool = False
    unread: int = 0
    messages: list[MessageView] = field(default_factory=list)


def conversation_view(found: Conversation | None) -> ConversationView:
    """The view of a conversation; an empty one if there is none."""
    if found is None:
        return ConversationView()
    return ConversationView(
        known=True,
        asks=found.asks.value,
        open=found.open,
        unread=found.unread,
        messages=[_message(entry) for entry in found.messages],
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


@dataclass(frozen=True, slots=True)
class Told:
    """What a page with a conversation loads: its own data, and the conversation, if there is one."""

    about: Any
    conversation: Conversation | None


async def with_conversation(token: str, about: Any, kind: str, reference: str) -> Told:
    """The data of a page with the conversation about its request.

    When the retailer waits for an answer, the answer is begun, so that the form is there.

    Args:
        token: of the session.
        about: the data of the page.
        kind: value of `CaseKind`.
        reference: of the request.
    """
    return Told(about, await _conversation(token, kind, reference))


async def _conversation(token: str, kind: str, reference: str) -> Conversation | None:
    if kind not in set(CaseKind):
        return None
    path, api = kind_path(CaseKind(kind)), ask(ConversationsApi)
    try:
        found = await api.conversation(token, path, reference)
        if found.open and found.asks is not Asks.NOTHING and found.draft is None:
            return found.model_copy(update={"draft": await api.begin_answer(token, path, reference)})
    except (NotFound, Conflict):
        return None
    return found


class Conversing(Live, mixin=True):
    """A page that shows the conversation about its request, and takes an answer.

    Attributes:
        talk: the conversation.
        draft: id of the answer that was begun; empty while the form is not shown.
        typed: what was typed in that answer before the page was opened.
        files: its uploaded files.
        text_error, files_error: codes of what is wrong with the fields.
        answer_problem: code of the reason why it could not be sent or begun.
        answers: counts the responses to the form.
        answer_failures: counts those with an error.
        answers_sent: counts the answers that were sent.
    """

    talk: rx.Field[ConversationView] = rx.field(default_factory=ConversationView)
    draft: rx.Field[str] = rx.field("")
    typed: rx.Field[str] = rx.field("")
    files: rx.Field[list[FileView]] = rx.field(default_factory=list)
    text_error: rx.Field[str] = rx.field("")
    files_error: rx.Field[str] = rx.field("")
    answer_problem: rx.Field[str] = rx.field("")
    answers: rx.Field[int] = rx.field(0)
    answer_failures: rx.Field[int] = rx.field(0)
    answers_sent: rx.Field[int] = rx.field(0)

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
                self._show_draft(found)

    @rx.event(background=True)
    @customer
    async def keep_answer(self, text: str) -> None:
        """Keep what was typed so far. A failure is not shown: the text is still in the field."""
        async with self:
            case, draft = self._case(), self.draft
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
        await self._load_draft()

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
            self.talk = conversation_view(found)
            self.draft, self.typed, self.files = "", "", []
            self.answers_sent += 1
            (await self.get_state(Toasts))._add("success", N_("Your message has been sent"))

    async def _tell(self, act: Any) -> Any:
        """Run an operation on the conversation, and show why it was refused.

        Args:
            act: the operation, called with the token and the case.

        Returns:
            Its answer; None after a refusal.
        """
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
            self.text_error = self.files_error = self.answer_problem = ""
            self.answers += 1
            if problem is not None:
                self._refuse_answer(problem)
        return answer

    def _refuse_answer(self, problem: ProviderError) -> None:
        self.answer_failures += 1
        fields = problem.fields if isinstance(problem, InvalidInput) else {}
        self.text_error = _code(fields.get("text"))
        self.files_error = _code(fields.get(FILES_FIELD))
        if not (self.text_error or self.files_error):
            self.answer_problem = problem.code.value

    async def _load_draft(self) -> None:
        async with self:
            case, draft = self._case(), self.draft
        if not draft or not (token := await self._token()):
            return
        try:
            found = await ask(ConversationsApi).conversation(token, *case)
        except NotAuthenticated:
            await self._ended()
            return
        except ProviderError:
            return
        async with self:
            if found.draft is not None and found.draft.draft_id == self.draft:
                self.files = [_file(file) for file in found.draft.files]

    @rx.event(background=True)
    @customer
    async def read_messages(self) -> None:
        """Record that the messages were read. The page keeps the marks of what was new."""
        async with self:
            case, unread = self._case(), self.talk.unread
        if not unread or not (token := await self._token()):
            return
        try:
            await ask(ConversationsApi).mark_read(token, *case)
        except NotAuthenticated:
            await self._ended()
        except ProviderError:
            return

    async def _after_load(self, *, shown: bool) -> Any:
        return self.__class__.read_messages if shown and self.talk.unread else None

    async def _again(self, token: str) -> bool:
        async with self:
            before = self.talk.unread
        settled = await super()._again(token)
        async with self:
            case, more = self._case(), self.talk.unread > before
        if more:
            with suppress(ProviderError):
                await ask(ConversationsApi).mark_read(token, *case)
        return settled

    def _show_conversation(self, found: Conversation | None) -> None:
        """Show a conversation. What is being typed stays."""
        self.talk = conversation_view(found)
        if found is not None and found.draft is not None and found.draft.draft_id != self.draft:
            self._show_draft(found.draft)
        elif found is None or (found.draft is None and not found.open):
            self.draft = ""

    def _show_draft(self, draft: AnswerDraft) -> None:
        self.draft, self.typed = draft.draft_id, draft.text
        self.files = [_file(file) for file in draft.files]


def _code(code: Code | None) -> str:
    return code.value if code else ""
