"""Files that customers sent."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, Column, Index
from sqlmodel import Field

from portal.domain.identifiers import short_id
from portal.provider.tables.columns import EnumText, Table, UtcDateTime


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
