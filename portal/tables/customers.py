"""Customers, login codes, sessions, limits, passwords, passkeys (part-1 §3), and copies and erasure of their data."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, event
from sqlmodel import Field

from portal.kernel.address import Country
from portal.kernel.days import now
from portal.kernel.validation import search_key, short_id
from portal.tables.columns import EnumText, Keyed, Table, UtcDateTime
from portal.vocabulary.customers import PrivacyActor, PrivacyEventKind
from portal.vocabulary.staff import VisitMode


def _key_of(name: str) -> Callable[[Any], str]:
    """The value of a search key in an INSERT that does not pass through the row, such as that of an import."""
    return lambda context: search_key(context.get_current_parameters()[name])


class CustomerRow(Keyed, table=True):
    """A customer of the shop.

    `email_key`: e-mail address in the form for comparison (`portal.kernel.validation.email_key`). Not unique: a
    household may share an address, and a unique index would reveal which addresses exist.
    `first_name_key`, `last_name_key`: the names as staff search them (`portal.kernel.validation.search_key`). Every
    INSERT and every change of a row writes them; an UPDATE without the row has to name them.
    `phone`: E.164, empty when unknown.
    `locale`: language of mails and documents, 'nl' or 'en'.
    `source`: shop or system that the customer was imported from, whose brand speaks to them; empty for none.
    `passkeys_declined_at`: when the customer said that passkeys need not be offered again.
    `erased_at`: when the personal data were erased; names, addresses and phone number are empty since then.
    """

    __tablename__ = "customers"
    __table_args__ = (
        Index("ix_customers_post_code_house_number", "post_code", "house_number"),
        *(
            Index(f"ix_customers_{name}", name, postgresql_ops={name: "text_pattern_ops"})
            for name in ("first_name_key", "last_name_key")
        ),
    )

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    first_name: str = Field(max_length=60)
    prefix: str = Field(default="", max_length=60)
    last_name: str = Field(max_length=60)
    first_name_key: str = Field(default="", max_length=60, sa_column_kwargs={"default": _key_of("first_name")})
    last_name_key: str = Field(default="", max_length=60, sa_column_kwargs={"default": _key_of("last_name")})
    email: str = Field(max_length=254)
    email_key: str = Field(max_length=254, index=True)
    phone: str = Field(default="", max_length=20)
    street: str = Field(max_length=60)
    house_number: str = Field(max_length=10)
    house_number_addon: str = Field(default="", max_length=60)
    post_code: str = Field(max_length=10)
    city: str = Field(max_length=60)
    country_code: Country = Field(sa_column=Column(EnumText(Country), nullable=False))
    locale: str = Field(default="nl", max_length=2)
    source: str = Field(default="", max_length=40)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    passkeys_declined_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    erased_at: datetime | None = Field(default=None, sa_type=UtcDateTime)

    @property
    def full_name(self) -> str:
        return " ".join(part for part in (self.first_name, self.prefix, self.last_name) if part)


@event.listens_for(CustomerRow, "before_insert")
@event.listens_for(CustomerRow, "before_update")
def _write_keys(_mapper: Any, _connection: Any, row: CustomerRow) -> None:
    row.first_name_key, row.last_name_key = search_key(row.first_name), search_key(row.last_name)


class LoginChallenge(Keyed, table=True):
    """A requested login code, bound to one browser by the challenge that the browser holds.

    `challenge_hash`: SHA-256 of the 256-bit challenge; only the browser stores the challenge itself.
    `customer_id`, `staff_id`: whom the code logs in; both None when nobody has the address. Such a code never opens a
    session.
    `attempts`: number of comparisons; incremented before each comparison.
    `used_at`: when it opened a session or was replaced by a newer code.
    """

    __tablename__ = "login_challenges"

    challenge_hash: str = Field(unique=True, max_length=64)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="CASCADE")
    staff_id: int | None = Field(default=None, foreign_key="staff.id", index=True, ondelete="CASCADE")
    order_number: str = Field(default="", max_length=20)
    salt: str = Field(max_length=32)
    code_hash: str = Field(max_length=64)
    attempts: int = 0
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    mail_id: int | None = Field(default=None, foreign_key="outbox_mails.id", index=True, ondelete="SET NULL")


class SessionRow(Keyed, table=True):
    """A login session. Its token is valid only as long as this row.

    `locale`: language of its pages; None, for sessions of an earlier release, is that of the account.
    `staff_id`: the person of the staff who opened it; None for a session of the customer.
    `mode`: what that person may do in it; None for a session of the customer.
    """

    __tablename__ = "sessions"

    jti: str = Field(unique=True, max_length=43)
    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    order_number: str = Field(default="", max_length=20)
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime = Field(sa_type=UtcDateTime)
    expires_at: datetime = Field(sa_type=UtcDateTime, index=True)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    locale: str | None = Field(default=None, max_length=2)
    staff_id: int | None = Field(default=None, foreign_key="staff.id", index=True, ondelete="CASCADE")
    mode: VisitMode | None = Field(default=None, sa_column=Column(EnumText(VisitMode)))


class LimitWindow(Table, table=True):
    """Recent actions that count toward one limit.

    `key`: subject of the limit and HMAC of the person or address; no personal data.
    `moments`: times of the actions that still count, in seconds since 1970 (UTC), oldest first.
    `ends_at`: when the last action no longer counts.
    """

    __tablename__ = "limit_windows"

    key: str = Field(primary_key=True, max_length=100)
    moments: list[float] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    ends_at: datetime = Field(sa_type=UtcDateTime, index=True)


class EmailChangeRow(Keyed, table=True):
    """A new e-mail address that waits for the code sent to the old one, bound to the session that requested it."""

    __tablename__ = "email_changes"

    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    jti: str = Field(index=True, max_length=43)
    email: str = Field(max_length=254)
    salt: str = Field(max_length=32)
    code_hash: str = Field(max_length=64)
    attempts: int = 0
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PasswordRow(Table, table=True):
    __tablename__ = "passwords"

    customer_id: int = Field(primary_key=True, foreign_key="customers.id", ondelete="CASCADE")
    password_hash: str = Field(max_length=200)
    changed_at: datetime = Field(sa_type=UtcDateTime)


class PasskeyRow(Keyed, table=True):
    """A passkey of a customer: the public half of a key pair whose other half stays in a device or password manager.

    `rp_id`: host name of the pages where it was made; it works only there.
    `credential_id`: id that the device gave it, in base64url; at most 1023 bytes.
    `public_key`: COSE key in base64url.
    `sign_count`: highest counter that the device has shown; 0 for devices that do not count.
    `transports`: how browsers reach the device, such as `internal`.
    `device`: name of the password manager or system; empty when unknown.
    """

    __tablename__ = "passkeys"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    customer_id: int = Field(foreign_key="customers.id", index=True, ondelete="CASCADE")
    rp_id: str = Field(max_length=253)
    credential_id: str = Field(max_length=1364, unique=True)
    public_key: str = Field(max_length=2000)
    sign_count: int = Field(default=0, sa_type=BigInteger)
    transports: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    device: str = Field(default="", max_length=60)
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class PasskeyChallengeRow(Keyed, table=True):
    """A challenge that a device is asked to sign, once.

    `challenge_hash`: SHA-256 of the 256-bit challenge; the browser holds the challenge.
    `customer_id`, `jti`: customer and session that make a passkey; None and empty for a login.
    `used_at`: when an answer to it came, right or wrong.
    """

    __tablename__ = "passkey_challenges"

    challenge_hash: str = Field(unique=True, max_length=64)
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="CASCADE")
    jti: str = Field(default="", max_length=43)
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    expires_at: datetime = Field(sa_type=UtcDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class DataExportRow(Keyed, table=True):
    """The copy of a customer's data, made by a job. A customer has at most one.

    `size`: bytes of the file; 0 while it is being made.
    `ready_at`: when it can be downloaded; None while it is being made.
    `expires_at`: when the file and this row are deleted.
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

    `attempts`: number of comparisons; incremented before each comparison.
    `used_at`: when it was used or replaced by a newer code.
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

    `customer_id`: whose data; None if the data of several customers were deleted. The number names nobody after an
    erasure.
    `counts`: number of rows by table, and `files`.
    """

    __tablename__ = "privacy_events"

    kind: PrivacyEventKind = Field(sa_column=Column(EnumText(PrivacyEventKind), nullable=False))
    actor: PrivacyActor = Field(sa_column=Column(EnumText(PrivacyActor), nullable=False))
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True)
    counts: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    happened_at: datetime = Field(sa_type=UtcDateTime, index=True)
