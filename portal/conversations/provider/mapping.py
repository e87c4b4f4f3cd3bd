"""Messages as models of the contract, for customers and for staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from portal.backend.staff import first_name
from portal.contract.account import LocalizedText
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
from portal.conversations.provider.queries import News, StoredMessage
from portal.tables.cases import CaseEventRow
from portal.tables.drafts import DraftRow, UploadRow
from portal.tables.messages import CaseMessageRow, OutboxMail, TextMessageRow
from portal.vocabulary.cases import CHANGED, DONE_LABELS, Outcome, Way
from portal.vocabulary.files import FileKind

TEXT = "text"
"""Key of the answers of a draft that holds what was typed."""


def file_of_message(row: UploadRow) -> MessageFile:
    return mapped(MessageFile, row, upload_id=row.public_id, photo=FileKind(row.kind).photo)


def message_of(stored: StoredMessage) -> Message:
    """A message for the customer."""
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
    """Map an answer that was begun."""
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
    """How many messages of one side the other has not read."""
    return sum(row.by_customer is by_customer and row.read_at is None for row in messages)
