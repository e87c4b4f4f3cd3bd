"""Calls of the back office that carried an idempotency key."""

from datetime import datetime

from sqlalchemy import Text
from sqlmodel import Field

from portal.tables.columns import Table, UtcDateTime


class IdempotencyKeyRow(Table, table=True):
    """A call that was answered. The row is written in the transaction of the change that the call made.

    Attributes:
        actor: who made the call; keys of different actors are independent.
        key: the key that the caller chose.
        fingerprint: SHA-256 of what was asked. The key cannot be used to ask for something else.
        answer: the answer as JSON; None until the transaction is complete.
    """

    __tablename__ = "idempotency_keys"

    actor: str = Field(max_length=40, primary_key=True)
    key: str = Field(max_length=100, primary_key=True)
    fingerprint: str = Field(max_length=64)
    answer: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
