"""Returns, exchanges and withdrawals, their units and their history (part-2 §3, §4)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, Index, UniqueConstraint, and_, or_, text
from sqlmodel import Field, col

from portal.kernel.terms import RETURN_ANSWER_DAYS
from portal.kernel.validation import short_id
from portal.tables.columns import ZERO, Cents, EnumText, Keyed, UtcDateTime
from portal.vocabulary.contracts import DeclarationStatus
from portal.vocabulary.deliveries import Window
from portal.vocabulary.returns import (
    BatteryState,
    ExchangeType,
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnReason,
    ReturnStatus,
    UnitCondition,
    UnitDecision,
)

HELD = text("released_at IS NULL")


class ReturnRow(Keyed, table=True):
    """A return, an exchange, or a withdrawal.

    `public_id`: id in URLs; `reference` is the reference shown to the customer.
    `order_number`: number of the order, or of the first of several orders.
    `reason`, `reason_text`: reason of the older flow, and the customer's explanation.
    `state`: how used the items are; `mileage` in km.
    `battery`: condition of the battery; in any condition but fine it must not be transported, and is urgent.
    `store_id`: store to which it is brought; `pickup_*`, `address`, `phone`, `remarks`: details of the pick-up.
    `exchange_type`, `product`: what it is exchanged for; `product` is a copy from the time of the choice.
    `refund_amount`: the final refund; None until it is decided.
    `statement`: for a withdrawal, the declaration: what was withdrawn from, by whom and when.
    `draft_key`: key of the draft that was sent; one draft gives one return.
    `confirm_until`: when the mailed link expires, for a return that waits for it.
    `answer_days`: working days within which the customer was promised an answer.
    `urgent`: whether the back office must look at it at once.
    """

    __tablename__ = "returns"
    __table_args__ = (
        Index("ix_returns_customer_id_created_at", "customer_id", "created_at"),
        Index("uq_returns_draft_key", "draft_key", unique=True),
        Index("ix_returns_status_confirm_until", "status", "confirm_until"),
    )

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    reference: str = Field(default_factory=lambda: short_id(8), max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    kind: ReturnKind = Field(sa_column=Column(EnumText(ReturnKind), nullable=False))
    status: ReturnStatus = Field(sa_column=Column(EnumText(ReturnStatus), nullable=False))
    order_number: str = Field(max_length=20)
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
    answer_days: int = RETURN_ANSWER_DAYS
    urgent: bool = False
    created_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)


class ReturnUnitRow(Keyed, table=True):
    """One unit in a return. A unique index allows a unit in one return only, also for concurrent requests.

    `number`: number of the unit within its order line, from 1.
    `bike_id`: which bike it is; None for other items, and where that was not known.
    `paid`, `package`, `insurance`: its value at the time of the request.
    `released_at`: when it became returnable again: the return was rejected, cancelled or not confirmed, or the unit
    never arrived.
    `condition`, `decision`: what staff found and decided when it arrived; None before, and where only the number was
    recorded.
    `inspection_note`: what staff wrote about it, for colleagues.
    """

    __tablename__ = "return_units"
    __table_args__ = (
        Index("uq_return_units_held", "order_line_id", "number", unique=True, sqlite_where=HELD, postgresql_where=HELD),
        UniqueConstraint("return_id", "order_line_id", "number"),
    )

    return_id: int = Field(foreign_key="returns.id")
    order_line_id: int = Field(foreign_key="order_lines.id", index=True)
    number: int
    bike_id: int | None = Field(default=None, foreign_key="bikes.id", index=True)
    paid: Decimal = Field(default=ZERO, sa_type=Cents)
    package: Decimal = Field(default=ZERO, sa_type=Cents)
    insurance: Decimal = Field(default=ZERO, sa_type=Cents)
    released_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    received: bool = False
    condition: UnitCondition | None = Field(default=None, sa_column=Column(EnumText(UnitCondition)))
    decision: UnitDecision | None = Field(default=None, sa_column=Column(EnumText(UnitDecision)))
    inspection_note: str = Field(default="", max_length=300)


def is_unit_of(bike_id: Any, order_line_id: Any) -> ColumnElement[bool]:
    """The condition that a unit is a bike, or may be one of several equal ones where that is not known."""
    unit = ReturnUnitRow
    unknown = and_(col(unit.bike_id).is_(None), col(unit.order_line_id) == order_line_id)
    return or_(col(unit.bike_id) == bike_id, unknown)


class ReturnEventRow(Keyed, table=True):
    """One entry of the timeline. `note` is the note of the back office to the customer; empty for none."""

    __tablename__ = "return_events"

    return_id: int = Field(foreign_key="returns.id", index=True)
    status: ReturnStatus = Field(sa_column=Column(EnumText(ReturnStatus), nullable=False))
    note: str = Field(default="", max_length=1000)
    created_at: datetime = Field(sa_type=UtcDateTime)


class WithdrawalDeclarationRow(Keyed, table=True):
    """A withdrawal that somebody declared with an order number and an e-mail address.

    It takes no units. Once the customer or staff confirm it, it becomes a return with the same reference.

    `items`: item and number of units for each chosen item, sorted; empty for the whole order.
    `lines`: the items as text, at the time of the declaration.
    `email`: where the receipt was mailed, masked.
    `key`: hash of customer, order and the key that the page made; one press gives one declaration.
    `received_at`: when it was declared; all periods count from here.
    """

    __tablename__ = "withdrawal_declarations"
    __table_args__ = (
        Index("ix_withdrawal_declarations_customer_id_order_number", "customer_id", "order_number"),
        Index("uq_withdrawal_declarations_key", "key", unique=True),
    )

    reference: str = Field(max_length=20, unique=True)
    customer_id: int = Field(foreign_key="customers.id")
    order_number: str = Field(max_length=20)
    items: list[Any] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    name: str = Field(max_length=180)
    lines: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    email: str = Field(max_length=254)
    key: str = Field(max_length=64)
    status: DeclarationStatus = Field(sa_column=Column(EnumText(DeclarationStatus), nullable=False))
    return_id: int | None = Field(default=None, foreign_key="returns.id")
    received_at: datetime = Field(sa_type=UtcDateTime)
    updated_at: datetime = Field(sa_type=UtcDateTime)
