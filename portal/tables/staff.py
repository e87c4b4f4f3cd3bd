"""Staff: people, their stores, their sessions, and the audit of what they did."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import EnumText, Keyed, Table, UtcDateTime
from portal.vocabulary.staff import Role, VisitMode


class StaffRow(Keyed, table=True):
    """Somebody who works at the retailer.

    `subject`: identifier at the OpenID provider (`sub`); None for people of the demonstration and before their first
    login.
    `active`: whether the person may log in; the row stays for the audit.
    """

    __tablename__ = "staff"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    subject: str | None = Field(default=None, max_length=255, unique=True)
    name: str = Field(max_length=120)
    email: str = Field(max_length=254, unique=True)
    role: Role = Field(sa_column=Column(EnumText(Role), nullable=False))
    locale: str = Field(default="nl", max_length=2)
    active: bool = True
    created_at: datetime = Field(sa_type=UtcDateTime)


class StaffStoreRow(Table, table=True):
    __tablename__ = "staff_stores"

    staff_id: int = Field(foreign_key="staff.id", primary_key=True, ondelete="CASCADE")
    partner_id: int = Field(foreign_key="partners.id", primary_key=True, ondelete="CASCADE")


class StaffSessionRow(Keyed, table=True):
    """A session of a member of staff.

    `token_hash`: SHA-256 of the token, which only the browser has.
    `locale`: language of its pages; None, for sessions of an earlier release, is that of the account.
    """

    __tablename__ = "staff_sessions"

    token_hash: str = Field(unique=True, max_length=64)
    staff_id: int = Field(foreign_key="staff.id", index=True, ondelete="CASCADE")
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    locale: str | None = Field(default=None, max_length=2)


class StaffSignOnRow(Keyed, table=True):
    """A login that was begun at the OpenID provider. The answer is accepted once, from the browser that began it.

    `state_hash`: SHA-256 of the state in the address.
    `challenge_hash`: SHA-256 of the challenge, which only the browser has. Nonce and code verifier are derived from the
    challenge, so none of them is stored.
    """

    __tablename__ = "staff_sign_ons"

    state_hash: str = Field(unique=True, max_length=64)
    challenge_hash: str = Field(max_length=64)
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class CustomerVisitRow(Keyed, table=True):
    """A link with which somebody of the staff opens the site of a customer once.

    `link_hash`: SHA-256 of the 256 bits at the end of the link.
    """

    __tablename__ = "customer_visits"

    link_hash: str = Field(unique=True, max_length=64)
    staff_id: int = Field(foreign_key="staff.id", index=True, ondelete="CASCADE")
    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    mode: VisitMode = Field(sa_column=Column(EnumText(VisitMode), nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AuditRow(Keyed, table=True):
    """Who did what to which record, when and from where. Rows are only added.

    `staff_id`: who did it; None for the command line and keys of the back office.
    `actor`: name of the person, or of the key, at that time.
    `kind`, `reference`: the record; both empty if there is none.
    `reason`: what the person gave as reason; empty if none was asked.
    `details`: what changed, without personal data.
    """

    __tablename__ = "audit"
    __table_args__ = (
        Index("ix_audit_kind_reference", "kind", "reference"),
        Index("ix_audit_staff_id_happened_at", "staff_id", "happened_at"),
    )

    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    actor: str = Field(max_length=120)
    action: str = Field(max_length=60)
    kind: str = Field(default="", max_length=40)
    reference: str = Field(default="", max_length=40)
    reason: str = Field(default="", max_length=300)
    details: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    address: str = Field(default="", max_length=45)
    happened_at: datetime = Field(sa_type=UtcDateTime, index=True)
