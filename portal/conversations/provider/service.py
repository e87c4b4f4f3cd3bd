"""The operations of customers on conversations."""

import secrets
from datetime import datetime
from typing import NoReturn

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.cases import add_event
from portal.backend.limits import Limit, subject, take
from portal.backend.live import publish
from portal.backend.sessions import Owner, Service
from portal.contract.errors import Conflict, InvalidInput, NotFound, TooMany
from portal.conversations.api import AnswerDraft, AnswerEntry, AnswerText, Conversation, ConversationsApi
from portal.conversations.flow import ANSWER, FILES_FIELD
from portal.conversations.provider.queries import (
    TEXT,
    answer_questions,
    asked,
    customer_of,
    done_for_customer,
    done_in_name,
    draft_of,
    mark_read,
    message_of,
    messages_of,
    own_case,
    unread,
)
from portal.flow.provider.facts import DRAFT_LIFETIME, locked_draft
from portal.flow.provider.handler import DraftSubmission, FlowHandler, Submitted
from portal.flow.provider.queries import DraftQueries, UploadQueries
from portal.kernel.codes import Code
from portal.kernel.validation import MAX_TEXT, count_characters, tidy_text
from portal.tables.cases import CaseRow
from portal.tables.drafts import DraftRow
from portal.tables.messages import CaseMessageRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import MAX_CHARACTERS, MAX_FILES, CaseEventType, CaseState

MAX_AN_HOUR = 30
"""Most answers of one customer in an hour."""

_KEY_BYTES = 24


async def _never(_session: AsyncSession, _request: DraftSubmission) -> Submitted:
    """An answer is sent by `send_answer`, never as a draft of a flow."""
    raise NotFound


ANSWER_HANDLER = FlowHandler(ANSWER, submit=_never)


def checked_text(text: str) -> str:
    """The text of a message in its stored form; it may be empty."""
    tidy = tidy_text(text)
    if not any(sign.isprintable() and not sign.isspace() for sign in tidy):
        return ""
    if len(tidy) > MAX_TEXT or count_characters(tidy) > MAX_CHARACTERS:
        refuse(TEXT, Code.TOO_LONG)
    return tidy


def refuse(field: str, code: Code) -> NoReturn:
    raise InvalidInput(Code.INVALID_INPUT, fields={field: code})


def changed(case: CaseRow, now: datetime) -> None:
    """Count a change of a case, for everybody who has it open."""
    case.version += 1
    case.changed_at = now


