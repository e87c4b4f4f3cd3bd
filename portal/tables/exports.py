"""What leaves the portal: webhooks with their deliveries, refunds to pay, and what staff have looked at."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import Cents, EnumText, Keyed, Table, UtcDateTime
from portal.vocabulary.exports import DeliveryState, RefundWay


class WebhookRow(Keyed, table=True):
    """An address that receives events.

    Attributes:
        event_types: the types that it receives; empty for all.
        secret: signs the events, encrypted.
        previous_secret: the secret before the last rotation, encrypted; signs as well until `previous_until`.
        active: whether new events are kept for it.
        failing_since: first failure since the last success; None while it works.
        paused_at: when sending stopped because it kept failing. Its events wait until it is resumed.
    """

    __tablename__ = "webhooks"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    url: str = Field(max_length=500)
    description: str = Field(default="", max_length=120)
    event_types: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    secret: str = Field(max_length=200)
    previous_secret: str = Field(default="", max_length=200)
    previous_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    active: bool = True
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    paused_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)


class WebhookDeliveryRow(Keyed, table=True):
    """An event on its way to one webhook. The id orders the events of one subject.

    Attributes:
        message_id: header `webhook-id`, the same in every attempt and in a replay.
        event: identifier of the event; a webhook gets each event once.
        subject: what the event is about, such as 'repair ABCD2345'. Its events arrive one after the other.
        content: the body, exactly as it is sent.
        first_tried_at: first attempt since it was last queued.
    """

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event"),
        Index("ix_webhook_deliveries_order", "webhook_id", "subject", "state", "id"),
        Index("ix_webhook_deliveries_log", "webhook_id", "created_at", "id"),
    )

    webhook_id: int = Field(foreign_key="webhooks.id", ondelete="CASCADE")
    message_id: str = Field(max_length=40, unique=True)
    event: str = Field(max_length=60)
    type: str = Field(max_length=60)
    subject: str = Field(max_length=60)
    content: str = Field(sa_type=Text)
    state: DeliveryState = Field(sa_column=Column(EnumText(DeliveryState), nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    first_tried_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    delivered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class WebhookAttemptRow(Keyed, table=True):
    """One attempt to deliver an event.

    Attributes:
        status: HTTP status; None without an answer.
        milliseconds: duration.
        answer: the first 500 characters of the answer, or why there was none.
    """

    __tablename__ = "webhook_attempts"

    delivery_id: int = Field(foreign_key="webhook_deliveries.id", index=True, ondelete="CASCADE")
    status: int | None = None
    milliseconds: int
    answer: str = Field(default="", max_length=500)
    tried_at: datetime = Field(sa_type=UtcDateTime)


class RefundAccountRow(Table, table=True):
    """The account to which a return is refunded, where the way it was paid cannot be used.

    Attributes:
        entered_by: the person of finance; None for the customer.
    """

    __tablename__ = "refund_accounts"

    return_id: int = Field(foreign_key="returns.id", primary_key=True, ondelete="CASCADE")
    holder: str = Field(max_length=70)
    iban: str = Field(max_length=34)
    entered_by: int | None = Field(default=None, foreign_key="staff.id")
    entered_at: datetime = Field(sa_type=UtcDateTime)


class RefundConfirmationRow(Table, table=True):
    """The confirmation of a refund by a second person. Another account needs another one."""

    __tablename__ = "refund_confirmations"

    return_id: int = Field(foreign_key="returns.id", primary_key=True, ondelete="CASCADE")
    staff_id: int = Field(foreign_key="staff.id")
    confirmed_at: datetime = Field(sa_type=UtcDateTime)


class RefundBatchRow(Keyed, table=True):
    """Refunds that were exported together to be paid.

    Attributes:
        made_by: the person; None for the command line.
    """

    __tablename__ = "refund_batches"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    made_by: int | None = Field(default=None, foreign_key="staff.id")
    way: RefundWay = Field(sa_column=Column(EnumText(RefundWay), nullable=False))
    exported_at: datetime = Field(sa_type=UtcDateTime, index=True)


class RefundPaymentRow(Table, table=True):
    """A refund in a batch. The primary key lets each refund be exported once, also by two people at the same time."""

    __tablename__ = "refund_payments"

    return_id: int = Field(foreign_key="returns.id", primary_key=True)
    batch_id: int = Field(foreign_key="refund_batches.id", index=True)
    amount: Decimal = Field(sa_type=Cents)
