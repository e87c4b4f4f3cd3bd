"""Codes that are mailed, and the challenge that binds one to a browser. Kept as hashes only.

Six digits are few; what protects them is the key of the house, five tries and ten minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken

from portal.domain.terms import CODE_DIGITS
from portal.provider.keys import Purpose, key, keyed_hash
from portal.settings import Settings

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


def matches(settings: Settings, salt: str, kept: str, code: str) -> bool:
    """Whether this is the code, in a time that says nothing about it."""
    return hmac.compare_digest(code_hash(settings, salt, code), kept)


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
