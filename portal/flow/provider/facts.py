"""What a draft depends on, looked up freshly, and drafts and files as the models that travel."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.sessions import Owner
from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.flow.api import Draft, DraftSummary, Receipt, Upload
from portal.flow.journey import Journey
from portal.flow.model import OPTIONAL_FIELDS, Flow
from portal.flow.provider.handler import HANDLERS, FlowHandler, LookupContext
from portal.flow.provider.queries import DraftRepository, UploadRepository, fact
from portal.flow.rules import FILES, AnswerContext, Answers, Files
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.tables.drafts import DraftRow, UploadRow

_NOTHING: Mapping[str, Any] = {}


async def facts_of(
    context: Context,
    session: AsyncSession,
    owner: Owner,
    handler: FlowHandler,
    draft: str = "",
    answers: Answers = _NOTHING,
) -> dict[str, Any]:
    """All facts of a draft.

    Args:
        context: of the application.
        session: of the database.
        owner: whose draft it is.
        handler: the retailer's side of its flow.
        draft: its public id; empty while there is none.
        answers: what was answered.
    """
    facts = await handler.facts(session, owner)
    if optional := handler.optional_fields(context.settings):
        facts[OPTIONAL_FIELDS] = optional
    day = local_day(context.clock())
    for lookup in handler.lookups:
        facts |= await lookup(LookupContext(session, owner, AnswerContext(answers, facts, day), context.settings))
    if draft and file_fields(handler.flow):
        rows = await UploadRepository(session, owner.customer_id, context.clock()).complete(draft)
        facts[FILES] = [fact(row) for row in rows]
    return facts


def file_fields(flow: Flow) -> list[str]:
    """Names of the fields that ask for files."""
    return [field.name for field in flow.fields if isinstance(field.rule, Files)]


def files_in(flow: Flow, answers: Answers) -> list[str]:
    """Ids of all files that were answered."""
    return [identifier for name in file_fields(flow) for identifier in answers.get(name, ())]


DRAFT_LIFETIME = timedelta(days=30)
"""A draft after its last change, and the receipt of one that was sent."""


class Contents(Protocol):
    """A row of the table, whichever way it was read."""

    public_id: Any
    key: Any
    flow: Any
    subject: Any
    answers: Any
    completed: Any
    facts: Any
    version: Any
    expires_at: Any
    sent_at: Any
    reference: Any
    receipt: Any


def handler_of(flow: str) -> FlowHandler:
    """The retailer's side of a flow.

    Raises:
        NotFound: there is no flow of this name.
    """
    handler = HANDLERS.get(flow)
    if handler is None:
        raise NotFound
    return handler


async def to_change(drafts: DraftRepository, draft_id: str) -> DraftRow:
    """A draft that is about to be changed, locked.

    Raises:
        NotFound: there is none with this id, or it is somebody else's.
        Refused: it has expired; with the code of its flow.
    """
    if not is_short_id(draft_id):
        raise NotFound
    try:
        return await drafts.get(draft_id, lock=True)
    except NotFound:
        if flow := await drafts.expired(draft_id):
            raise Refused(handler_of(flow).flow.refusals.expired) from None
        raise


def journey(handler: FlowHandler, row: Contents, day: date, facts: Mapping[str, Any] | None = None) -> Journey:
    """The way of a draft; with its own facts, unless newer ones are known."""
    return Journey(handler.flow, row.answers, row.completed, row.facts if facts is None else facts, day)


def draft(
    row: Contents,
    current: Journey | None = None,
    *,
    version: int | None = None,
    expires_at: datetime | None = None,
) -> Draft:
    """A draft.

    Args:
        row: as it is, or was, in the database.
        current: its answers, when they are newer than the row; none for one that was sent.
        version: likewise.
        expires_at: likewise.
    """
    return Draft(
        draft_id=row.public_id,
        key=row.key,
        flow=row.flow,
        subject=row.subject,
        answers=dict(current.answers if current else row.answers),
        completed=[current.flow.address(name) for name in current.completed] if current else [],
        facts=dict(current.facts if current else row.facts),
        version=row.version if version is None else version,
        warnings={name: code.value for name, code in current.warnings().items()} if current else {},
        expires_at=expires_at or row.expires_at,
        receipt=receipt(row),
    )


def receipt(row: Contents) -> Receipt | None:
    """What a draft became; none while it was not sent."""
    if row.sent_at is None:
        return None
    return Receipt(
        flow=row.flow,
        draft_id=row.public_id,
        reference=row.reference,
        sent_at=row.sent_at,
        email=str(row.receipt.get("email", "")),
        summary=dict(row.receipt.get("summary", {})),
    )


def summary(row: DraftRow, name: str) -> DraftSummary:
    """A draft in a list."""
    return DraftSummary(
        draft_id=row.public_id,
        flow=row.flow,
        subject=row.subject,
        name=name,
        updated_at=row.updated_at,
        expires_at=row.expires_at,
    )


def rule_of(draft: DraftRow, name: str) -> Files:
    """What a field of a draft asks for.

    Raises:
        InvalidInput: `file_params_missing`: it asks for no files.
    """
    flow = handler_of(draft.flow).flow
    rule = next((field.rule for field in flow.fields if field.name == name), None)
    if not isinstance(rule, Files):
        raise InvalidInput(Code.FILE_PARAMS_MISSING, fields={"field": Code.FILE_PARAMS_MISSING})
    return rule


def put_answer(draft: DraftRow, name: str, files: list[str]) -> None:
    """Let these files be the answer to a field."""
    draft.answers = {**draft.answers, name: files}


def upload_of(row: UploadRow) -> Upload:
    """A complete file as what travels."""
    entry = fact(row)
    return Upload(upload_id=entry.pop("id"), **entry)
