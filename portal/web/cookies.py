"""The cookies: who is logged in, which login code was asked for, where the customer wanted to go."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import cast
from urllib.parse import quote

from starlette.requests import HTTPConnection
from starlette.responses import Response

from portal.contract.models import Locale
from portal.contract.session import CodeSent
from portal.settings import settings

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


CHALLENGE_SECONDS = 3600
"""The page of the code stays open longer than the code works, so that it can offer a new one."""

NEXT_SECONDS = 15 * 60

_CODE_NOTE = "code"
"""Readable by the page: where the code went (masked) and the times. Nothing secret."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """What this browser asked a login code for.

    Attributes:
        challenge: opaque; only together with it the code opens a session.
        email: as typed, to ask for the next code without typing it again.
        order_number: as typed.
    """

    challenge: str
    email: str
    order_number: str


def read_session(connection: HTTPConnection) -> str:
    """The session token of a request; empty when there is none. It is not checked here."""
    return session_token(_header(connection), secure=settings().secure)


def set_session(response: Response, token: str) -> None:
    """Log this browser in."""
    _set(response, cookie_name(secure=settings().secure), token, round(settings().session_hours * 3600))


def clear_session(response: Response) -> None:
    """Take the session away from this browser."""
    _set(response, cookie_name(secure=settings().secure), "", 0)


def read_challenge(connection: HTTPConnection) -> Challenge | None:
    """What a login code was asked for in this browser, if anything."""
    raw = read_cookie(_header(connection), _own_name("challenge"))
    try:
        values = json.loads(base64.urlsafe_b64decode(raw.encode() + b"=" * (-len(raw) % 4)))
        return Challenge(**{key: str(values[key]) for key in ("challenge", "email", "order_number")})
    except (ValueError, KeyError, TypeError, binascii.Error):
        return None


def set_challenge(response: Response, sent: CodeSent, email: str, order_number: str) -> None:
    """Remember which code was asked for, and tell the page where it went and how long it works."""
    held = json.dumps(asdict(Challenge(sent.challenge, email, order_number)), separators=(",", ":"))
    packed = base64.urlsafe_b64encode(held.encode()).decode().rstrip("=")
    _set(response, _own_name("challenge"), packed, CHALLENGE_SECONDS)
    note = {"email": sent.email, "expires_at": sent.expires_at.isoformat(), "resend_at": sent.resend_at.isoformat()}
    _set(response, _CODE_NOTE, quote(json.dumps(note), safe=""), CHALLENGE_SECONDS, readable=True)


def clear_challenge(response: Response) -> None:
    """Forget the code that was asked for."""
    _set(response, _own_name("challenge"), "", 0)
    _set(response, _CODE_NOTE, "", 0, readable=True)


def read_next(connection: HTTPConnection) -> str:
    """The page this browser wanted to open before it had to log in; empty for none. It is not checked here."""
    return read_cookie(_header(connection), _own_name("next"))


def set_next(response: Response, path: str) -> None:
    """Remember which page to open after login."""
    _set(response, _own_name("next"), path, NEXT_SECONDS)


def clear_next(response: Response) -> None:
    """Forget the page to open after login."""
    _set(response, _own_name("next"), "", 0)


def language(connection: HTTPConnection) -> str:
    """The language the browser shows: `nl` or `en`."""
    return "en" if read_cookie(_header(connection), "lang") == "en" else "nl"


def chosen_language(connection: HTTPConnection) -> Locale | None:
    """The language that somebody chose in this browser; none while nobody did."""
    chosen = read_cookie(_header(connection), "lang")
    return cast(Locale, chosen) if chosen in {"nl", "en"} else None


def _header(connection: HTTPConnection) -> str:
    return "; ".join(connection.headers.getlist("cookie"))


def _own_name(name: str) -> str:
    return f"__Host-{name}" if settings().secure else name


def _set(response: Response, name: str, value: str, seconds: int, *, readable: bool = False) -> None:
    options: Mapping[str, object] = {"path": "/", "samesite": "lax", "httponly": not readable}
    response.set_cookie(name, value, max_age=seconds, secure=settings().secure, **options)  # type: ignore[arg-type]
