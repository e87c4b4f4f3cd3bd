"""Keys, hashes, masking, login codes, encryption, the security log, and who reads an answer.

Each purpose has its own key, so a value made for one purpose is not valid for another. Customers read their own address
whole, everybody else reads it masked.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import cache

import structlog
from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from portal.kernel.terms import CODE_DIGITS
from portal.kernel.texts import DEFAULT, Locale
from portal.settings import Settings


class Purpose(StrEnum):
    """The purpose of a key. Changing a value invalidates everything made with that key."""

    SESSION = "session-token-1"
    CODE = "login-code-1"
    LIMIT = "limit-subject-1"
    OUTBOX = "outbox-secret-1"
    LOG = "security-log-1"
    TRACKING = "tracking-link-1"
    FINGERPRINT = "fingerprint-1"
    RECORD = "imported-record-1"
    DATA = "data-1"
    """Under the key of the data; all others are under the secret key."""


def keys(settings: Settings, purpose: str) -> list[bytes]:
    """The 32-byte keys for a purpose, the newest first: HMAC-SHA256 of the purpose under each secret."""
    under = settings.data_keys if purpose == Purpose.DATA else settings.secret_keys
    return [hmac.digest(secret.encode(), f"portal/{purpose}".encode(), hashlib.sha256) for secret in under]


def keyed_hashes(settings: Settings, purpose: Purpose, *parts: str) -> list[str]:
    """HMAC-SHA256 of the parts under each key, as 64 hexadecimal digits. Only somebody with the key can make it."""
    message = b"".join(len(part := text.encode()).to_bytes(4, "big") + part for text in parts)
    return [hmac.new(key, message, hashlib.sha256).hexdigest() for key in keys(settings, purpose)]


def keyed_hash(settings: Settings, purpose: Purpose, *parts: str) -> str:
    """The hash under the newest key."""
    return keyed_hashes(settings, purpose, *parts)[0]


def fingerprints(settings: Settings, purpose: Purpose = Purpose.FINGERPRINT) -> list[str]:
    """By which the secrets are recognised, and not found out."""
    return [each[:16] for each in keyed_hashes(settings, purpose)]


def masked_email(address: str) -> str:
    """The first character and the top-level domain: 's…@…nl' (ux: code page)."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@…{domain.rpartition('.')[2]}"


def is_masked(address: str) -> bool:
    """Whether an address is one that `masked_email` made."""
    return "…@…" in address


def masked_iban(iban: str) -> str:
    """The country and the last four characters of an IBAN: 'NL…4300'. Empty for an empty IBAN."""
    return f"{iban[:2]}…{iban[-4:]}" if iban else ""


log = structlog.get_logger("portal.security")


class SecurityEvent(StrEnum):
    """The events in the security log."""

    CODE_SENT = "login code sent"
    CODE_REFUSED = "login code refused"
    LIMIT_REACHED = "limit reached"
    LOGIN = "login"
    LOGIN_FAILED = "login failed"
    LOGOUT = "logout"
    ERASED = "customer erased"
    ERASURE_FAILED = "erasure failed"
    EMAIL_CHANGED = "email changed"
    EMAIL_CHANGE_FAILED = "email change failed"
    PASSWORD_CHANGED = "password changed"  # noqa: S105 - an event, not a password
    PASSKEY_ADDED = "passkey added"
    PASSKEY_REFUSED = "passkey refused"
    PASSKEY_REMOVED = "passkey removed"
    BACK_OFFICE_REFUSED = "back office refused"
    STAFF_LOGIN = "staff login"
    STAFF_LOGIN_FAILED = "staff login failed"
    STAFF_REFUSED = "staff refused"
    VISIT = "customer visited by staff"
    PHONE_LINK = "phone link opened"
    PHONE_REFUSED = "phone link refused"


