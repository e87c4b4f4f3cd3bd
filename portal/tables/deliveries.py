"""Deliveries: events, requests for another delivery day, and the capacity of delivery days (part-2 §2–§4)."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Column, Index, column
from sqlmodel import Field

from portal.kernel.address import Country
from portal.tables.columns import EnumText, Table, UtcDateTime
from portal.vocabulary.deliveries import PENDING, DateChangeStatus, DeliveryStatus

LONGEST_NOTE = 500
"""Characters of a note to the customer."""

STILL_PENDING = column("status", EnumText(DateChangeStatus)).in_(sorted(PENDING))
"""What the partial index below covers."""


class DeliveryEventRow(Table, table=True):
    """A status that an order or one of its shipments got; written in the transaction in which it did.

    Attributes:
        shipment_id: none for the whole order.
        note: what the back office told the customer with it.
        key: shown by a back office that may send the same move twice; the second time nothing happens.
    """

    __tablename__ = "delivery_events"
    __table_args__ = (
        Index("ix_delivery_events_order_id", "order_id", "id"),
        Index("uq_delivery_events_key", "key", unique=True),
    )

    id: int | None = Field(default=None, primary_key=True)
    order_id: int = Field(foreign_key="orders.id", ondelete="CASCADE")
    shipment_id: int | None = Field(default=None, foreign_key="shipments.id", ondelete="CASCADE")
    status: DeliveryStatus = Field(sa_column=Column(EnumText(DeliveryStatus), nullable=False))
    note: str = Field(default="", max_length=LONGEST_NOTE)
    key: str | None = Field(default=None, max_length=100)
    happened_at: datetime = Field(sa_type=UtcDateTime)


class DateChangeRow(Table, table=True):
    """A request for another delivery day. An index allows one pending request per order (part-2 §4).

    Attributes:
        reference: what the customer reads and quotes.
        original_day, new_day: local days.
        from_time, until_time: local times 'HH:MM' of the window on the new day.
        link_expires_at: until when the mailed link confirms it.
        holds_place: whether it holds one of the places of its day.
    """

    __tablename__ = "date_changes"
    __table_args__ = (
        Index(
            "uq_date_changes_pending",
            "order_id",
            unique=True,
            sqlite_where=STILL_PENDING,
            postgresql_where=STILL_PENDING,
        ),
        Index("ix_date_changes_order_id", "order_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True)
    order_id: int = Field(foreign_key="orders.id")
    status: DateChangeStatus = Field(sa_column=Column(EnumText(DateChangeStatus), nullable=False))
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    original_day: date
    new_day: date
    from_time: str = Field(max_length=5)
    until_time: str = Field(max_length=5)
    link_expires_at: datetime = Field(sa_type=UtcDateTime)
    holds_place: bool = False
    note: str = Field(default="", max_length=LONGEST_NOTE)
    created_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    decided_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class DeliveryDayRow(Table, table=True):
    """Places on a delivery day for deliveries that are moved there. A day without a row has the usual number of them.

    Attributes:
        capacity: how many places there are; none closes the day.
        taken: how many are held. Never more than there are: the database sees to it.
    """

    __tablename__ = "delivery_days"
    __table_args__ = (CheckConstraint("taken >= 0 AND taken <= capacity", name="places"),)

    country_code: Country = Field(sa_column=Column(EnumText(Country), primary_key=True))
    day: date = Field(primary_key=True)
    capacity: int
    taken: int = 0
