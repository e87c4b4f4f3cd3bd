"""Deliveries: status history, requests for another delivery day, and capacity of delivery days (part-2 §2–§4)."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Column, Index, UniqueConstraint, column
from sqlmodel import Field

from portal.kernel.address import Country
from portal.kernel.days import ALWAYS
from portal.tables.columns import EnumText, Keyed, Table, UtcDateTime
from portal.vocabulary.deliveries import PENDING, DateChangeStatus, DeliveryStatus

MAX_NOTE_LENGTH = 500
"""Most characters of a note to the customer."""

STILL_PENDING = column("status", EnumText(DateChangeStatus)).in_(sorted(PENDING))


class DeliveryEventRow(Keyed, table=True):
    """A new status of an order or shipment, written in the transaction that sets it.

    `shipment_id`: None for the whole order.
    `key`: stable identifier of an event that was loaded, so that loading it again replaces it; None otherwise.
    """

    __tablename__ = "delivery_events"
    __table_args__ = (
        Index("ix_delivery_events_order_id", "order_id", "id"),
        Index("uq_delivery_events_key", "key", unique=True),
    )

    order_id: int = Field(foreign_key="orders.id", ondelete="CASCADE")
    shipment_id: int | None = Field(default=None, foreign_key="shipments.id", ondelete="CASCADE")
    status: DeliveryStatus = Field(sa_column=Column(EnumText(DeliveryStatus), nullable=False))
    note: str = Field(default="", max_length=MAX_NOTE_LENGTH)
    key: str | None = Field(default=None, max_length=100)
    happened_at: datetime = Field(sa_type=UtcDateTime)


class DateChangeRow(Keyed, table=True):
    """A request for another delivery day. A unique index allows one pending request per order (part-2 §4).

    `original_day`, `new_day`: local days.
    `from_time`, `until_time`: local times 'HH:MM' of the window on the new day.
    `holds_place`: whether it takes one of the places of the new day.
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
    note: str = Field(default="", max_length=MAX_NOTE_LENGTH)
    created_at: datetime = Field(sa_type=UtcDateTime)
    confirmed_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    decided_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class DeliveryPlacesRow(Keyed, table=True):
    """How many deliveries can be moved to a weekday in a country, unless the day has a row of its own.

    `weekday`: ISO weekday, 1 is Monday.
    `valid_from`: first local day on which the number holds, until a later row of the same weekday takes over.
    `places`: 0 closes the weekday.
    """

    __tablename__ = "delivery_places"
    __table_args__ = (UniqueConstraint("country_code", "weekday", "valid_from"),)

    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    weekday: int
    valid_from: date = ALWAYS
    places: int


class DeliveryDayRow(Table, table=True):
    """Capacity of a day for deliveries moved to it. A day without a row has the places of its weekday.

    `capacity`: number of places; 0 closes the day.
    `taken`: number of places taken; a check constraint keeps it within the capacity.
    """

    __tablename__ = "delivery_days"
    __table_args__ = (CheckConstraint("taken >= 0 AND taken <= capacity", name="places"),)

    country_code: Country = Field(sa_column=Column(EnumText(Country), primary_key=True))
    day: date = Field(primary_key=True)
    capacity: int
    taken: int = 0
