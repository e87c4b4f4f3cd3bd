"""Tables of what still has to be done: durable jobs, and the mails they deliver."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlmodel import Field

from portal.provider.tables.columns import Table, UtcDateTime


class OutboxMail(Table, table=True):
    """A mail, written in the same transaction as what it tells about.

    Attributes:
        message_id: Message-ID of every try, so that a mail that arrives twice is seen as one.
        template: which text, of `portal.provider.mail.templates`.
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
