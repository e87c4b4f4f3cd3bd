"""Keys of the house: one for each purpose, all from the one secret of the settings.

A value made for one purpose is worthless for another, so a login code can never be mistaken for a session.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum

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
