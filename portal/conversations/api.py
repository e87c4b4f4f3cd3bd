"""The operations on conversations, for customers and for staff, and the models they exchange."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, Refused, TooMany
from portal.contract.models import WHOLE_FILE, Content, Document, FilePart, KnownLocale, Model, OwnPage, otherwise
from portal.contract.operations import ANY_FILE, JPEG, DeclaredRefusal, StaffToken, Token, operation
from portal.flow.api import ANNOUNCEMENT, UploadPlace, UploadStart
from portal.kernel.codes import Code
from portal.vocabulary.cases import MAX_FILES, Asks, CaseKind, CaseState, Outcome, Way
from portal.vocabulary.staff import Right

KnownCaseKind = Annotated[CaseKind, otherwise(CaseKind, CaseKind.UNKNOWN)]
KnownAsks = Annotated[Asks, otherwise(Asks, Asks.UNKNOWN)]

_MAX_LENGTH = 20_000
"""Longest text that is read at all; `too_long` is answered for far less."""


class MessageFile(Model):
    """A file of a message. `kind` is a value of `FileKind`; `photo` says whether it has a preview. Size in bytes."""

    upload_id: str
    name: str
    size: int
    kind: str
    photo: bool


class Message(Model):
    """A message as both sides see it.

    `author`: first name of the writer.
    `store`: store in whose name staff wrote; empty for the customer.
    `sent_at`: UTC.
    """

    message_id: str
    by_customer: bool
    author: str
    store: str = ""
    text: str
    asks: KnownAsks = Asks.NOTHING
    answered: bool = False
    files: list[MessageFile] = Field(default_factory=list)
    sent_at: datetime
    read: bool = False


class AnswerDraft(Model):
    """An answer that the customer has begun.

    `draft_id`: files are uploaded to this draft, in the field 'files' (`FlowApi.begin_upload`).
    """

    draft_id: str
    text: str = ""
    files: list[MessageFile] = Field(default_factory=list)


class DoneForCustomer(Model):
    """What somebody of the staff did about a request in the customer's name.

    `what`: what happened in words, such as 'Request received'.
    `name`: first name of the person.
    """

    what: LocalizedText
    name: str
    done_at: datetime


class Conversation(Model):
    """The conversation about one request of the customer.

    `done`: what staff did in the customer's name, oldest first.
    `messages`: oldest first.
    `asks`: what the retailer waits for now; `nothing` if it waits for nothing.
    `open`: whether the customer can write; not when the request is finished.
    `draft`: the answer that was begun; None if there is none.
    """

    kind: KnownCaseKind
    reference: str
    messages: list[Message] = Field(default_factory=list)
    done: list[DoneForCustomer] = Field(default_factory=list)
    asks: KnownAsks = Asks.NOTHING
    open: bool = True
    unread: int = 0
    draft: AnswerDraft | None = None


class RequestNews(Model):
    """A request about which the retailer waits for an answer, or wrote something that is not read.

    `page`: path of the page of the request.
    `asks`: what the retailer waits for; `nothing` if it waits for nothing.
    """

    kind: KnownCaseKind
    reference: str
    page: OwnPage
    asks: KnownAsks = Asks.NOTHING
    unread: int = 0


class AnswerText(Model):
    draft_id: str = Field(max_length=16)
    text: str = Field(default="", max_length=_MAX_LENGTH)


class AnswerEntry(AnswerText):
    """An answer to send: a text, files, or both. `files` are ids of files that were uploaded to the draft."""

    files: list[Annotated[str, Field(max_length=16)]] = Field(default_factory=list, max_length=4 * MAX_FILES)


_TEXT = DeclaredRefusal(InvalidInput, Code.INVALID_INPUT)
"""`fields` has the code for `text` or `files`."""

_CLOSED = DeclaredRefusal(Conflict, Code.CASE_CLOSED)
_EXPIRED = DeclaredRefusal(Refused, Code.ANSWER_EXPIRED)


class ConversationsApi(Protocol):
    """The customer's side: messages about one of the own requests. Another customer's request is not found."""

    @operation("GET", "/conversations/{kind}/{reference}")
    async def conversation(self, token: Token, kind: str, reference: str) -> Conversation:
        """Return the messages about a request, and what the retailer waits for."""

    @operation("POST", "/conversations/{kind}/{reference}/begin", refuses=(_CLOSED,))
    async def begin_answer(self, token: Token, kind: str, reference: str) -> AnswerDraft:
        """Begin an answer, or continue the one that was begun."""

    @operation("PUT", "/conversations/{kind}/{reference}/draft", refuses=(_EXPIRED,))
    async def keep_answer(self, token: Token, kind: str, reference: str, kept: AnswerText) -> None:
        """Keep what the customer has typed so far, so that it is there after the end of the session."""

    @operation(
        "POST",
        "/conversations/{kind}/{reference}/answer",
        refuses=(_TEXT, _CLOSED, _EXPIRED, DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS)),
    )
    async def send_answer(self, token: Token, kind: str, reference: str, entry: AnswerEntry) -> Conversation:
        """Send an answer; the case then no longer waits for the customer. The same draft is sent once."""

    @operation("POST", "/conversations/{kind}/{reference}/read")
    async def mark_read(self, token: Token, kind: str, reference: str) -> None:
        """Record that the customer has read all messages of staff."""


class Sending(Model):
    """How a message went out besides the page. `at` is when it was accepted or given up (UTC), as far as known."""

    way: Annotated[Way, otherwise(Way, Way.UNKNOWN)]
    outcome: Annotated[Outcome, otherwise(Outcome, Outcome.UNKNOWN)]
    at: datetime | None = None


class StaffMessage(Message):
    """A message as staff see it.

    `writer`: full name of the person of staff; empty for the customer.
    `template`: name of the template; empty for a free text.
    `sendings`: how it went out besides the page.
    """

    writer: str = ""
    template: str = ""
    sendings: list[Sending] = Field(default_factory=list)


class StaffConversation(Model):
    """The conversation about a case.

    `customer`: first name of the customer; empty if the customer is not known.
    `locale`: the language in which the customer gets mails.
    `ways`: how a message can go out besides the page; without an e-mail address there is no mail.
    `reachable`: whether the customer sees messages at all: not a guest, and not about a battery alarm.
    `asks`: what the case waits for now; `nothing` if it waits for nothing.
    """

    kind: KnownCaseKind
    reference: str
    state: Annotated[CaseState, otherwise(CaseState, CaseState.UNKNOWN)]
    customer: str = ""
    locale: KnownLocale = "nl"
    ways: list[Annotated[Way, otherwise(Way, Way.UNKNOWN)]] = Field(default_factory=list)
    reachable: bool = True
    asks: KnownAsks = Asks.NOTHING
    may_write: bool = False
    messages: list[StaffMessage] = Field(default_factory=list)
    unread: int = 0
    version: int


class _Outgoing(Model):
    """What every message of staff has.

    `asks`: what the customer is asked for; the case then waits for the customer.
    `by_text_message`: also send a text message with the link, where the shop has a gateway.
    `key`: made by the page when the message was begun; the same key sends one message.
    """

    asks: Asks = Asks.NOTHING
    by_text_message: bool = False
    key: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")


class MessageEntry(_Outgoing):
    """A free text to the customer, files, or both. `files` are ids of files that were announced with the key."""

    text: str = Field(max_length=_MAX_LENGTH)
    files: list[Annotated[str, Field(max_length=16)]] = Field(default_factory=list, max_length=4 * MAX_FILES)


class TemplateChoice(Model):
    """A template with the day that it names; None for a template without a day."""

    template: str = Field(max_length=40)
    day: date | None = None


class TemplateEntry(_Outgoing, TemplateChoice):
    """A template to send. What it asks for stands in the template; `asks` of the entry is not read."""


class TemplatePreview(Model):
    """A template as this customer gets it, in the customer's language."""

    text: str
    asks: KnownAsks = Asks.NOTHING


