"""The operations of staff on conversations."""

import tomllib
from collections.abc import Awaitable, Callable, Collection
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.cases import add_event
from portal.backend.context import Context
from portal.backend.files.store import store_of
from portal.backend.live import publish
from portal.backend.staff import StaffMember, StaffSessions, first_name, write_audit
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.contract.models import WHOLE_FILE, Content, Document, FilePart
from portal.conversations.api import (
    MessageEntry,
    MessageTemplate,
    StaffConversation,
    StaffConversationsApi,
    TemplateChange,
    TemplateChoice,
    TemplateEntry,
    TemplatePreview,
)
from portal.conversations.provider.outgoing import Dispatch, ItemOf, Receiver, fields, receiver_of
from portal.conversations.provider.queries import (
    TEXT,
    answer_questions,
    asked,
    case_where,
    file_of,
    mark_read,
    message_with_key,
    messages_of,
    staff_message_of,
    unread,
)
from portal.conversations.provider.service import changed, checked_text, refuse
from portal.conversations.rules import DAY, fields_in, filled, unknown_fields
from portal.flow.api import UploadPlace, UploadStart
from portal.flow.provider.queries import UploadQueries
from portal.flow.provider.staff_files import StaffFilesService
from portal.flow.provider.uploads import content_of, preview_of
from portal.kernel.codes import Code
from portal.kernel.days import in_working_days, local_day
from portal.kernel.texts import LOCALES, Locale
from portal.kernel.validation import tidy_text
from portal.tables.cases import CaseRow
from portal.tables.messages import CaseMessageRow, MessageTemplateRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import ANSWER_DAYS, MAX_CHARACTERS, MAX_FILES, Asks, CaseEventType, CaseKind, CaseState
from portal.vocabulary.files import StaffFileUse
from portal.vocabulary.staff import Right

FILE = Path(__file__).resolve().parents[1] / "data" / "templates.toml"


