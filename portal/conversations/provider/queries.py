"""The SQL on messages, and their models. A query for the customer holds the customer, one for staff what they see."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import end_questions
from portal.backend.database import find_one
from portal.backend.staff import first_name
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import NotFound
from portal.contract.models import M, mapped
from portal.conversations.api import (
    AnswerDraft,
    DoneForCustomer,
    Message,
    MessageFile,
    RequestNews,
    Sending,
    StaffMessage,
)
from portal.kernel.validation import is_short_id
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.tables.messages import CaseMessageRow, OutboxMail, TextMessageRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import (
    ASKED_MEANING,
    ASKED_STATUS,
    CHANGED,
    CONVERSATION_PAGES,
    DONE_LABELS,
    KIND_OF_PATH,
    Asks,
    CaseKind,
    CaseState,
    Outcome,
    Way,
)
from portal.vocabulary.files import FileKind


async def case_where(
    session: AsyncSession, kind: str, reference: str, allowed: ColumnElement[bool], *, lock: bool = False
) -> CaseRow:
    if kind not in KIND_OF_PATH:
        raise NotFound
    query = select(CaseRow).where(CaseRow.kind == KIND_OF_PATH[kind], col(CaseRow.reference) == reference, allowed)
    return await find_one(session, query, lock=lock)


async def own_case(
    session: AsyncSession, customer_id: int, kind: str, reference: str, *, lock: bool = False
) -> CaseRow:
    allowed = (col(CaseRow.customer_id) == customer_id) & col(CaseRow.kind).in_(sorted(CONVERSATION_PAGES))
    return await case_where(session, kind, reference, allowed, lock=lock)


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message with its files, its writer, and what went out.

    `mail`, `text_message`: what went out; None if nothing did, or if the record was deleted since.
    """

    row: CaseMessageRow
    files: Sequence[UploadRow] = field(default_factory=tuple)
    writer: str = ""
    mail: OutboxMail | None = None
    text_message: TextMessageRow | None = None


async def messages_of(session: AsyncSession, case: CaseRow) -> list[StoredMessage]:
    query = (
        select(CaseMessageRow, StaffRow.name, OutboxMail, TextMessageRow)
        .outerjoin(StaffRow, col(StaffRow.id) == col(CaseMessageRow.staff_id))
        .outerjoin(OutboxMail, col(OutboxMail.id) == col(CaseMessageRow.mail_id))
        .outerjoin(TextMessageRow, col(TextMessageRow.id) == col(CaseMessageRow.text_message_id))
        .where(CaseMessageRow.case_id == case.id)
        .order_by(col(CaseMessageRow.id))
    )
    rows = (await session.exec(query)).all()
    files = await _files(session, case)
    return [StoredMessage(row, files.get(row.key, []), name or "", mail, text) for row, name, mail, text in rows]


async def _files(session: AsyncSession, case: CaseRow) -> dict[str, list[UploadRow]]:
    found: dict[str, list[UploadRow]] = defaultdict(list)
    query = _attached(case).order_by(col(UploadRow.id))
    for row in (await session.exec(query)).all():
        found[row.request_key or ""].append(row)
    return found


async def file_of(session: AsyncSession, case: CaseRow, upload_id: str) -> UploadRow:
    if not is_short_id(upload_id):
        raise NotFound
    return await find_one(session, _attached(case).where(UploadRow.public_id == upload_id))


def _attached(case: CaseRow):
    keys = select(CaseMessageRow.key).where(CaseMessageRow.case_id == case.id)
    return select(UploadRow).where(
        UploadRow.customer_id == case.customer_id,
        UploadRow.state == UploadState.COMPLETE,
        col(UploadRow.request_key).in_(keys),
    )


async def message_with_key(session: AsyncSession, key: str) -> CaseMessageRow | None:
    return (await session.exec(select(CaseMessageRow).where(CaseMessageRow.key == key))).one_or_none()


