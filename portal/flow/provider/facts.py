"""The lookup of the facts of a draft, and the mapping of drafts and files to models."""

from datetime import date, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.sessions import Owner
from portal.contract.errors import InvalidInput, NotFound, Refused
from portal.contract.models import mapped
from portal.flow.api import Draft, DraftSummary, Receipt, Upload
from portal.flow.facts import AnswerContext, Answers, Facts, stored_facts
from portal.flow.journey import Journey
from portal.flow.model import OPTIONAL_FIELDS, Flow
from portal.flow.provider.handler import HANDLERS, FlowHandler, LookupContext
from portal.flow.provider.queries import DraftQueries, UploadQueries, file_facts
from portal.flow.rules import Files
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.tables.drafts import DraftRow, UploadRow
from portal.vocabulary.files import FileKind
from portal.vocabulary.staff import VisitMode

_NO_ANSWERS: Answers = {}


async def facts_of(
    context: Context,
    session: AsyncSession,
    owner: Owner,
    handler: FlowHandler,
    draft: str = "",
    answers: Answers = _NO_ANSWERS,
    also: str = "",
    *,
    introduction: bool = False,
) -> dict[str, object]:
    """Look up all facts of a draft, or those of the introduction. `also` is a further subject to check."""
    look_up = (introduction and handler.introduction) or handler.facts
    facts = {**stored_facts(await look_up(session, owner))} if look_up else {}
    if handler.subjects:
        chosen = {handler.flow.subject_of(answers), also} - {""}
        facts |= stored_facts(await handler.subjects.facts(session, owner, chosen))
    if handler.terms:
        facts |= stored_facts(handler.terms(context.settings))
    if optional := handler.optional_fields(context.settings, at_counter=owner.mode is VisitMode.IN_NAME):
        facts[OPTIONAL_FIELDS] = optional
    day = local_day(context.clock())
    for lookup in handler.lookups:
        asked = LookupContext(session, owner, AnswerContext(answers, facts, day), context.settings)
        facts |= stored_facts(await lookup(asked))
    if draft and file_fields(handler.flow):
        rows = await UploadQueries(session, owner.customer_id, context.clock()).complete(draft)
        facts |= file_facts(rows).stored()
    return facts


def file_fields(flow: Flow) -> list[str]:
    """Names of the file fields of a flow."""
    return [field.name for field in flow.fields if isinstance(field.rule, Files)]


def files_in(flow: Flow, answers: Answers) -> list[str]:
    """Ids of the files in the answers."""
    return [identifier for name in file_fields(flow) for identifier in answers.get(name, ())]


DRAFT_LIFETIME = timedelta(days=30)
"""How long a draft exists after its last change, and its receipt after sending."""


def handler_of(flow: str) -> FlowHandler:
    """The handler of a flow. Raises `NotFound`."""
    handler = HANDLERS.get(flow)
    if handler is None:
        raise NotFound
    return handler


async def locked_draft(drafts: DraftQueries, draft_id: str) -> DraftRow:
    """Lock a draft until the end of the transaction, and return it. Raises `NotFound` or `Refused`."""
    if not is_short_id(draft_id):
        raise NotFound
    try:
        return await drafts.get(draft_id, lock=True)
    except NotFound:
        if flow := await drafts.expired_flow(draft_id):
            raise Refused(handler_of(flow).flow.refusals.expired) from None
        raise


def journey_of(handler: FlowHandler, row: DraftRow, day: date, facts: Facts | None = None) -> Journey:
    """The journey of a draft, with its stored facts unless newer ones are given."""
    return Journey(handler.flow, row.answers, row.completed, row.facts if facts is None else facts, day)


def draft_of(row: DraftRow, current: Journey | None = None) -> Draft:
    """The draft of a row; `current` is its journey with the newest answers, none if it was sent."""
    return mapped(
        Draft,
        row,
        draft_id=row.public_id,
        answers=dict(current.answers if current else row.answers),
        completed=[current.flow.address(name) for name in current.completed] if current else [],
        facts=dict(current.facts if current else row.facts),
        warnings={name: code.value for name, code in current.warnings().items()} if current else {},
        receipt=receipt_of(row),
    )


def receipt_of(row: DraftRow) -> Receipt | None:
    """Map a row to a receipt; none if the draft was not sent."""
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


async def current_receipt(session: AsyncSession, owner: Owner, row: DraftRow) -> Receipt | None:
    """The receipt of a draft with the current state of its request; None if not sent."""
    receipt, handler = receipt_of(row), HANDLERS.get(row.flow)
    if receipt is None or handler is None or handler.current is None:
        return receipt
    current = await handler.current(session, owner, row.reference)
    if current is None:
        return receipt
    return receipt.model_copy(update={"account": current.account, "items": list(current.items)})


def summary_of(row: DraftRow, name: str) -> DraftSummary:
    """Map a row to an entry of a list; `name` is the name of the subject."""
    return mapped(DraftSummary, row, draft_id=row.public_id, name=name)


def rule_of(draft: DraftRow, name: str) -> Files:
    """The rule of a file field of a draft. Raises `InvalidInput`."""
    flow = handler_of(draft.flow).flow
    rule = next((field.rule for field in flow.fields if field.name == name), None)
    if not isinstance(rule, Files):
        raise InvalidInput(Code.FILE_PARAMS_MISSING, fields={"field": Code.FILE_PARAMS_MISSING})
    return rule


def set_files(draft: DraftRow, name: str, files: list[str]) -> None:
    """Set the answer to a file field."""
    draft.answers = {**draft.answers, name: files}


def upload_of(row: UploadRow) -> Upload:
    """Map the row of a complete file to its model."""
    return mapped(Upload, row, upload_id=row.public_id, photo=FileKind(row.kind).photo)
