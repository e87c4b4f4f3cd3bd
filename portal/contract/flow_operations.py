"""Operations of the flows: requests that are filled in, with their files, and sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from portal.contract.base import Document
from portal.contract.drafts import Draft, DraftStart, FlowStart, Receipt, StepEntry, Submission
from portal.contract.uploads import Content, Upload, UploadPlace, UploadStart


class FlowOperations(Protocol):
    """Part of `portal.contract.provider.Provider`; what holds for all operations is said there."""

    async def flow_start(self, token: str, flow: str) -> FlowStart:
        """What is known before a request is begun: what can be chosen, and what was begun or sent before."""
        ...

    async def open_draft(self, token: str, start: DraftStart) -> Draft:
        """Begin a request, or go on with the one that was begun in this flow for this subject."""
        ...

    async def draft(self, token: str, draft_id: str) -> Draft:
        """A request that is being filled in, or was sent."""
        ...

    async def save_step(self, token: str, draft_id: str, entry: StepEntry) -> Draft:
        """Keep the answers to one step; durable when it returns.

        When the answer names a subject for which another request was begun, that one is gone on with.

        Raises:
            InvalidInput: the code of the step, with a code for each field.
            Refused: `step_not_open`.
            Conflict: `draft_changed` when another version was seen, `draft_sent`.
        """
        ...

    async def discard_draft(self, token: str, draft_id: str) -> None:
        """Throw a request away that was not sent."""
        ...

    async def submit_draft(self, token: str, draft_id: str, submission: Submission) -> Receipt:
        """Send a request. Done again with the same key, it answers the same receipt.

        Raises:
            InvalidInput: the code of the first step that lacks an answer or has one that no longer holds.
            Refused: a rule of the flow says no, such as `open_work_order_exists`.
        """
        ...

    async def begin_upload(self, token: str, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file for a request that is being filled in; all limits are checked here.

        Raises:
            InvalidInput: `file_params_missing`, `file_empty`, `max_upload_size_reached`.
            Refused: `max_upload_file_count_reached`, `upload_quota_reached`.
            TooMany: `uploads_too_many_at_once`.
            Conflict: `draft_sent`.
        """
        ...

    async def receive_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive an announced file piece by piece, and look into it. It counts when this returns, and not before.

        Raises:
            InvalidInput: `upload_failed` when it breaks off, `file_not_allowed`, `file_damaged`, `file_too_detailed`,
                `file_protected`.
        """
        ...

    async def remove_upload(self, token: str, upload_id: str) -> None:
        """Remove a file from a request that was not sent, or break off its arrival.

        Raises:
            Conflict: `draft_sent`.
        """
        ...

    async def upload_content(self, token: str, upload_id: str) -> Content:
        """A file for its owner, piece by piece."""
        ...

    async def upload_preview(self, token: str, upload_id: str) -> Document:
        """A small JPEG of a photo. Other files have none: not found."""
        ...
