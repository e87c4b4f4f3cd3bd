"""Repairs, services and claims with their work order (part-1 §3 and §4)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, column
from sqlmodel import Field

from portal.domain.dates import now
from portal.provider.tables.columns import EnumText, Table, UtcDateTime
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus

STILL_OPEN = column("status", EnumText(WorkOrderStatus)).not_in(sorted(CLOSED_WORK_ORDER))
"""What the partial index below covers."""


class RequestRow(Table, table=True):
    """A service request and the work order it became. One open one per bike: the database decides races (part-1 §4).

    Attributes:
        reference: what the customer reads and quotes.
        planned_date: local day the work is planned for, none while it is not.
        details: everything the customer answered, by field of the flow.
        draft_key: key of the draft it was sent from; a draft becomes one request, whatever happens.
        version: rises with every move, so that of two movers who saw the same status only one wins.
    """

    __tablename__ = "requests"
    __table_args__ = (
        Index("uq_requests_open_bike", "bike_id", unique=True, sqlite_where=STILL_OPEN, postgresql_where=STILL_OPEN),
        Index("ix_requests_customer_id_created_at", "customer_id", "created_at"),
        Index("uq_requests_draft_key", "draft_key", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    bike_id: int = Field(foreign_key="bikes.id", index=True)
    partner_id: int | None = Field(default=None, foreign_key="partners.id")
    kind: RequestKind = Field(sa_column=Column(EnumText(RequestKind), nullable=False))
    status: WorkOrderStatus = Field(
        default=WorkOrderStatus.NEW, sa_column=Column(EnumText(WorkOrderStatus), nullable=False)
    )
    title: str = Field(max_length=120)
    description: str = Field(default="", max_length=4000)
    planned_date: date | None = None
    details: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    draft_key: str | None = Field(default=None, max_length=64)
    version: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
