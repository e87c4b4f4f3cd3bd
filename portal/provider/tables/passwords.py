"""Passwords of customers, where they are offered."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from portal.provider.tables.columns import Table, UtcDateTime


class PasswordRow(Table, table=True):
    """A password, as an argon2id hash with its own salt and parameters."""

    __tablename__ = "passwords"

    customer_id: int = Field(primary_key=True, foreign_key="customers.id", ondelete="CASCADE")
    password_hash: str = Field(max_length=200)
    changed_at: datetime = Field(sa_type=UtcDateTime)
