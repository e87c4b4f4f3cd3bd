"""The operations on drafts and their files, and the models they exchange."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.account import Account
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.contract.models import (
    WHOLE_FILE,
    Content,
    Document,
    FilePart,
    KnownLocale,
    Model,
    Page,
    Picture,
    StoredFile,
)
from portal.contract.operations import (
    ANY_FILE,
    JPEG,
    LAST_PAGE,
    MAX_SEARCH,
    Bearer,
    DeclaredRefusal,
    InVisit,
    StaffToken,
    Token,
    operation,
)
from portal.kernel.codes import Code
from portal.vocabulary.staff import Right

Answer = str | list[str]


class DraftStart(Model):
    """Begin a request or continue the draft for the same subject.

    `flow`: name of the flow, such as 'repair-request'.
    `subject`: the subject, such as a bike, if it is already known; it becomes the answer to its field.
    `anew`: discard the draft for this subject and begin a new one.
    """

    flow: str = Field(max_length=40)
    subject: str = Field(default="", max_length=40)
    anew: bool = False


class StepEntry(Model):
    """The raw answers to one step; the provider checks them.

    `step`: address of the step within the flow, such as 'step-1'.
    `answers`: values by field; fields of other steps are ignored.
    `version`: the version of the draft that the customer saw.
    """

    step: str = Field(max_length=40)
    answers: dict[str, Answer] = Field(default_factory=dict)
    version: int


class Submission(Model):
    """Send a request with the key of its draft. Sending twice creates one request."""

    key: str = Field(max_length=64)


class RequestItem(Model):
    """What a request is about, such as a bike. `name` is in the language of the reader."""

    name: str
    picture: Picture = Picture()


class Receipt(Model):
    """A request that was sent.

    `sent_at`: moment of sending (UTC).
    `email`: recipient of the confirmation; empty if none was sent.
    `summary`: further data for the confirmation page, by flow.
    `account`: what every channel says about the request now; None for a flow without accounts.
    `items`: what the request is about; empty if the flow does not say.
    """

    flow: str
    draft_id: str
    reference: str
    sent_at: datetime
    email: str
    summary: dict[str, Any] = Field(default_factory=dict)
    account: Account | None = None
    items: list[RequestItem] = Field(default_factory=list)


class Draft(Model):
    """A request that was begun.

    `subject`: the subject, such as a bike; empty if it is not chosen yet.
    `answers`: accepted answers by field.
    `completed`: addresses of the steps that were answered.
    `facts`: data of the provider that the flow depends on.
    `version`: increases with every change.
    `warnings`: codes of the answers to check again, by field; these are not errors.
    `expires_at`: when the draft is deleted (UTC).
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
    """A draft in a list. `name` is the name of its subject, empty if that is not chosen yet; times in UTC."""

    draft_id: str
    flow: str
    subject: str
    name: str
    updated_at: datetime
    expires_at: datetime


class FlowStart(Model):
    """The data of a flow before a request is begun.

    `facts`: data of the provider that the introduction depends on. A draft may have more.
    """

    facts: dict[str, Any]
    drafts: list[DraftSummary]
    receipt: Receipt | None = None


class SubjectSearch(Model):
    """What to look for among the subjects of a flow, such as the customer's bikes.

    `text`: part of what a subject shows, such as name, frame number or order number; empty for all.
    `page`: number of the page, from 1.
    """

    text: str = Field(default="", max_length=MAX_SEARCH)
    page: int = Field(default=1, ge=1, le=LAST_PAGE)


class UploadStart(Model):
    """The announcement of a file, before its body is sent.

    `field`: name of the field that the file answers.
    `size`: size in bytes.
    """

    field: str = Field(max_length=40)
    name: str = Field(max_length=1000)
    size: int = Field(ge=0, le=2**53)


class UploadPlace(Model):
    """The id for an announced file. It is valid for a minute and while the body arrives."""

    upload_id: str


class Upload(StoredFile):
    """A file that was received completely and inspected. Its id is in the answer to the field `field`."""

    field: str


PhoneToken = Annotated[str, Bearer()]
"""The last part of a link of `open_phone_link`. It opens one field of one draft and nothing else."""


class PhonePlace(Model):
    """The field of a draft that gets files from a telephone."""

    field: str = Field(max_length=40)


class PhoneLink(Model):
    """A link for a telephone: its last part, and when it ends in any case (UTC)."""

    hash: str = Field(repr=False)
    expires_at: datetime


