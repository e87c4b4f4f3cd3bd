"""Drafts and the files that customers sent."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, text
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Table, UtcDateTime

NOT_SENT = text("sent_at IS NULL")
"""What the partial index below covers."""


class DraftRow(Table, table=True):
    """A request that is being filled in; one for each customer, flow and subject.

    Attributes:
        public_id: what links and pages know it by.
        key: has to be shown when it is sent; the request keeps it, so that there is only one.
        flow: name of the flow.
        subject: public id of the bike it is about; empty while that is not chosen.
        answers: accepted answers by field; emptied when it is sent, the request has them then.
        completed: names of the steps that were answered.
        facts: what the flow depended on when it was last looked up.
        version: rises with every change.
        expires_at: when it is thrown away.
        sent_at: when it became a request.
        reference: of that request.
        receipt: what its confirmation tells.
    """

    __tablename__ = "drafts"
    __table_args__ = (
        Index(
            "uq_drafts_open",
            "customer_id",
            "flow",
            "subject",
            unique=True,
            sqlite_where=NOT_SENT,
            postgresql_where=NOT_SENT,
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    key: str = Field(max_length=64, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    flow: str = Field(max_length=40)
    subject: str = Field(default="", max_length=16)
    answers: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    completed: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    version: int = 1
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    sent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    reference: str = Field(default="", max_length=20)
    receipt: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class UploadState(StrEnum):
    """How far a file is."""

    RECEIVING = "receiving"
    COMPLETE = "complete"
    REMOVED = "removed"
    """What is stored of it goes next, then the row."""


class UploadRow(Table, table=True):
    """A file of a draft, and later of the request that the draft became.

    Attributes:
        public_id: what links and answers know it by.
        customer_id: whose it is.
        draft: public id of the draft.
        field: of the flow that asked for it.
        name: for showing, tidied; never part of a path.
        key: where it is stored; of our own making, and not told to anybody.
        size: bytes as they were sent; stored_size: bytes that are kept.
        kind: what it is by its content; empty until that is known.
        media_type: of what is kept.
        sha256: of what is kept, in hexadecimal.
        has_preview: whether a small picture is stored beside it.
        request_key: `draft_key` of the request it belongs to; none before it was sent.
        expires_at: end of the time it may take to arrive.
    """

    __tablename__ = "uploads"
    __table_args__ = (
        Index("ix_uploads_customer_id_draft", "customer_id", "draft"),
        Index("ix_uploads_state_expires_at", "state", "expires_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    draft: str = Field(max_length=16)
    field: str = Field(max_length=40)
    name: str = Field(max_length=120)
    key: str = Field(max_length=64, unique=True)
    size: int = Field(sa_type=BigInteger)
    stored_size: int = Field(default=0, sa_type=BigInteger)
    kind: str = Field(default="", max_length=8)
    media_type: str = Field(default="", max_length=60)
    sha256: str = Field(default="", max_length=64)
    has_preview: bool = False
    state: UploadState = Field(default=UploadState.RECEIVING, sa_column=Column(EnumText(UploadState), nullable=False))
    request_key: str | None = Field(default=None, max_length=64, index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime)
