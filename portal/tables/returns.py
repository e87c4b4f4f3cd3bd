"""Returns, exchanges and withdrawals, unit by unit (part-2 §3, §4)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint, text
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import ZERO, Cents, EnumText, Table, UtcDateTime
from portal.vocabulary.deliveries import Window
from portal.vocabulary.returns import (
    BatteryState,
    ExchangeType,
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
)

HELD = text("released_at IS NULL")
"""What the partial index below covers."""


class ReturnRow(Table, table=True):
    """A return, an exchange, or a withdrawal.

    Attributes:
        public_id: what links carry; `reference` is what the customer reads and quotes.
        order_number: of the order, or of the first of several.
        reason, reason_text: of the older flow, and what the customer wrote.
        state: how used the items are; `mileage` in km.
        battery: how its battery is; anything but fine must not travel, and is urgent.
        store_id: where it is brought; `pickup_*`, `address`, `phone`, `remarks`: where and when it is picked up.
        exchange_type, product: what for; `product` is what it was when it was chosen.
        settlement: the amounts as the customer saw them.
        refund_amount: what is or was refunded in the end; none while nobody decided.
        statement: of a withdrawal: what was withdrawn from, by whom and when, as it was declared.
        draft_key: key of the draft it was sent from; one draft becomes one return.
        confirm_until: until when the mailed link confirms it, for one that waits.
        urgent: somebody has to look at it at once.
    """

    __tablename__ = "returns"
    __table_args__ = (
        Index("ix_returns_customer_id_created_at", "customer_id", "created_at"),
        Index("uq_returns_draft_key", "draft_key", unique=True),
        Index("ix_returns_status_confirm_until", "status", "confirm_until"),
    )

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    reference: str = Field(default_factory=lambda: short_id(8), max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    kind: ReturnKind = Field(sa_column=Column(EnumText(ReturnKind), nullable=False))
    status: ReturnStatus = Field(sa_column=Column(EnumText(ReturnStatus), nullable=False))
    order_number: str = Field(max_length=9)
    reason: ReturnReason | None = Field(default=None, sa_column=Column(EnumText(ReturnReason)))
    reason_text: str = Field(default="", max_length=4000)
    state: ItemState | None = Field(default=None, sa_column=Column(EnumText(ItemState)))
    mileage: str = Field(default="", max_length=20)
    battery: BatteryState | None = Field(default=None, sa_column=Column(EnumText(BatteryState)))
    method: ReturnMethod = Field(sa_column=Column(EnumText(ReturnMethod), nullable=False))
    store_id: int | None = Field(default=None, foreign_key="partners.id")
    pickup_day: date | None = None
    pickup_window: Window | None = Field(default=None, sa_column=Column(EnumText(Window)))
    address: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    phone: str = Field(default="", max_length=20)
    remarks: str = Field(default="", max_length=1000)
    exchange_type: ExchangeType | None = Field(default=None, sa_column=Column(EnumText(ExchangeType)))
    product: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    settlement: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    refund_amount: Decimal | None = Field(default=None, sa_column=Column(Cents, nullable=True))
    refunded_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    statement: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    draft_key: str | None = Field(default=None, max_length=64)
    confirm_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    urgent: bool = False
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)


class ReturnUnitRow(Table, table=True):
    """One unit in a return. The database lets a unit be in one return only: that decides the race for the last one.

    Attributes:
        number: of the unit within its order line, from 1.
        paid, package, insurance: what it is worth, as when it was requested.
        released_at: when it was given back: the return was rejected, cancelled or not confirmed, or it never arrived.
        received: whether it arrived.
    """

    __tablename__ = "return_units"
    __table_args__ = (
        Index("uq_return_units_held", "order_line_id", "number", unique=True, sqlite_where=HELD, postgresql_where=HELD),
        UniqueConstraint("return_id", "order_line_id", "number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    return_id: int = Field(foreign_key="returns.id")
    order_line_id: int = Field(foreign_key="order_lines.id", index=True)
    number: int
    paid: Decimal = Field(default=ZERO, sa_type=Cents)
    package: Decimal = Field(default=ZERO, sa_type=Cents)
    insurance: Decimal = Field(default=ZERO, sa_type=Cents)
    released_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    received: bool = False


class ReturnEventRow(Table, table=True):
    """One entry of the timeline. `note` is what the back office tells the customer, empty for nothing."""

    __tablename__ = "return_events"

    id: int | None = Field(default=None, primary_key=True)
    return_id: int = Field(foreign_key="returns.id", index=True)
    status: ReturnStatus = Field(sa_column=Column(EnumText(ReturnStatus), nullable=False))
    note: str = Field(default="", max_length=1000)
    created_at: datetime = Field(sa_type=UtcDateTime)
