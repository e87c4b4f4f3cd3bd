"""The history of work orders: every status they had, when, and who moved them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Connection, Index, event, insert
from sqlmodel import Field

from portal.provider.tables.changes import one_more
from portal.provider.tables.columns import EnumText, Table, UtcDateTime
from portal.provider.tables.requests import RequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import Actor, WorkOrderStatus

LONGEST_NOTE = 500
"""Characters of a note to the customer."""


class WorkOrderEventRow(Table, table=True):
    """Something that happened to a work order; written in the transaction in which it happened.

    Attributes:
        status: the status it got, or kept.
        note: what the back office tells the customer beside that.
        planned_date: the day that was planned with it, if one was.
        key: shown by a back office that may send the same move twice; the second time nothing happens.
    """

    __tablename__ = "work_order_events"
    __table_args__ = (
        Index("ix_work_order_events_request_id", "request_id", "id"),
        Index("uq_work_order_events_key", "key", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    request_id: int = Field(foreign_key="requests.id", ondelete="CASCADE")
    status: WorkOrderStatus = Field(sa_column=Column(EnumText(WorkOrderStatus), nullable=False))
    actor: Actor = Field(sa_column=Column(EnumText(Actor), nullable=False))
    note: str = Field(default="", max_length=LONGEST_NOTE)
    planned_date: date | None = None
    key: str | None = Field(default=None, max_length=100)
    happened_at: datetime = Field(sa_type=UtcDateTime)


@event.listens_for(RequestRow, "after_insert")
def _begin(_mapper: Any, connection: Connection, row: RequestRow) -> None:
    """Whoever makes a request: its history begins with it, and pages that show requests hear of it."""
    connection.execute(
        insert(WorkOrderEventRow).values(
            request_id=row.id,
            status=WorkOrderStatus.NEW,
            actor=Actor.CUSTOMER,
            note="",
            happened_at=row.created_at,
        )
    )
    connection.execute(one_more(connection.dialect.name, row.customer_id, Topic.REQUESTS, row.created_at))
