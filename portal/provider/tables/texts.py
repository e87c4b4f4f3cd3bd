"""Text messages that wait, or were sent (part-2 §9)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from portal.provider.tables.columns import Table, UtcDateTime


class TextMessageRow(Table, table=True):
    """A text message, written in the same transaction as what it tells about and sent once its time has come.

    Attributes:
        template: which text, of `portal.provider.texts_out`.
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
