"""Codes that are mailed, and the challenge that binds one to a browser. Kept as hashes only.

Six digits are few; what protects them is the key of the house, five tries and ten minutes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from portal.domain.terms import CODE_DIGITS
from portal.provider.keys import Purpose, key, keyed_hash
from portal.settings import Settings

LONGEST_SEALED = 96
"""Bytes of a secret in the outbox: a code, or the end of a link."""


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


def seal(settings: Settings, text: str) -> str:
    """Make a short secret unreadable in the outbox until it is mailed.

    A copy of the database alone gives no code away: the text (at most 96 bytes) is masked with keyed hashes of a
    random number that is used once.
    """
    number, plain = secrets.token_bytes(16), text.encode()
    if len(plain) > LONGEST_SEALED:
        raise ValueError("only short texts are sealed")
    hidden = _masked(settings, number, plain)
    return base64.urlsafe_b64encode(number + _check(settings, number, plain) + hidden).decode()


def unseal(settings: Settings, sealed: str) -> str:
    """The text that was sealed with the same secret.

    Raises:
        ValueError: it was sealed with another one.
    """
    raw = base64.urlsafe_b64decode(sealed)
    number, check, hidden = raw[:16], raw[16:24], raw[24:]
    text = _masked(settings, number, hidden)
    if not hmac.compare_digest(check, _check(settings, number, text)):
        raise ValueError("sealed with another secret")
    return text.decode()


def _check(settings: Settings, number: bytes, text: bytes) -> bytes:
    return hmac.digest(key(settings, Purpose.SEAL), b"check" + number + text, hashlib.sha256)[:8]


def _masked(settings: Settings, number: bytes, text: bytes) -> bytes:
    secret = key(settings, Purpose.SEAL)
    # The first block has no count, as in what was sealed when there was only one.
    blocks = (hmac.digest(secret, number + bytes([block] if block else []), hashlib.sha256) for block in range(3))
    return bytes(sign ^ pad for sign, pad in zip(text, b"".join(blocks), strict=False))
