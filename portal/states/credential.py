"""The session token as the browser presents it: one HttpOnly cookie, on HTTP requests and on the socket's handshake."""

from __future__ import annotations

import hashlib

_PLAIN_NAME = "session"
_LONGEST = 4096


def cookie_name(*, secure: bool) -> str:
    """The name of the session cookie; on https the prefix keeps other hosts and plain http from setting it."""
    return f"__Host-{_PLAIN_NAME}" if secure else _PLAIN_NAME


def read_cookie(header: str, name: str) -> str:
    """Read one cookie from a Cookie header; empty when it is not there.

    Other people's malformed cookies do not get in the way, as they would with `http.cookies`.
    """
    for part in header.split(";"):
        key, separator, value = part.strip().partition("=")
        if separator and key == name:
            return value.strip('"') if len(value) <= _LONGEST else ""
    return ""


def session_token(header: str, *, secure: bool) -> str:
    """The session token (JWT) in a Cookie header; empty when nobody is logged in. It is not checked here."""
    return read_cookie(header, cookie_name(secure=secure))


def fingerprint(token: str) -> str:
    """What stands for a token where the token itself must not be kept; empty for no token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""
