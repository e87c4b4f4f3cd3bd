"""Drafts and their files: the models that travel, and the operations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.contract.models import Content, Document, Model
from portal.contract.operations import ANY_FILE, JPEG, DeclaredRefusal, Token, operation
from portal.kernel.codes import Code

Answer = str | list[str]


class DraftStart(Model):
    """Begin a request, or go on with the one that was begun.

    Attributes:
        flow: name of the flow, such as 'repair-request'.
        subject: what it is about (a bike), when that is known already; the flow starts with it filled in.
        anew: throw away what was begun before for this subject.
    """

    flow: str = Field(max_length=40)
    subject: str = Field(default="", max_length=40)
    anew: bool = False


class StepEntry(Model):
    """The answers to one step, raw as typed; the provider checks them.

    Attributes:
        step: slug of the step.
        answers: values by field; what the step does not ask is ignored.
        version: of the draft that the customer saw.
    """

    step: str = Field(max_length=40)
    answers: dict[str, Answer] = Field(default_factory=dict)
    version: int


class Submission(Model):
    """Send a request. The key was given out with the draft; sent twice, it is one request."""

    key: str = Field(max_length=64)


class Receipt(Model):
    """A request that was sent.

    Attributes:
        flow: name of the flow.
        draft_id: the draft it was.
        reference: what the customer reads and quotes.
        sent_at: when (UTC).
        email: where the confirmation went; empty when none was sent.
        summary: what the confirmation page tells beside that, by flow; `planned` is the local day of the work.
    """

    flow: str
    draft_id: str
    reference: str
    sent_at: datetime
    email: str
    summary: dict[str, Any] = Field(default_factory=dict)


class Draft(Model):
    """A request that is being filled in.

    Attributes:
        draft_id: names it.
        key: has to be shown when it is sent.
        flow: name of the flow.
        subject: what it is about (a bike); empty while that is not chosen.
        answers: accepted answers by field.
        completed: slugs of the steps that were answered.
        facts: what the flow depends on and only the provider knows.
        version: rises with every change.
        warnings: codes of what to look at again, by field; no errors.
        expires_at: when it is thrown away (UTC).
        receipt: once it was sent; then it holds no answers any more.
    """

    draft_id: str
    key: str
    flow: str
    subject: str
    answers: dict[str, Answer]
    completed: list[str]
    facts: dict[str, Any]
    version: int
    warnings: dict[str, str] = Field(default_factory=dict)
    expires_at: datetime
    receipt: Receipt | None = None


class DraftSummary(Model):
    """A request to go on with. `name` is that of its subject, empty while that is not chosen; times in UTC."""

    draft_id: str
    flow: str
    subject: str
    name: str
    updated_at: datetime
    expires_at: datetime


class FlowStart(Model):
    """What is known before a request is begun.

    Attributes:
        facts: what the flow depends on and only the provider knows.
        drafts: requests that were begun in this flow, the last one first.
        receipt: the request that was sent last, if it was within a month.
    """

    facts: dict[str, Any]
    drafts: list[DraftSummary]
    receipt: Receipt | None = None


class UploadStart(Model):
    """Announce a file, before a byte of it is sent.

    Attributes:
        field: of the flow that asks for it.
        name: as it is called on the customer's device.
        size: its bytes.
    """

    field: str = Field(max_length=40)
    name: str = Field(max_length=1000)
    size: int = Field(ge=0, le=2**53)


class UploadPlace(Model):
    """Where an announced file is sent to. It is kept free for a minute, and while the file arrives."""

    upload_id: str


class Upload(Model):
    """A file that arrived whole and was looked into.

    Attributes:
        upload_id: names it; the answer to the field is the list of these.
        field: of the flow.
        name: for showing, tidied.
        size: bytes as they were sent.
        kind: what it is by its content, a value of `FileKind`.
        photo: whether it is a picture, with a preview.
    """

    upload_id: str
    field: str
    name: str
    size: int
    kind: str
    photo: bool


_EXPIRED = DeclaredRefusal(Refused)
"""The draft has expired, or a rule of the flow says no; each flow has codes of its own."""

_FACTS = DeclaredRefusal(Unavailable)
"""What the flow depends on cannot be told now, such as `insurance_options_failed`."""

_SENT = DeclaredRefusal(Conflict)
"""The draft was sent: `draft_sent`, or the flow's own code for it."""