class ConversationsService(Service, ConversationsApi):
    @override
    async def conversation(self, token: str, kind: str, reference: str) -> Conversation:
        async with self._sessions.reading(token) as (owner, session):
            case = await own_case(session, owner.customer_id, kind, reference)
            return await self._conversation(session, owner, case)

    @override
    async def begin_answer(self, token: str, kind: str, reference: str) -> AnswerDraft:
        owner = await self._sessions.owner(token)
        try:
            return await self._begin(owner, kind, reference)
        except IntegrityError:
            # Begun in another tab at this very moment; now it is there.
            return await self._begin(owner, kind, reference)

    async def _begin(self, owner: Owner, kind: str, reference: str) -> AnswerDraft:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            case = await own_case(session, owner.customer_id, kind, reference)
            if case.state is CaseState.DONE:
                raise Conflict(Code.CASE_CLOSED)
            drafts = DraftQueries(session, owner.customer_id, now)
            await drafts.delete_expired(ANSWER.name, case.reference)
            row = await drafts.open(ANSWER.name, case.reference)
            if row is None:
                row = DraftRow(
                    key=secrets.token_urlsafe(_KEY_BYTES),
                    customer_id=owner.customer_id,
                    flow=ANSWER.name,
                    subject=case.reference,
                    created_at=now,
                    updated_at=now,
                    expires_at=now + DRAFT_LIFETIME,
                )
                session.add(row)
                await session.flush()
            return draft_of(row, await UploadQueries(session, owner.customer_id, now).complete(row.public_id))

    @override
    async def keep_answer(self, token: str, kind: str, reference: str, kept: AnswerText) -> None:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            case = await own_case(session, owner.customer_id, kind, reference)
            draft = await self._draft(session, owner, case, kept.draft_id, now)
            if draft.sent_at is None:
                draft.answers = {**draft.answers, TEXT: tidy_text(kept.text)[:MAX_TEXT]}
                draft.updated_at, draft.expires_at = now, now + DRAFT_LIFETIME

    @override
    async def send_answer(self, token: str, kind: str, reference: str, entry: AnswerEntry) -> Conversation:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            case = await own_case(session, owner.customer_id, kind, reference, lock=True)
            draft = await self._draft(session, owner, case, entry.draft_id, now)
            if draft.sent_at is None:
                await self._send(session, owner, case, draft, entry, now)
            return await self._conversation(session, owner, case)

    async def _send(
        self,
        session: AsyncSession,
        owner: Owner,
        case: CaseRow,
        draft: DraftRow,
        entry: AnswerEntry,
        now: datetime,
    ) -> None:
        if case.state is CaseState.DONE:
            raise Conflict(Code.CASE_CLOSED)
        text = checked_text(entry.text)
        if not text and not entry.files:
            refuse(TEXT, Code.REQUIRED)
        if len(set(entry.files)) > MAX_FILES:
            refuse(FILES_FIELD, Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        limit = Limit(subject(self._settings, "answers", owner.public_id), MAX_AN_HOUR)
        if retry_at := await take(session, [limit], now):
            raise TooMany(Code.TOO_MANY_REQUESTS, retry_at=retry_at)
        uploads = UploadQueries(session, owner.customer_id, now)
        if await uploads.attach(draft.public_id, set(entry.files), draft.key) != len(set(entry.files)):
            refuse(FILES_FIELD, Code.UNRESOLVED_FILES)
        await uploads.remove_unsent(draft.public_id)
        customer = await customer_of(session, case)
        session.add(
            CaseMessageRow(
                case_id=case.id,
                by_customer=True,
                author=customer.first_name if customer else "",
                text=text,
                key=draft.key,
                created_at=now,
            )
        )
        draft.sent_at, draft.reference, draft.answers, draft.facts = now, case.reference, {}, {}
        await answer_questions(session, case, now)
        await mark_read(session, case, now, by_customer=True)
        changed(case, now)
        details = {"files": len(set(entry.files))}
        await add_event(session, case, CaseEventType.MESSAGE_FROM_CUSTOMER, now, by_customer=True, details=details)
        await publish(session, owner.customer_id, Topic.MESSAGES, now)

    @override
    async def mark_read(self, token: str, kind: str, reference: str) -> None:
        owner = await self._sessions.owner(token, use=False)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            case = await own_case(session, owner.customer_id, kind, reference)
            await mark_read(session, case, now, by_customer=True)

    async def _draft(
        self, session: AsyncSession, owner: Owner, case: CaseRow, draft_id: str, now: datetime
    ) -> DraftRow:
        draft = await locked_draft(DraftQueries(session, owner.customer_id, now), draft_id)
        if (draft.flow, draft.subject or draft.reference) != (ANSWER.name, case.reference):
            raise NotFound
        return draft

    async def _conversation(self, session: AsyncSession, owner: Owner, case: CaseRow) -> Conversation:
        now = self._context.clock()
        stored = await messages_of(session, case)
        rows = [entry.row for entry in stored]
        draft = await DraftQueries(session, owner.customer_id, now).open(ANSWER.name, case.reference)
        uploads = UploadQueries(session, owner.customer_id, now)
        return Conversation(
            kind=case.kind,
            reference=case.reference,
            messages=[message_of(entry) for entry in stored],
            done=[done_for_customer(event, name) for event, name in await done_in_name(session, case)],
            asks=asked(case, rows),
            open=case.state is not CaseState.DONE,
            unread=unread(rows, by_customer=False),
            draft=draft_of(draft, await uploads.complete(draft.public_id)) if draft else None,
        )
