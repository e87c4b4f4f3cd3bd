"""Copies of customers' data, requests for erasure, and the audit of what was exported, erased and deleted."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Column
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Keyed, UtcDateTime
from portal.vocabulary.privacy import PrivacyActor, PrivacyEventKind


class DataExportRow(Keyed, table=True):
    """The copy of a customer's data, made by a job. A customer has at most one.

    Attributes:
        public_id: id in URLs.
        key: storage key of the ZIP file.
        size: bytes of the file; 0 while it is being made.
        give_up_at: when making it counts as failed.
        ready_at: when it can be downloaded; None while it is being made.
        expires_at: when the file and this row are deleted.
    """

    __tablename__ = "data_exports"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    customer_id: int = Field(foreign_key="customers.id", unique=True, ondelete="CASCADE")
    key: str = Field(max_length=64, unique=True)
    size: int = Field(default=0, sa_type=BigInteger)
    created_at: datetime = Field(sa_type=UtcDateTime)
    give_up_at: datetime = Field(sa_type=UtcDateTime)
    ready_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)


class ErasureCodeRow(Keyed, table=True):
    """A mailed code that confirms the erasure of a customer, bound to the session that asked for it.

    Attributes:
        code_hash: HMAC of salt and code.
        attempts: number of comparisons; incremented before each comparison.
        used_at: when it was used or replaced by a newer code.
    """

    __tablename__ = "erasure_codes"

    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    jti: str = Field(index=True, max_length=43)
    salt: str = Field(max_length=32)
    code_hash: str = Field(max_length=64)
    attempts: int = 0
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PrivacyEventRow(Keyed, table=True):
    """One entry of the audit, written in the transaction of what it records.

    Attributes:
        customer_id: whose data; None if the data of several customers were deleted. The number names nobody after an
            erasure.
        counts: number of rows by table, and `files`.
    """

    __tablename__ = "privacy_events"

    kind: PrivacyEventKind = Field(sa_column=Column(EnumText(PrivacyEventKind), nullable=False))
    actor: PrivacyActor = Field(sa_column=Column(EnumText(PrivacyActor), nullable=False))
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True)
    counts: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    happened_at: datetime = Field(sa_type=UtcDateTime, index=True)