class FlowApi(Protocol):
    """Drafts, and files that go along with them."""

    @operation("GET", "/flows/{flow}", refuses=(_FACTS,))
    async def flow_start(self, token: Token, flow: str) -> FlowStart:
        """What is known before a request is begun: what can be chosen, and what was begun or sent before."""
        ...

    @operation("POST", "/drafts", refuses=(DeclaredRefusal(Refused), DeclaredRefusal(NotFound), _FACTS))
    async def open_draft(self, token: Token, start: DraftStart) -> Draft:
        """Begin a request, or go on with the one that was begun in this flow for this subject.

        Refused when a rule says no to the subject. Not found: there is no such flow.
        """
        ...

    @operation("GET", "/drafts/{draft_id}", refuses=(_FACTS,))
    async def draft(self, token: Token, draft_id: str) -> Draft:
        """A request that is being filled in, or was sent."""
        ...

    @operation("PUT", "/drafts/{draft_id}/step", refuses=(DeclaredRefusal(InvalidInput), _EXPIRED, _SENT, _FACTS))
    async def save_step(self, token: Token, draft_id: str, entry: StepEntry) -> Draft:
        """Keep the answers to one step; durable when it returns.

        When the answer names a subject for which another request was begun, that one is gone on with.

        What is not right is told with the code of the step, and a code for each field. `step_not_open`: earlier steps
        lack an answer. `draft_changed`: another version was seen.
        """
        ...

    @operation("POST", "/drafts/{draft_id}/discard")
    async def discard_draft(self, token: Token, draft_id: str) -> None:
        """Throw a request away that was not sent."""
        ...

    @operation("POST", "/drafts/{draft_id}/submit", refuses=(DeclaredRefusal(InvalidInput), _EXPIRED, _FACTS))
    async def submit_draft(self, token: Token, draft_id: str, submission: Submission) -> Receipt:
        """Send a request. Done again with the same key, it answers the same receipt.

        The code is that of the first step that lacks an answer, or has one that no longer holds. Refused when a rule
        of the flow says no, such as `open_work_order_exists`.
        """
        ...

    @operation(
        "POST",
        "/drafts/{draft_id}/files",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.FILE_PARAMS_MISSING, Code.FILE_EMPTY, Code.MAX_UPLOAD_SIZE_REACHED),
            DeclaredRefusal(Refused, Code.MAX_UPLOAD_FILE_COUNT_REACHED, Code.UPLOAD_QUOTA_REACHED),
            _EXPIRED,
            DeclaredRefusal(TooMany, Code.UPLOADS_TOO_MANY_AT_ONCE),
            _SENT,
            DeclaredRefusal(Unavailable, Code.UPLOAD_FAILED),
        ),
    )
    async def begin_upload(self, token: Token, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file for a request that is being filled in; all limits are checked here."""
        ...

    @operation(
        "PUT",
        "/files/{upload_id}/body",
        refuses=(
            DeclaredRefusal(
                InvalidInput,
                Code.UPLOAD_FAILED,
                Code.FILE_NOT_ALLOWED,
                Code.FILE_DAMAGED,
                Code.FILE_TOO_DETAILED,
                Code.FILE_PROTECTED,
            ),
            _EXPIRED,
            _SENT,
            DeclaredRefusal(Unavailable, Code.UPLOAD_FAILED),
        ),
    )
    async def receive_upload(self, token: Token, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive an announced file, exactly the announced bytes, and look into it.

        It counts when this returns, and not before. `upload_failed`: it broke off.
        """
        ...

    @operation("DELETE", "/files/{upload_id}", refuses=(_EXPIRED, _SENT))
    async def remove_upload(self, token: Token, upload_id: str) -> None:
        """Remove a file from a request that was not sent, or break off its arrival."""
        ...

    @operation("GET", "/files/{upload_id}/content", media=ANY_FILE)
    async def upload_content(self, token: Token, upload_id: str) -> Content:
        """A file for its owner, chunk by chunk."""
        ...

    @operation("GET", "/files/{upload_id}/preview", media=JPEG)
    async def upload_preview(self, token: Token, upload_id: str) -> Document:
        """A small JPEG of a photo. Other files have none: not found."""
        ...
