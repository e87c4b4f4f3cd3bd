"""What still has to be done or told: jobs, mails, text messages, mailed links, changes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Field

from portal.tables.columns import EnumText, Table, UtcDateTime
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import LinkPurpose


class OutboxMail(Table, table=True):
    """A mail, written in the same transaction as what it tells about.

    Attributes:
        message_id: Message-ID of every try, so that a mail that arrives twice is seen as one.
        template: which text, of the mail templates of the subjects.
        recipient: the one stored address it goes to.
        details: what the template needs; emptied when the mail is done with.
        sealed: a secret value (the code), encrypted with a key of the provider; emptied likewise.
        expires_at: when sending it makes no sense any more.
        sent_at: when the mail server took it.
        dropped_at: when it was given up or had expired.
    """

    __tablename__ = "outbox_mails"

    id: int | None = Field(default=None, primary_key=True)
    message_id: str = Field(unique=True, max_length=120)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="SET NULL")
    template: str = Field(max_length=40)
    locale: str = Field(max_length=2)
    recipient: str = Field(max_length=254)
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    sealed: str = Field(default="", max_length=200)
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    dropped_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class JobRow(Table, table=True):
    """Something to be done once its time has come, until it succeeded or was given up; then the row is gone.

    Attributes:
        kind: which handler does it.
        reference: primary key of what it is about.
        due_at: not before this; moved ahead after each failure.
        leased_until: a worker is at it; after this moment another may take it.
        lease: which worker's try it is, so that a late one cannot finish another's.
        give_up_at: after this moment it is not tried again.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_due_at", "due_at"), UniqueConstraint("kind", "reference"))

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=40)
    reference: int
    created_at: datetime = Field(sa_type=UtcDateTime)
    due_at: datetime = Field(sa_type=UtcDateTime)
    give_up_at: datetime = Field(sa_type=UtcDateTime)
    leased_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    lease: str = Field(default="", max_length=32)
    tries: int = 0


class TextMessageRow(Table, table=True):
    """A text message, written in the same transaction as what it tells about and sent once its time has come.

    Attributes:
        template: which text, of `portal.backend.text_messages`.
        phone: E.164.
        subject: kind and reference of what it is about, so that it can be called off.
        due_at: not before this.
        dropped_at: when it was given up or called off.
    """

    __tablename__ = "text_messages"
    __table_args__ = (Index("ix_text_messages_subject", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="SET NULL")
    template: str = Field(max_length=40)
    locale: str = Field(max_length=2)
    phone: str = Field(max_length=20)
    subject: str = Field(max_length=60)
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    due_at: datetime = Field(sa_type=UtcDateTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    dropped_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ConfirmationLinkRow(Table, table=True):
    """One link. A request may have several, of mails that were sent again; the first one used confirms it.

    Attributes:
        link_hash: SHA-256 of the 256 bits at the end of the link.
        subject: primary key of what it confirms, in the table of its purpose.
        recipient: masked address it was sent to.
        mail_id: the mail that carried it, as long as that is kept.
        used_at: when the request was confirmed, by this link or another of the same request.
        withdrawn_at: when it was made worthless: the request was cancelled or replaced.
    """

    __tablename__ = "confirmation_links"
    __table_args__ = (Index("ix_confirmation_links_purpose_subject", "purpose", "subject"),)

    id: int | None = Field(default=None, primary_key=True)
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
    """How often a part of a customer's data was changed. One row a customer and topic, so asking is always cheap.

    A row is written in the transaction of the change: whoever sees the number sees the change.

    Attributes:
        revision: rises with every change.
        changed_at: when it rose last.
    """

    __tablename__ = "changes"

    customer_id: int = Field(foreign_key="customers.id", primary_key=True, ondelete="CASCADE")
    topic: Topic = Field(sa_column=Column(EnumText(Topic), primary_key=True))
    revision: int
    changed_at: datetime = Field(sa_type=UtcDateTime)


def one_more(dialect: str, customer_id: int, topic: Topic, now: datetime) -> Any:
    """The statement that counts one more change."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(ChangeRow).values(customer_id=customer_id, topic=topic, revision=1, changed_at=now)
    counted = {"revision": ChangeRow.revision + 1, "changed_at": statement.excluded.changed_at}
    return statement.on_conflict_do_update(index_elements=["customer_id", "topic"], set_=counted)
