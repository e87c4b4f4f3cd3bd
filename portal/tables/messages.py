"""Messages: jobs, mails, texts, mailed links, change counters, messages about cases, and repeated calls."""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Engine, Index, Text, UniqueConstraint
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.logs import request_id
from portal.tables.columns import EnumText, JsonObject, Keyed, Table, UtcDateTime, insert_into, json_object
from portal.tables.sealed import SealedJson
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import Asks
from portal.vocabulary.links import LinkPurpose


class OutboxMail(Keyed, table=True):
    """A mail, written in the transaction of the change it reports.

    `message_id`: Message-ID of every attempt, so that mail programs recognize a duplicate.
    `template`: value of `portal.backend.mail.Template`.
    `recipient`: the only recipient, as stored.
    `details`: values for the template; emptied when the mail was sent or dropped.
    `sealed`: a secret value (the code), encrypted with a key of the provider; emptied likewise.
    `expires_at`: when the mail is no longer useful.
    `dropped_at`: when it was given up or expired.
    """

    __tablename__ = "outbox_mails"

    message_id: str = Field(unique=True, max_length=120)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="SET NULL")
    template: str = Field(max_length=40)
    locale: str = Field(max_length=2)
    recipient: str = Field(max_length=254)
    details: JsonObject = Field(default_factory=dict, sa_column=Column(SealedJson("facts"), nullable=False))
    sealed: str = Field(default="", max_length=200)
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    dropped_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


URGENT, USUAL = 0, 1
"""Priorities of jobs: what somebody waits for in front of a page, and everything else."""