async def answer_questions(session: AsyncSession, case: CaseRow, now: datetime) -> bool:
    """Record that nothing that was asked about a case is open any more, and that it no longer waits for it."""
    if not await end_questions(session, case, now):
        return False
    if case.state is CaseState.WAITING:
        case.state, case.waiting_since, case.waiting_until = CaseState.OPEN, None, None
    return True


async def done_in_name(session: AsyncSession, case: CaseRow) -> list[tuple[CaseEventRow, str]]:
    query = (
        select(CaseEventRow, StaffRow.name)
        .join(StaffRow, col(StaffRow.id) == col(CaseEventRow.staff_id))
        .where(CaseEventRow.case_id == case.id, col(CaseEventRow.by_customer))
        .order_by(col(CaseEventRow.id))
    )
    return list((await session.exec(query)).all())


async def mark_read(session: AsyncSession, case: CaseRow, now: datetime, *, by_customer: bool) -> None:
    """Record that one side has read what the other wrote; staff have then seen the whole case."""
    if not by_customer:
        case.unread_since = None
    await session.exec(
        update(CaseMessageRow)
        .where(
            col(CaseMessageRow.case_id) == case.id,
            col(CaseMessageRow.by_customer).is_(not by_customer),
            col(CaseMessageRow.read_at).is_(None),
        )
        .values(read_at=now)
    )


async def customer_of(session: AsyncSession, case: CaseRow) -> CustomerRow | None:
    """The customer of a case; None for a guest, and after an erasure."""
    query = select(CustomerRow).where(CustomerRow.id == case.customer_id, col(CustomerRow.erased_at).is_(None))
    return (await session.exec(query)).one_or_none() if case.customer_id else None


async def store_of_case(session: AsyncSession, case: CaseRow) -> PartnerRow | None:
    return await session.get(PartnerRow, case.partner_id) if case.partner_id else None


async def page_of(session: AsyncSession, case: CaseRow) -> str:
    if case.kind not in CONVERSATION_PAGES:
        return ""
    if case.kind not in {CaseKind.RETURN, CaseKind.WITHDRAWAL}:
        return f"{CONVERSATION_PAGES[case.kind]}/{case.reference}"
    query = select(ReturnRow.public_id).where(
        ReturnRow.reference == case.reference, ReturnRow.customer_id == case.customer_id
    )
    found = (await session.exec(query)).one_or_none()
    return f"{CONVERSATION_PAGES[case.kind]}/{found}" if found else ""


@dataclass(frozen=True, slots=True)
class News:
    """A case with something for the customer: a question, or messages that are not read.

    `asks`: what the retailer waits for; `nothing` if it waits for nothing.
    """

    case: CaseRow
    page: str
    asks: Asks
    unread: int
    since: datetime


async def news_of(session: AsyncSession, customer_id: int) -> list[News]:
    """What staff wrote to a customer that is not read, or waits for an answer, newest first."""
    query = (
        select(CaseMessageRow, CaseRow)
        .join(CaseRow, col(CaseRow.id) == col(CaseMessageRow.case_id))
        .where(
            CaseRow.customer_id == customer_id,
            col(CaseRow.kind).in_(sorted(CONVERSATION_PAGES)),
            col(CaseMessageRow.by_customer).is_(False),
            col(CaseMessageRow.read_at).is_(None) | (col(CaseRow.state) == CaseState.WAITING),
        )
        .order_by(col(CaseMessageRow.id))
    )
    rows: dict[int, list[tuple[CaseMessageRow, CaseRow]]] = defaultdict(list)
    for message, case in (await session.exec(query)).all():
        rows[case.id].append((message, case))
    found = []
    for entries in rows.values():
        case = entries[0][1]
        messages = [message for message, _ in entries]
        asks = asked(case, messages)
        unread = sum(message.read_at is None for message in messages)
        if (unread or asks is not Asks.NOTHING) and (page := await page_of(session, case)):
            found.append(News(case, page, asks, unread, messages[-1].created_at))
    return sorted(found, key=lambda entry: entry.since, reverse=True)


