"""Requests that are being filled in."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, text
from sqlmodel import Field

from portal.domain.identifiers import short_id
from portal.provider.tables.columns import Table, UtcDateTime

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
