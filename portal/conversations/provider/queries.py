"""The SQL on messages. A query for the customer holds the customer, one for staff what the person may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import end_questions
from portal.backend.database import find_one
from portal.contract.errors import NotFound
from portal.kernel.validation import is_short_id
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.messages import CaseMessageRow, OutboxMail, TextMessageRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import StaffRow
from portal.vocabulary.cases import CONVERSATION_PAGES, KIND_OF_PATH, Asks, CaseKind, CaseState


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

    Attributes:
        mail, text_message: what went out; None if nothing did, or if the record was deleted since.
    """

    row: CaseMessageRow
    files: Sequence[UploadRow] = field(default_factory=tuple)
    writer: str = ""
    mail: OutboxMail | None = None
    text_message: TextMessageRow | None = None


async def messages_of(session: AsyncSession, case: CaseRow) -> list[StoredMessage]:
    """The messages about a case, oldest first."""
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
    """What staff did about a case in the customer's name, with the names of the persons, oldest first."""
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
    """The store that handles a case; None for the service desk."""
    return await session.get(PartnerRow, case.partner_id) if case.partner_id else None


async def page_of(session: AsyncSession, case: CaseRow) -> str:
    """Path of the customer's page that shows the conversation about a case; empty if there is none."""
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

    Attributes:
        asks: what the retailer waits for; `nothing` if it waits for nothing.
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