def note(
    settings: Settings,
    event: SecurityEvent,
    *,
    customer: int | None = None,
    staff: int | None = None,
    address: str = "",
    why: str = "",
) -> None:
    """Write an event to the security log. Customer and address are logged as hashes.

    `customer`: primary key of the customer, if known.
    `staff`: primary key of the member of staff, if known.
    `address`: network address of the client, if known.
    `why`: the error code, if there is one.
    """
    details = {
        "customer": keyed_hash(settings, Purpose.LOG, "customer", str(customer))[:16] if customer else None,
        "address": keyed_hash(settings, Purpose.LOG, "address", address)[:16] if address else None,
        "staff": staff,
        "why": why or None,
    }
    log.info(event.value, **{name: value for name, value in details.items() if value})


MAX_SECRET_BYTES = 79
"""Maximum bytes of a secret in the outbox: a code has 6, a link token 43. Encrypted, 79 fill the column of 200."""


def new_code() -> str:
    """A random code of `CODE_DIGITS` digits."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def new_salt() -> str:
    """128 random bits in hexadecimal, so that equal codes have different hashes."""
    return secrets.token_hex(16)


def code_hash(settings: Settings, salt: str, code: str) -> str:
    """The hash of a code, which is stored instead of the code."""
    return keyed_hash(settings, Purpose.CODE, salt, code)


def matches(settings: Settings, salt: str, stored: str, code: str) -> bool:
    """Whether the code matches the stored hash. The comparison takes constant time."""
    return any([hmac.compare_digest(each, stored) for each in keyed_hashes(settings, Purpose.CODE, salt, code)])


def new_challenge() -> str:
    """256 random bits, URL-safe; binds a login code to the browser that requested it."""
    return secrets.token_urlsafe(32)


def challenge_hash(challenge: str) -> str:
    """The hash of a challenge, which is stored instead of it. A challenge is long and random and needs no key."""
    return hashlib.sha256(challenge.encode()).hexdigest()


def encrypt(settings: Settings, text: str, purpose: Purpose = Purpose.OUTBOX) -> str:
    """Encrypt a short secret, so that a copy of the database does not reveal it.

    Raises `ValueError`: the text has more than `MAX_SECRET_BYTES` bytes.
    """
    if len(text.encode()) > MAX_SECRET_BYTES:
        raise ValueError("only short texts are encrypted")
    return cipher(settings, purpose).encrypt(text.encode()).decode()


def decrypt(settings: Settings, token: str, purpose: Purpose = Purpose.OUTBOX) -> str:
    """Decrypt a text encrypted by `encrypt`.

    Raises `ValueError`: the token was encrypted with another secret or for another purpose, or was altered.
    """
    try:
        return cipher(settings, purpose).decrypt(token).decode()
    except InvalidToken as error:
        raise ValueError("encrypted with another secret") from error


def cipher(settings: Settings, purpose: str = Purpose.DATA) -> MultiFernet:
    """Encrypts with the newest key, decrypts with all."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys(settings, purpose)])


@cache
def certificates() -> ssl.SSLContext:
    """Check servers by them.

    Reading them takes some 20 ms of the event loop, so it is done once, and not for each client.
    """
    return ssl.create_default_context()


_reader: ContextVar[Locale] = ContextVar("reader", default=DEFAULT)
_address: ContextVar[str] = ContextVar("address", default="")


def reader() -> Locale:
    """The language of the current session; that of visitors without one."""
    return _reader.get()


def read_by(locale: Locale, email: str = "") -> None:
    """Set language and address of the reader of the current operation. The check of its session does so.

    `email`: of the customer; empty for staff.
    """
    _reader.set(locale)
    _address.set(email)


def shown_email(address: str) -> str:
    """An address as the reader may see it: whole if it is their own."""
    if not address:
        return ""
    masked, own = address if is_masked(address) else masked_email(address), _address.get()
    return own if own and masked_email(own) == masked else masked


@contextmanager
def reading_in(locale: Locale) -> Iterator[None]:
    """Answer in another language than that of the session for a while, for a mail to somebody else."""
    before = _reader.set(locale)
    try:
        yield
    finally:
        _reader.reset(before)