@cache
def delivered() -> dict[str, MessageTemplate]:
    """The templates that are delivered with the portal, by name, in the order of the file."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))["template"]
    return {entry["name"]: _read(entry) for entry in entries}


def _read(entry: dict[str, object]) -> MessageTemplate:
    found = MessageTemplate.model_validate(entry)
    text = LocalizedText(nl=found.text.nl.strip(), en=found.text.en.strip())
    return found.model_copy(update={"text": text, "needs_day": needs_day(text)})


def needs_day(text: LocalizedText) -> bool:
    return DAY in fields_in(text.nl) | fields_in(text.en)


async def all_templates(session: AsyncSession) -> list[MessageTemplate]:
    """All templates: the delivered ones as the shop changed them, then those that the shop added."""
    rows = (await session.exec(select(MessageTemplateRow).order_by(col(MessageTemplateRow.id)))).all()
    return list((delivered() | {row.name: template_of(row) for row in rows}).values())


async def templates_for(session: AsyncSession, kind: CaseKind) -> list[MessageTemplate]:
    found = await all_templates(session)
    return [entry for entry in found if not entry.hidden and (not entry.kinds or kind in entry.kinds)]


def template_of(row: MessageTemplateRow) -> MessageTemplate:
    text = LocalizedText(nl=row.text_nl, en=row.text_en)
    return MessageTemplate(
        name=row.name,
        title=LocalizedText(nl=row.title_nl, en=row.title_en),
        text=text,
        asks=row.asks or Asks.NOTHING,
        kinds=[CaseKind(kind) for kind in row.kinds.split()],
        needs_day=needs_day(text),
        own=True,
        hidden=row.hidden,
    )


def text_for(template: MessageTemplate, locale: Locale) -> str:
    return template.text.text(locale)


MAX_TITLE = 80
MAX_NAME = 40

FILES = "files"
Operation = Callable[..., Awaitable[Any]]


class StaffConversationsService(StaffConversationsApi):
    def __init__(self, context: Context, staff: StaffSessions, files: StaffFilesService, item_of: ItemOf) -> None:
        """Use the database, the clock and the mails of the context; the subjects of cases give the items."""
        self._context = context
        self._staff = staff
        self._files = files
        self._dispatch = Dispatch(context, item_of)
        self._store = store_of(context.settings)

    @override
    async def case_conversation(self, token: str, kind: str, reference: str) -> StaffConversation:
        operation = StaffConversationsApi.case_conversation
        async with self._staff.reading(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            return await self._conversation(session, member, case)

    @override
    async def send_message(self, token: str, kind: str, reference: str, entry: MessageEntry) -> StaffConversation:
        operation = StaffConversationsApi.send_message
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference, lock=True)
            if not await self._sent_before(session, case, entry.key):
                text = checked_text(entry.text)
                if not text and not entry.files:
                    refuse(TEXT, Code.REQUIRED)
                await self._send(session, member, case, entry, text=text, asks=entry.asks, files=set(entry.files))
            return await self._conversation(session, member, case)

    @override
    async def begin_message_file(
        self, token: str, kind: str, reference: str, key: str, start: UploadStart
    ) -> UploadPlace:
        operation = StaffConversationsApi.begin_message_file
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            if not case.customer_id or start.field.partition("-")[0] != StaffFileUse.MESSAGE:
                raise InvalidInput(Code.FILE_PARAMS_MISSING)
            return await self._files.begin(session, member, case.customer_id, key, start)

    @override
    async def send_template(self, token: str, kind: str, reference: str, entry: TemplateEntry) -> StaffConversation:
        operation = StaffConversationsApi.send_template
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference, lock=True)
            if not await self._sent_before(session, case, entry.key):
                to = await receiver_of(session, self._context.settings, case)
                template = await self._template(session, case, entry.template, entry.day)
                text = self._written(case, to, member, template, entry.day)
                await self._send(session, member, case, entry, text=text, asks=template.asks, template=template.name)
            return await self._conversation(session, member, case)

    async def _sent_before(self, session: AsyncSession, case: CaseRow, key: str) -> bool:
        """Whether a message with this key was sent: a second press, or a repeated call."""
        row = await message_with_key(session, key)
        if row is not None and row.case_id != case.id:
            raise Conflict(Code.IDEMPOTENCY_KEY_REUSED)
        return row is not None

    async def _send(
        self,
        session: AsyncSession,
        member: StaffMember,
        case: CaseRow,
        entry: MessageEntry | TemplateEntry,
        *,
        text: str,
        asks: Asks,
        template: str = "",
        files: Collection[str] = (),
    ) -> None:
        now = self._context.clock()
        to = await receiver_of(session, self._context.settings, case)
        if not to.reachable or to.customer is None:
            raise Refused(Code.CUSTOMER_UNREACHABLE)
        if asks is not Asks.NOTHING and case.state is CaseState.DONE:
            raise Conflict(Code.CASE_CLOSED)
        row = CaseMessageRow(
            case_id=case.id,
            staff_id=member.id,
            author=first_name(member.name),
            store=to.store,
            text=text,
            asks=asks,
            template=template,
            key=entry.key,
            created_at=now,
        )
        await self._attach(session, member, entry.key, files, to.customer.id)
        await self._dispatch.send(session, case, row, to, by_text_message=entry.by_text_message, files=len(files))
        session.add(row)
        if asks is not Asks.NOTHING:
            case.state, case.waiting_since = CaseState.WAITING, case.waiting_since or now
            case.waiting_until = in_working_days(now, ANSWER_DAYS)
        elif case.state is CaseState.NEW:
            case.state = CaseState.OPEN
        await mark_read(session, case, now, by_customer=False)
        changed(case, now)
        details = {"asks": asks.value, "template": template, "state": case.state.value, "files": len(files)}
        await add_event(session, case, CaseEventType.MESSAGE_FROM_STAFF, now, details=details)
        action = AuditAction.SEND_TEMPLATE if template else AuditAction.SEND_MESSAGE
        await write_audit(session, member, action, case.kind.value, case.reference, details=details)
        await publish(session, to.customer.id, Topic.MESSAGES, now)

    async def _attach(
        self, session: AsyncSession, member: StaffMember, key: str, files: Collection[str], customer_id: int
    ) -> None:
        """Give the files of a message to the customer; what the message leaves out is deleted."""
        if len(files) > MAX_FILES:
            refuse(FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        uploads = UploadQueries.of_staff(session, member.id, self._context.clock())
        if await uploads.attach(key, files, key, shared_with=customer_id) != len(files):
            refuse(FILES, Code.UNRESOLVED_FILES)
        await uploads.remove_unsent(key)

    @override
    async def close_question(self, token: str, kind: str, reference: str) -> StaffConversation:
        operation = StaffConversationsApi.close_question
        now = self._context.clock()
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference, lock=True)
            before = case.state
            if await answer_questions(session, case, now):
                changed(case, now)
                details = {"state_before": before.value, "state": case.state.value}
                await add_event(session, case, CaseEventType.STATUS_CHANGED, now, details=details)
                await write_audit(
                    session, member, AuditAction.CLOSE_QUESTION, case.kind.value, case.reference, details=details
                )
            return await self._conversation(session, member, case)

    @override
    async def mark_case_read(self, token: str, kind: str, reference: str) -> None:
        operation = StaffConversationsApi.mark_case_read
        now = self._context.clock()
        async with self._staff.changing(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            await mark_read(session, case, now, by_customer=False)

    @override
    async def case_templates(self, token: str, kind: str, reference: str) -> list[MessageTemplate]:
        operation = StaffConversationsApi.case_templates
        async with self._staff.reading(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            return await templates_for(session, case.kind)

    @override
    async def preview_template(self, token: str, kind: str, reference: str, choice: TemplateChoice) -> TemplatePreview:
        operation = StaffConversationsApi.preview_template
        async with self._staff.reading(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            template = await self._template(session, case, choice.template, choice.day)
            to = await receiver_of(session, self._context.settings, case)
            return TemplatePreview(text=self._written(case, to, member, template, choice.day), asks=template.asks)

    async def _template(self, session: AsyncSession, case: CaseRow, name: str, day: date | None) -> MessageTemplate:
        found = next((entry for entry in await templates_for(session, case.kind) if entry.name == name), None)
        if found is None:
            refuse("template", Code.INVALID_CHOICE)
        if found.needs_day and day is None:
            refuse(DAY, Code.REQUIRED)
        if found.needs_day and day and day < local_day(self._context.clock()):
            refuse(DAY, Code.INVALID_CHOICE)
        return found

    def _written(
        self, case: CaseRow, to: Receiver, member: StaffMember, template: MessageTemplate, day: date | None
    ) -> str:
        settings = self._context.settings.of(to.customer.source if to.customer else "")
        values = fields(case, to, member, settings.brand.name, day)
        return filled(text_for(template, to.locale), values)

    @override
    async def message_file(
        self, token: str, kind: str, reference: str, upload_id: str, part: FilePart = WHOLE_FILE
    ) -> Content:
        operation = StaffConversationsApi.message_file
        async with self._staff.reading(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            row = await file_of(session, case, upload_id)
        return content_of(self._store, row, part)

    @override
    async def message_preview(self, token: str, kind: str, reference: str, upload_id: str) -> Document:
        operation = StaffConversationsApi.message_preview
        async with self._staff.reading(token, operation) as (member, session):
            case = await self._case(session, member, operation, kind, reference)
            row = await file_of(session, case, upload_id)
        return await preview_of(self._store, row)

    @override
    async def message_templates(self, token: str) -> list[MessageTemplate]:
        async with self._staff.reading(token, StaffConversationsApi.message_templates) as (_member, session):
            return await all_templates(session)

    @override
    async def change_template(self, token: str, name: str, change: TemplateChange) -> MessageTemplate:
        now = self._context.clock()
        async with self._staff.changing(token, StaffConversationsApi.change_template) as (member, session):
            values = _checked(name, change)
            query = select(MessageTemplateRow).where(MessageTemplateRow.name == name).with_for_update()
            row = (await session.exec(query)).one_or_none()
            before = template_of(row) if row else delivered().get(name)
            if row is None:
                row = MessageTemplateRow(name=name, changed_at=now, **values)
                session.add(row)
            else:
                row.sqlmodel_update({**values, "changed_at": now})
            await session.flush()
            after = template_of(row)
            await write_audit(
                session, member, AuditAction.CHANGE_TEMPLATE, "message_template", name, details=_changes(before, after)
            )
            return after

    async def _case(
        self,
        session: AsyncSession,
        member: StaffMember,
        operation: Operation,
        kind: str,
        reference: str,
        *,
        lock: bool = False,
    ) -> CaseRow:
        """A case that the person may see."""
        try:
            return await case_where(session, kind, reference, member.visible_cases(), lock=lock)
        except NotFound:
            self._staff.refused(member, operation.__name__)
            raise

    async def _conversation(self, session: AsyncSession, member: StaffMember, case: CaseRow) -> StaffConversation:
        to = await receiver_of(session, self._context.settings, case)
        stored = await messages_of(session, case)
        rows = [entry.row for entry in stored]
        return StaffConversation(
            kind=case.kind,
            reference=case.reference,
            state=case.state,
            customer=to.customer.first_name if to.customer else "",
            locale=to.locale,
            ways=to.ways(self._context.settings),
            reachable=to.reachable,
            asks=asked(case, rows),
            may_write=member.may(Right.WRITE_TO_CUSTOMERS),
            messages=[staff_message_of(entry) for entry in stored],
            unread=unread(rows, by_customer=True),
            version=case.version,
        )


def _changes(before: MessageTemplate | None, after: MessageTemplate) -> dict[str, Any]:
    """What changed of a template, with the former texts: the audit keeps every version."""
    if before is None:
        return {"new": True}
    names = ("title", "text", "asks", "kinds", "hidden")
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    return {name: old[name] for name in names if old[name] != new[name]}


def _checked(name: str, change: TemplateChange) -> dict[str, Any]:
    values: dict[str, Any] = {
        "kinds": " ".join(kind.value for kind in change.kinds),
        "asks": change.asks,
        "hidden": change.hidden,
    }
    wrong: dict[str, Code] = {}
    if not 0 < len(name) <= MAX_NAME:
        wrong["name"] = Code.TOO_LONG
    for locale in LOCALES:
        title, text = _tidy(change.title, locale), _tidy(change.text, locale)
        if not title or len(title) > MAX_TITLE:
            wrong[f"title_{locale}"] = Code.TOO_LONG if title else Code.REQUIRED
        if not text or len(text) > MAX_CHARACTERS:
            wrong[f"text_{locale}"] = Code.TOO_LONG if text else Code.REQUIRED
        elif unknown_fields(text):
            wrong[f"text_{locale}"] = Code.UNKNOWN_PLACEHOLDER
        values |= {f"title_{locale}": title, f"text_{locale}": text}
    if wrong:
        code = Code.UNKNOWN_PLACEHOLDER if Code.UNKNOWN_PLACEHOLDER in wrong.values() else Code.INVALID_INPUT
        raise InvalidInput(code, fields=wrong)
    return values


def _tidy(text: LocalizedText, locale: Locale) -> str:
    return tidy_text(text.text(locale))