def asked(case: CaseRow, messages: Sequence[CaseMessageRow]) -> Asks:
    """What a case waits for: the newest open question; `nothing` if it does not wait."""
    if case.state is not CaseState.WAITING:
        return Asks.NOTHING
    return next(
        (row.asks for row in reversed(messages) if row.asks is not Asks.NOTHING and row.answered_at is None),
        Asks.NOTHING,
    )


async def asked_of(session: AsyncSession, customer_id: int) -> frozenset[str]:
    """The references of a customer's requests about which staff wait for an answer."""
    query = (
        select(CaseRow.reference)
        .join(CaseMessageRow, col(CaseMessageRow.case_id) == col(CaseRow.id))
        .where(
            CaseRow.customer_id == customer_id,
            CaseRow.state == CaseState.WAITING,
            col(CaseRow.kind).in_(sorted(CONVERSATION_PAGES)),
            CaseMessageRow.asks != Asks.NOTHING,
            col(CaseMessageRow.answered_at).is_(None),
        )
    )
    return frozenset(await session.exec(query))


def asked_words() -> tuple[LocalizedText, LocalizedText]:
    return LocalizedText.of(ASKED_STATUS), LocalizedText.of(ASKED_MEANING)


def asked_account(account: Account, *, asked: bool) -> Account:
    """The account as lists show it: that the customer has to answer comes before the status."""
    if not asked:
        return account
    status, meaning = asked_words()
    return account.model_copy(update={"status": status, "meaning": meaning})


TEXT = "text"
"""Key of the answers of a draft that holds what was typed."""


def file_of_message(row: UploadRow) -> MessageFile:
    return mapped(MessageFile, row, upload_id=row.public_id, photo=FileKind(row.kind).photo)


def message_of(stored: StoredMessage) -> Message:
    return _mapped(Message, stored)


def staff_message_of(stored: StoredMessage) -> StaffMessage:
    return _mapped(StaffMessage, stored, writer=stored.writer, sendings=_sendings(stored))


def _mapped(model: type[M], stored: StoredMessage, **more: Any) -> M:
    row = stored.row
    return mapped(
        model,
        row,
        message_id=row.public_id,
        answered=row.answered_at is not None,
        files=[file_of_message(file) for file in stored.files],
        sent_at=row.created_at,
        read=row.read_at is not None,
        **more,
    )


def _sendings(stored: StoredMessage) -> list[Sending]:
    row = stored.row
    ways = ((Way.MAIL, row.mailed, stored.mail), (Way.TEXT_MESSAGE, row.texted, stored.text_message))
    return [_sending(way, record) for way, used, record in ways if used]


def _sending(way: Way, record: OutboxMail | TextMessageRow | None) -> Sending:
    if record is None:
        return Sending(way=way, outcome=Outcome.OVER)
    if record.dropped_at is not None:
        return Sending(way=way, outcome=Outcome.FAILED, at=record.dropped_at)
    if record.sent_at is not None:
        return Sending(way=way, outcome=Outcome.SENT, at=record.sent_at)
    return Sending(way=way, outcome=Outcome.WAITING)


def draft_of(row: DraftRow, files: Sequence[UploadRow]) -> AnswerDraft:
    return AnswerDraft(
        draft_id=row.public_id, text=str(row.answers.get(TEXT, "")), files=[file_of_message(file) for file in files]
    )


def request_news(news: News) -> RequestNews:
    return mapped(RequestNews, news, kind=news.case.kind, reference=news.case.reference)


def done_for_customer(event: CaseEventRow, name: str) -> DoneForCustomer:
    """Map an event. `name`: full name of the person."""
    return DoneForCustomer(
        what=LocalizedText.of(DONE_LABELS.get(event.type, CHANGED)), name=first_name(name), done_at=event.happened_at
    )


def unread(messages: Sequence[CaseMessageRow], *, by_customer: bool) -> int:
    return sum(row.by_customer is by_customer and row.read_at is None for row in messages)