class JobRow(Keyed, table=True):
    """A job that is due at a given time. The row is deleted when the job succeeds or is given up.

    `priority`: `URGENT` or `USUAL`.
    `due_at`: earliest start; postponed after each failure.
    `leased_until`: end of the current worker's lease, after which another worker may take the job.
    `lease`: id of the lease, so that a late worker cannot finish another worker's attempt.
    `request`: id of the request that caused it, for the log; empty if none did.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_priority_due_at", "priority", "due_at"), UniqueConstraint("kind", "reference"))

    kind: str = Field(max_length=40)
    reference: int
    priority: int = USUAL
    created_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime = Field(sa_type=UtcDateTime)
    give_up_at: datetime = Field(sa_type=UtcDateTime)
    leased_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    lease: str = Field(default="", max_length=32)
    request: str = Field(default_factory=request_id, max_length=64)
    tries: int = 0


class TextMessageRow(Keyed, table=True):
    """A text message, written in the transaction of the change it reports and sent when due.

    `template`: value of `portal.backend.text_messages.TextTemplate`.
    `phone`: E.164.
    `subject`: kind and reference of what it is about, by which it can be cancelled.
    `dropped_at`: when it was given up or cancelled.
    """

    __tablename__ = "text_messages"
    __table_args__ = (Index("ix_text_messages_subject", "subject"),)

    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="SET NULL")
    template: str = Field(max_length=40)
    locale: str = Field(max_length=2)
    phone: str = Field(max_length=20)
    subject: str = Field(max_length=60)
    details: JsonObject = json_object()
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    due_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    dropped_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ConfirmationLinkRow(Keyed, table=True):
    """A mailed link. A request has several if its mail was sent again; the first link used confirms it.

    `link_hash`: SHA-256 of the 256 bits at the end of the link.
    `subject`: primary key of the row it confirms, in the table of its purpose.
    `recipient`: masked address of the mail.
    `mail_id`: the mail that contained it, as long as that is stored.
    `used_at`: when the request was confirmed by this link or another.
    `withdrawn_at`: when the link became invalid because the request was cancelled or replaced.
    """

    __tablename__ = "confirmation_links"
    __table_args__ = (Index("ix_confirmation_links_purpose_subject", "purpose", "subject"),)

    link_hash: str = Field(unique=True, max_length=64)
    purpose: LinkPurpose = Field(sa_column=Column(EnumText(LinkPurpose), nullable=False))
    subject: int
    customer_id: int = Field(foreign_key="customers.id", index=True)
    recipient: str = Field(max_length=254)
    mail_id: int | None = Field(default=None, foreign_key="outbox_mails.id", index=True, ondelete="SET NULL")
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    withdrawn_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ChangeRow(Table, table=True):
    """Revision counter of a part of a customer's data. One row per customer and topic keeps the lookup cheap.

    The row is written in the transaction of the change, so a reader of the new revision also sees the change.
    """

    __tablename__ = "changes"

    customer_id: int = Field(foreign_key="customers.id", primary_key=True, ondelete="CASCADE")
    topic: Topic = Field(sa_column=Column(EnumText(Topic), primary_key=True))
    revision: int
    changed_at: datetime = Field(sa_type=UtcDateTime)


def one_more(bind: Connection | Engine, customer_id: int, topic: Topic, now: datetime) -> Any:
    statement = insert_into(bind, ChangeRow).values(customer_id=customer_id, topic=topic, revision=1, changed_at=now)
    counted = {"revision": ChangeRow.revision + 1, "changed_at": statement.excluded.changed_at}
    return statement.on_conflict_do_update(index_elements=["customer_id", "topic"], set_=counted)


class IdempotencyKeyRow(Table, table=True):
    """A call that was answered. The row is written in the transaction of the change that the call made.

    `actor`: who made the call; keys of different actors are independent.
    `fingerprint`: SHA-256 of what was asked. The key cannot be used to ask for something else.
    `answer`: the answer as JSON; None until the transaction is complete.
    """

    __tablename__ = "idempotency_keys"

    actor: str = Field(max_length=40, primary_key=True)
    key: str = Field(max_length=100, primary_key=True)
    fingerprint: str = Field(max_length=64)
    answer: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)


class CaseMessageRow(Keyed, table=True):
    """A message about a case. The id orders the messages. Files are the rows of `uploads` with its key.

    Internal notes are never stored here: whatever is in this table, the customer may read.

    `staff_id`: the person who wrote it; None if the customer did.
    `author`: first name of the writer at that time, as the other side sees it.
    `store`: name of the store, or of the shop, in whose name staff wrote; empty for the customer.
    `template`: name of the template; empty for a free text.
    `key`: idempotency key: that of the customer's draft, or the one that the page of staff made.
    `mail_id`, `text_message_id`: what went out besides; the row may be deleted earlier than the message.
    `mailed`, `texted`: whether it went out as mail and as text message.
    """

    __tablename__ = "case_messages"
    __table_args__ = (Index("ix_case_messages_case_id", "case_id", "id"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    case_id: int = Field(foreign_key="cases.id", ondelete="CASCADE")
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    by_customer: bool = False
    author: str = Field(default="", max_length=60)
    store: str = Field(default="", max_length=120)
    text: str = Field(default="", max_length=4000)
    asks: Asks = Field(default=Asks.NOTHING, sa_column=Column(EnumText(Asks), nullable=False))
    answered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    template: str = Field(default="", max_length=40)
    key: str = Field(max_length=64, unique=True)
    mailed: bool = False
    texted: bool = False
    mail_id: int | None = Field(default=None, foreign_key="outbox_mails.id", index=True, ondelete="SET NULL")
    text_message_id: int | None = Field(default=None, foreign_key="text_messages.id", index=True, ondelete="SET NULL")
    created_at: datetime = Field(sa_type=UtcDateTime)
    read_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class MessageTemplateRow(Keyed, table=True):
    """A template that the shop changed or added. The others are those of `portal/conversations/data`.

    `name`: name of the template; replaces the delivered template of this name.
    `kinds`: kinds of case that it fits, separated by spaces; empty for all.
    """

    __tablename__ = "message_templates"

    name: str = Field(max_length=40, unique=True)
    kinds: str = Field(default="", max_length=200)
    asks: Asks = Field(default=Asks.NOTHING, sa_column=Column(EnumText(Asks), nullable=False))
    title_nl: str = Field(max_length=80)
    title_en: str = Field(max_length=80)
    text_nl: str = Field(max_length=4000)
    text_en: str = Field(max_length=4000)
    hidden: bool = False
    changed_at: datetime = Field(sa_type=UtcDateTime)
