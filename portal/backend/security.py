"""Keys, redaction, login codes, and the security log.

A value made for one purpose is worthless for another, so a login code can never be mistaken for a session.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from enum import StrEnum

import structlog
from cryptography.fernet import Fernet, InvalidToken

from portal.kernel.terms import CODE_DIGITS
from portal.settings import Settings


class Purpose(StrEnum):
    """What a key is for. Changing a value makes everything that was made with it invalid."""

    SESSION = "session-token-1"
    CODE = "login-code-1"
    LIMIT = "limit-subject-1"
    OUTBOX = "outbox-secret-1"
    LOG = "security-log-1"


def key(settings: Settings, purpose: Purpose) -> bytes:
    """The 32 bytes for this purpose (HMAC-SHA256 of the secret)."""
    secret = settings.secret_key.get_secret_value().encode()
    return hmac.digest(secret, f"portal/{purpose}".encode(), hashlib.sha256)


def keyed_hash(settings: Settings, purpose: Purpose, *parts: str) -> str:
    """A hash of the parts that nobody without the secret can compute; 64 hexadecimal digits."""
    message = b"".join(len(part := text.encode()).to_bytes(4, "big") + part for text in parts)
    return hmac.new(key(settings, purpose), message, hashlib.sha256).hexdigest()


def masked_email(address: str) -> str:
    """The first sign and the end of the domain: 's…@…nl' (ux: code page)."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@…{domain.rpartition('.')[2]}"


def masked_iban(iban: str) -> str:
    """The country and the last four signs of a bank account: 'NL…4300'; empty when there is none."""
    return f"{iban[:2]}…{iban[-4:]}" if iban else ""


log = structlog.get_logger("portal.security")


class SecurityEvent(StrEnum):
    """What is written down."""

    CODE_SENT = "login code sent"
    CODE_REFUSED = "login code refused"
    LIMIT_REACHED = "limit reached"
    LOGIN = "login"
    LOGIN_FAILED = "login failed"
    LOGOUT = "logout"
    EMAIL_CHANGED = "email changed"
    EMAIL_CHANGE_FAILED = "email change failed"
    PASSWORD_CHANGED = "password changed"  # noqa: S105 - what happened
    BACK_OFFICE_REFUSED = "back office refused"


def note(
    settings: Settings, event: SecurityEvent, *, customer: int | None = None, address: str = "", why: str = ""
) -> None:
    """Write it down.

    Args:
        settings: for the key of the hashes.
        event: what.
        customer: primary key, when known.
        address: network address, when known.
        why: code of the catalogue.
    """
    details = {
        "customer": keyed_hash(settings, Purpose.LOG, "customer", str(customer))[:16] if customer else None,
        "address": keyed_hash(settings, Purpose.LOG, "address", address)[:16] if address else None,
        "why": why or None,
    }
    log.info(event.value, **{name: value for name, value in details.items() if value})


LONGEST_SECRET = 79
"""Bytes of a secret in the outbox: a code (6), or the end of a link (43). Encrypted it fills the 200 of the column."""


def new_code() -> str:
    """Six random digits."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def new_salt() -> str:
    """128 random bits, so that equal codes have unequal hashes."""
    return secrets.token_hex(16)


def code_hash(settings: Settings, salt: str, code: str) -> str:
    """What is kept of a code."""
    return keyed_hash(settings, Purpose.CODE, salt, code)


def matches(settings: Settings, salt: str, stored: str, code: str) -> bool:
    """Whether this is the code, in a time that says nothing about it."""
    return hmac.compare_digest(code_hash(settings, salt, code), stored)


def new_challenge() -> str:
    """256 random bits for the browser that asks for a code."""
    return secrets.token_urlsafe(32)


def challenge_hash(challenge: str) -> str:
    """What is kept of a challenge. It is long and random, so a plain hash will do."""
    return hashlib.sha256(challenge.encode()).hexdigest()


def encrypt(settings: Settings, text: str) -> str:
    """Make a short secret unreadable in the outbox until it is mailed, so that a copy of the database gives none away.

    Raises:
        ValueError: the text is longer than the column holds once it is encrypted.
    """
    if len(text.encode()) > LONGEST_SECRET:
        raise ValueError("only short texts are encrypted")
    return _fernet(settings).encrypt(text.encode()).decode()


def decrypt(settings: Settings, token: str) -> str:
    """The text that was encrypted with the same secret.

    Raises:
        ValueError: it was encrypted with another one, or is not what was encrypted.
    """
    try:
        return _fernet(settings).decrypt(token).decode()
    except InvalidToken as error:
        raise ValueError("encrypted with another secret") from error


def _fernet(settings: Settings) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(key(settings, Purpose.OUTBOX)))
