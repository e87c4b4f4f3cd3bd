"""Requests that are filled in, with their files, and sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from portal.contract.base import Document
from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.contract.operations import ANY_FILE, JPEG, Refusal, Token, operation
from portal.contract.uploads import Content, Upload, UploadPlace, UploadStart
from portal.domain.codes import Code

_EXPIRED = Refusal(Refused)
"""The draft has expired, or a rule of the flow says no; each flow has codes of its own."""
_FACTS = Refusal(Unavailable)
"""What the flow depends on cannot be told now, such as `insurance_options_failed`."""
_SENT = Refusal(Conflict)
"""The draft was sent: `draft_sent`, or the flow's own code for it."""


class FlowApi(Protocol):
    """Drafts, and files that go along with them."""

    @operation("GET", "/flows/{flow}", refuses=(_FACTS,))
    async def flow_start(self, token: Token, flow: str) -> FlowStart:
        """What is known before a request is begun: what can be chosen, and what was begun or sent before."""
        ...

    @operation("POST", "/drafts", refuses=(Refusal(Refused), Refusal(NotFound), _FACTS))
    async def open_draft(self, token: Token, start: DraftStart) -> Draft:
        """Begin a request, or go on with the one that was begun in this flow for this subject.

        Refused when a rule says no to the subject. Not found: there is no such flow.
        """
        ...

    @operation("GET", "/drafts/{draft_id}", refuses=(_FACTS,))
    async def draft(self, token: Token, draft_id: str) -> Draft:
        """A request that is being filled in, or was sent."""
        ...

    @operation("PUT", "/drafts/{draft_id}/step", refuses=(Refusal(InvalidInput), _EXPIRED, _SENT, _FACTS))
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

    @operation("POST", "/drafts/{draft_id}/submit", refuses=(Refusal(InvalidInput), _EXPIRED, _FACTS))
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
            Refusal(InvalidInput, Code.FILE_PARAMS_MISSING, Code.FILE_EMPTY, Code.MAX_UPLOAD_SIZE_REACHED),
            Refusal(Refused, Code.MAX_UPLOAD_FILE_COUNT_REACHED, Code.UPLOAD_QUOTA_REACHED),
            _EXPIRED,
            Refusal(TooMany, Code.UPLOADS_TOO_MANY_AT_ONCE),
            _SENT,
            Refusal(Unavailable, Code.UPLOAD_FAILED),
        ),
    )
    async def begin_upload(self, token: Token, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file for a request that is being filled in; all limits are checked here."""
        ...

    @operation(
        "PUT",
        "/files/{upload_id}/body",
        refuses=(
            Refusal(
                InvalidInput,
                Code.UPLOAD_FAILED,
                Code.FILE_NOT_ALLOWED,
                Code.FILE_DAMAGED,
                Code.FILE_TOO_DETAILED,
                Code.FILE_PROTECTED,
            ),
            _EXPIRED,
            _SENT,
            Refusal(Unavailable, Code.UPLOAD_FAILED),
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