class PhoneLinkState(Model):
    """The link of a draft."""

    active: bool
    opened: bool


class PhoneUploads(Model):
    """What a telephone with a link sees: no personal data.

    `name`: name of the bike; empty if the request is about none.
    `files`: the files that this link added.
    """

    flow: str
    field: str
    name: str
    locale: KnownLocale
    files: list[Upload]


_EXPIRED = DeclaredRefusal(Refused)
"""The draft has expired or a rule of the flow refuses; each flow has its own codes."""

_FACTS = DeclaredRefusal(Unavailable)
"""The facts cannot be looked up now, such as `insurance_options_failed`."""

_SENT = DeclaredRefusal(Conflict)
"""The draft was already sent: `draft_sent` or the flow's own code."""


ANNOUNCEMENT = (
    DeclaredRefusal(InvalidInput, Code.FILE_PARAMS_MISSING, Code.FILE_EMPTY, Code.MAX_UPLOAD_SIZE_REACHED),
    DeclaredRefusal(Refused, Code.MAX_UPLOAD_FILE_COUNT_REACHED, Code.UPLOAD_QUOTA_REACHED),
    DeclaredRefusal(TooMany, Code.UPLOADS_TOO_MANY_AT_ONCE),
    DeclaredRefusal(Unavailable, Code.UPLOAD_FAILED),
)
_RECEIVING = (
    DeclaredRefusal(
        InvalidInput,
        Code.UPLOAD_FAILED,
        Code.FILE_NOT_ALLOWED,
        Code.FILE_DAMAGED,
        Code.FILE_TOO_DETAILED,
        Code.FILE_PROTECTED,
    ),
    DeclaredRefusal(Unavailable, Code.UPLOAD_FAILED),
)


