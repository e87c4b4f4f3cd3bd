"""Messages between customer and staff about a case, and the templates of messages."""

from datetime import datetime

from sqlalchemy import Column, Index
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Keyed, UtcDateTime
from portal.vocabulary.conversations import Asks


class CaseMessageRow(Keyed, table=True):
    """A message about a case. The id orders the messages. Files are the rows of `uploads` with its key.

    Internal notes are never stored here: whatever is in this table, the customer may read.

    Attributes:
        staff_id: the person who wrote it; None if the customer did.
        author: first name of the writer at that time, as the other side sees it.
        store: name of the store, or of the shop, in whose name staff wrote; empty for the customer.
        asks: what the customer is asked for.
        answered_at: when the question was answered, or closed by staff.
        template: name of the template; empty for a free text.
        key: idempotency key: that of the customer's draft, or the one that the page of staff made.
        mail_id, text_message_id: what went out besides; the row may be deleted earlier than the message.
        mailed, texted: whether it went out as mail and as text message.
        read_at: when the other side read it.
    """

    __tablename__ = "case_messages"
    __table_args__ = (Index("ix_case_messages_case_id", "case_id", "id"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    case_id: int = Field(foreign_key="cases.id", ondelete="CASCADE")
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    by_customer: bool = False
    author: str = Field(default="", max_length=60)
    store: str = Field(default="", max_length=120)
    text: str = Field(default="", max_length=4000)
    asks: Asks = Field(default=Asks.NOTHING, sa_column=Column(EnumText(Asks), nullable=False))
    answered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    template: str = Field(default="", max_length=40)
    key: str = Field(max_length=64, unique=True)
    mailed: bool = False
    texted: bool = False
    mail_id: int | None = Field(default=None, foreign_key="outbox_mails.id", index=True, ondelete="SET NULL")
    text_message_id: int | None = Field(default=None, foreign_key="text_messages.id", index=True, ondelete="SET NULL")
    created_at: datetime = Field(sa_type=UtcDateTime)
    read_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class MessageTemplateRow(Keyed, table=True):
    """A template that the shop changed or added. The others are those of `portal/conversations/data`.

    Attributes:
        name: name of the template; replaces the delivered template of this name.
        kinds: kinds of case that it fits, separated by spaces; empty for all.
        hidden: whether it is no longer offered.
    """

    __tablename__ = "message_templates"

    name: str = Field(max_length=40, unique=True)
    kinds: str = Field(default="", max_length=200)
    asks: Asks = Field(default=Asks.NOTHING, sa_column=Column(EnumText(Asks), nullable=False))
    title_nl: str = Field(max_length=80)
    title_en: str = Field(max_length=80)
    text_nl: str = Field(max_length=4000)
    text_en: str = Field(max_length=4000)
    hidden: bool = False
    changed_at: datetime = Field(sa_type=UtcDateTime)