class MessageTemplate(Model):
    """A template.

    `kinds`: kinds of case that it fits; empty for all.
    `needs_day`: whether its text names a day that has to be chosen.
    """

    name: str
    title: LocalizedText
    text: LocalizedText
    asks: KnownAsks = Asks.NOTHING
    kinds: list[KnownCaseKind] = Field(default_factory=list)
    needs_day: bool = False
    own: bool = False
    hidden: bool = False


class TemplateChange(Model):
    """A template of the shop, which replaces the delivered one of the same name."""

    title: LocalizedText
    text: LocalizedText
    asks: Asks = Asks.NOTHING
    kinds: list[CaseKind] = Field(default_factory=list, max_length=len(CaseKind))
    hidden: bool = False


_SENDING = (
    _TEXT,
    DeclaredRefusal(Conflict, Code.CASE_CLOSED, Code.IDEMPOTENCY_KEY_REUSED),
    DeclaredRefusal(Refused, Code.CUSTOMER_UNREACHABLE),
)
_CASE = "/staff/cases/{kind}/{reference}"


class StaffConversationsApi(Protocol):
    """The side of staff. A case that the person may not see is not found."""

    @operation("GET", f"{_CASE}/conversation", right=Right.SEE_CASES)
    async def case_conversation(self, token: StaffToken, kind: str, reference: str) -> StaffConversation:
        """Return the messages about a case and how each went out."""

    @operation("POST", f"{_CASE}/messages", refuses=_SENDING, right=Right.WRITE_TO_CUSTOMERS)
    async def send_message(
        self, token: StaffToken, kind: str, reference: str, entry: MessageEntry
    ) -> StaffConversation:
        """Send a free text to the customer. `case_closed`: a finished case cannot wait for an answer."""

    @operation("POST", f"{_CASE}/messages/{{key}}/files", refuses=ANNOUNCEMENT, right=Right.WRITE_TO_CUSTOMERS)
    async def begin_message_file(
        self, token: StaffToken, kind: str, reference: str, key: str, start: UploadStart
    ) -> UploadPlace:
        """Announce a file for the message with this key, in the field 'message'. All limits are checked here."""

    @operation("POST", f"{_CASE}/template-messages", refuses=_SENDING, right=Right.SEND_TEMPLATES)
    async def send_template(
        self, token: StaffToken, kind: str, reference: str, entry: TemplateEntry
    ) -> StaffConversation:
        """Send a template to the customer."""

    @operation("POST", f"{_CASE}/question/close", right=Right.SEND_TEMPLATES)
    async def close_question(self, token: StaffToken, kind: str, reference: str) -> StaffConversation:
        """Stop waiting for the customer, because the answer came another way or is no longer needed."""

    @operation("POST", f"{_CASE}/messages/read", right=Right.SEE_CASES)
    async def mark_case_read(self, token: StaffToken, kind: str, reference: str) -> None:
        """Record that staff have seen what the customer sent, so that the case is unread no more."""

    @operation("GET", f"{_CASE}/templates", right=Right.SEND_TEMPLATES)
    async def case_templates(self, token: StaffToken, kind: str, reference: str) -> list[MessageTemplate]:
        """Return the templates that fit a case."""

    @operation("GET", f"{_CASE}/template-preview", refuses=(_TEXT,), right=Right.SEND_TEMPLATES)
    async def preview_template(
        self, token: StaffToken, kind: str, reference: str, choice: TemplateChoice
    ) -> TemplatePreview:
        """Return a template as the customer of a case gets it, in the customer's language."""

    @operation("GET", f"{_CASE}/message-files/{{upload_id}}/content", media=ANY_FILE, right=Right.SEE_CASES)
    async def message_file(
        self, token: StaffToken, kind: str, reference: str, upload_id: str, part: FilePart = WHOLE_FILE
    ) -> Content:
        """Return a file of a message, in chunks."""

    @operation("GET", f"{_CASE}/message-files/{{upload_id}}/preview", media=JPEG, right=Right.SEE_CASES)
    async def message_preview(self, token: StaffToken, kind: str, reference: str, upload_id: str) -> Document:
        """Return a small JPEG of a photo of a message."""

    @operation("GET", "/staff/message-templates", right=Right.MANAGE_SHOP)
    async def message_templates(self, token: StaffToken) -> list[MessageTemplate]:
        """Return all templates, also those that are hidden."""

    @operation(
        "PUT", "/staff/message-templates/{name}", refuses=(DeclaredRefusal(InvalidInput),), right=Right.MANAGE_SHOP
    )
    async def change_template(self, token: StaffToken, name: str, change: TemplateChange) -> MessageTemplate:
        """Change or add a template. `unknown_placeholder`: a text has a field that does not exist."""