class FlowApi(Protocol):
    """Drafts and their files."""

    @operation("GET", "/flows/{flow}", refuses=(_FACTS,))
    async def flow_start(self, token: Token, flow: str) -> FlowStart:
        """The data before a request is begun: the facts, the drafts, and the last receipt."""

    @operation("POST", "/flows/{flow}/subjects/search", refuses=(_FACTS,))
    async def find_subjects(self, token: Token, flow: str, search: SubjectSearch) -> Page[dict[str, Any]]:
        """A page of what the flow can be about, as entries of its facts.

        The facts have the first page and what was chosen. Not found if the flow lists no subjects.
        """

    @operation("POST", "/drafts", refuses=(DeclaredRefusal(Refused), DeclaredRefusal(NotFound), _FACTS))
    async def open_draft(self, token: Token, start: DraftStart) -> Draft:
        """Begin a request or continue the draft of this flow and subject.

        Refused if a rule does not allow the subject. Not found if there is no such flow.
        """

    @operation("GET", "/drafts/{draft_id}", refuses=(_FACTS,))
    async def draft(self, token: Token, draft_id: str) -> Draft:
        """A draft, sent or not."""

    @operation("PUT", "/drafts/{draft_id}/step", refuses=(DeclaredRefusal(InvalidInput), _EXPIRED, _SENT, _FACTS))
    async def save_step(self, token: Token, draft_id: str, entry: StepEntry) -> Draft:
        """Save the answers to one step; they are durable when the call returns.

        If the answers choose a subject that already has a draft, the customer continues with that draft.

        Invalid answers get the code of the step and a code for each field. `step_not_open`: earlier steps are not done.
        `draft_changed`: the draft has a newer version.

        In a session of staff, dots in the answer for an account, policy or pin number stand for the stored one.
        """

    @operation("POST", "/drafts/{draft_id}/discard")
    async def discard_draft(self, token: Token, draft_id: str) -> None:
        """Delete a draft that was not sent."""

    @operation("POST", "/drafts/{draft_id}/submit", refuses=(DeclaredRefusal(InvalidInput), _EXPIRED, _FACTS))
    async def submit_draft(self, token: Token, draft_id: str, submission: Submission) -> Receipt:
        """Send a request. A repeated call with the same key returns the same receipt.

        Invalid input has the code of the first step with a missing or no longer valid answer. Refused if a rule of the
        flow does not allow the request, such as `open_work_order_exists`.
        """

    @operation(
        "POST",
        "/drafts/{draft_id}/files",
        refuses=(*ANNOUNCEMENT, _EXPIRED, _SENT),
    )
    async def begin_upload(self, token: Token, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file for a draft. All limits are checked here."""

    @operation(
        "PUT",
        "/files/{upload_id}/body",
        refuses=(*_RECEIVING, _EXPIRED, _SENT),
    )
    async def receive_upload(self, token: Token, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive the body of an announced file, exactly as many bytes as announced, and inspect it.

        The file counts only after this call returns. `upload_failed`: the transfer was interrupted.
        """

    @operation("DELETE", "/files/{upload_id}", refuses=(_EXPIRED, _SENT))
    async def remove_upload(self, token: Token, upload_id: str) -> None:
        """Remove a file from a draft that was not sent, or cancel its upload."""

    @operation("GET", "/files/{upload_id}/content", media=ANY_FILE)
    async def upload_content(self, token: Token, upload_id: str, part: FilePart = WHOLE_FILE) -> Content:
        """The content of a file for its owner, in chunks.

        Also for the customer to whom staff sent it.
        """

    @operation("GET", "/files/{upload_id}/preview", media=JPEG)
    async def upload_preview(self, token: Token, upload_id: str) -> Document:
        """A small JPEG of a photo. Not found for other files."""

    @operation(
        "POST",
        "/drafts/{draft_id}/phone",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.FILE_PARAMS_MISSING),
            DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
            _EXPIRED,
            _SENT,
        ),
        in_visit=InVisit.NEVER,
    )
    async def open_phone_link(self, token: Token, draft_id: str, place: PhonePlace) -> PhoneLink:
        """Make a link with which a telephone adds files to a field of a draft, without a login.

        An earlier link of the draft ends. The link ends when the request is sent, when the draft is removed, with this
        session, and after half an hour.
        """

    @operation("GET", "/drafts/{draft_id}/phone")
    async def phone_link(self, token: Token, draft_id: str) -> PhoneLinkState:
        """Whether a telephone can add files to a draft, and whether one has opened the link."""

    @operation("POST", "/drafts/{draft_id}/phone/end", in_visit=InVisit.NEVER)
    async def end_phone_link(self, token: Token, draft_id: str) -> None:
        """End the link of a draft. What it added stays."""

    @operation("GET", "/phone")
    async def phone_uploads(self, token: PhoneToken) -> PhoneUploads:
        """What the link is for, and what it has added. The session that it asks for is that of the link."""

    @operation("POST", "/phone/files", refuses=(*ANNOUNCEMENT, _EXPIRED, _SENT))
    async def begin_phone_upload(self, token: PhoneToken, start: UploadStart) -> UploadPlace:
        """Announce a file with a link, with the limits of the draft. `file_params_missing` for another field."""

    @operation("PUT", "/phone/files/{upload_id}/body", refuses=(*_RECEIVING, _EXPIRED, _SENT))
    async def receive_phone_upload(self, token: PhoneToken, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive the body of a file that this link announced; as `receive_upload`."""

    @operation("DELETE", "/phone/files/{upload_id}", refuses=(_EXPIRED, _SENT))
    async def remove_phone_upload(self, token: PhoneToken, upload_id: str) -> None:
        """Remove a file that this link added."""

    @operation("GET", "/phone/files/{upload_id}/preview", media=JPEG)
    async def phone_preview(self, token: PhoneToken, upload_id: str) -> Document:
        """A small JPEG of a photo that this link added."""


class StaffFilesApi(Protocol):
    """Files of staff that were not sent yet. A subject announces them, and attaches them to what is sent."""

    @operation("GET", "/staff/files", right=Right.SEE_CASES)
    async def staff_files(
        self, token: StaffToken, draft: Annotated[str, Field(max_length=64, description="What they belong to.")]
    ) -> list[Upload]:
        """The files that were uploaded and not sent, in their order."""

    @operation("PUT", "/staff/files/{upload_id}/body", refuses=_RECEIVING, right=Right.SEE_CASES)
    async def receive_staff_file(self, token: StaffToken, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Receive the body of an announced file, exactly as many bytes as announced, and inspect it."""

    @operation("DELETE", "/staff/files/{upload_id}", right=Right.SEE_CASES)
    async def remove_staff_file(self, token: StaffToken, upload_id: str) -> None:
        """Remove a file that was not sent, or cancel its upload."""

    @operation("GET", "/staff/files/{upload_id}/preview", media=JPEG, right=Right.SEE_CASES)
    async def staff_file_preview(self, token: StaffToken, upload_id: str) -> Document:
        """A small JPEG of a photo."""
