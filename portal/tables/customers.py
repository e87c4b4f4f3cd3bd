"""Tables of logging in: codes that were mailed, sessions, limits, changes of e-mail address."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Column
from sqlmodel import Field

from portal.provider.tables.columns import Table, UtcDateTime


class LoginChallenge(Table, table=True):
    """A login code that was asked for, bound to one browser by the challenge it holds.

    Attributes:
        challenge_hash: SHA-256 of the 256-bit challenge; the challenge itself is only in the browser.
        customer_id: none when nobody has the address; such a code never opens anything.
        order_number: the order of the session that follows.
        code_hash: HMAC of salt and code.
        attempts: how often a code was compared; counted before comparing.
        used_at: when it opened a session, or was replaced by a newer one.
    """

    __tablename__ = "login_challenges"

    id: int | None = Field(default=None, primary_key=True)
    challenge_hash: str = Field(unique=True, max_length=64)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="CASCADE")
    order_number: str = Field(default="", max_length=9)
    salt: str = Field(max_length=32)
    code_hash: str = Field(max_length=64)
    attempts: int = 0
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class SessionRow(Table, table=True):
    """A session. The token is only believed while its row says so."""

    __tablename__ = "sessions"

    id: int | None = Field(default=None, primary_key=True)
    jti: str = Field(unique=True, max_length=43)
    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    order_number: str = Field(default="", max_length=9)
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class LimitWindow(Table, table=True):
    """What was done under one key lately.

    Attributes:
        key: subject and HMAC of whom it counts for; no personal data.
        moments: seconds since 1970 (UTC) of what still counts, oldest first.
        ends_at: when nothing of it counts any more.
    """

    __tablename__ = "limit_windows"

    key: str = Field(primary_key=True, max_length=100)
    moments: list[float] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    ends_at: datetime = Field(sa_type=UtcDateTime, index=True)


class EmailChangeRow(Table, table=True):
    """A new e-mail address that waits for the code sent to the old one. Bound to the session that asked."""

    __tablename__ = "email_changes"

    id: int | None = Field(default=None, primary_key=True)
    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    jti: str = Field(index=True, max_length=43)
    email: str = Field(max_length=254)
    salt: str = Field(max_length=32)
    code_hash: str = Field(max_length=64)
    attempts: int = 0
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
