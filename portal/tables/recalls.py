"""Product safety recalls: what is recalled, which numbers, and who was warned (part-1 §13)."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Keyed, UtcDateTime
from portal.vocabulary.recalls import RecalledKind, Remedy


class RecallRow(Keyed, table=True):
    """A recall.

    Attributes:
        code: identifier of the shop, such as '2026-ACCU-01'. Loading the same code again adds numbers.
        texts: by language, the texts `product`, `description`, `hazard` and `action`.
        remedies: values of `Remedy` that the customer can choose from.
        picture: of the product, a JPEG; empty without one.
        phone: E.164; `email`: for questions about this recall.
    """

    __tablename__ = "recalls"

    code: str = Field(max_length=40, unique=True)
    texts: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    remedies: list[str] = Field(sa_column=Column(JSON, nullable=False))
    picture: bytes = Field(default=b"", sa_column=Column(LargeBinary, nullable=False))
    phone: str = Field(max_length=20)
    email: str = Field(max_length=254)
    published_at: datetime = Field(sa_type=UtcDateTime)


class RecallItemRow(Keyed, table=True):
    """A recalled number, in the form for comparison: upper case, letters and digits only."""

    __tablename__ = "recall_items"
    __table_args__ = (
        UniqueConstraint("recall_id", "kind", "number"),
        Index("ix_recall_items_kind_number", "kind", "number"),
    )

    recall_id: int = Field(foreign_key="recalls.id", ondelete="CASCADE")
    kind: RecalledKind = Field(sa_column=Column(EnumText(RecalledKind), nullable=False))
    number: str = Field(max_length=40)


class RecallNoticeRow(Keyed, table=True):
    """The warning of one owner. A unique constraint warns each owner once per recall.

    Attributes:
        public_id: id in URLs.
        acknowledged_at: when the customer confirmed that they have read it.
        remedy: what the customer chose; None until then.
    """

    __tablename__ = "recall_notices"
    __table_args__ = (UniqueConstraint("recall_id", "customer_id"),)

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    recall_id: int = Field(foreign_key="recalls.id")
    customer_id: int = Field(foreign_key="customers.id", index=True)
    created_at: datetime = Field(sa_type=UtcDateTime)
    acknowledged_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    remedy: Remedy | None = Field(default=None, sa_column=Column(EnumText(Remedy)))
    chosen_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
