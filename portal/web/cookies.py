"""Cookies: the session, the requested login code or passkey, the page to open after login, and the language."""

import base64
import binascii
import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import cast
from urllib.parse import quote, unquote

from starlette.requests import HTTPConnection
from starlette.responses import Response

from portal.contract.models import Locale
from portal.contract.session import CodeSent
from portal.kernel.days import now
from portal.kernel.texts import COOKIE, LOCALES, known_locale
from portal.kernel.validation import parsed_json
from portal.settings import settings

TERMS_COOKIE = "terms"
"""Cookie for scripts: `return_days:30.insurance_days:20`. It holds nothing secret."""

_PLAIN_NAME = "session"
_MAX_LENGTH = 4096


def cookie_name(*, secure: bool) -> str:
    """The name of the session cookie. On https its prefix prevents other hosts and plain http from setting it."""
    return f"__Host-{_PLAIN_NAME}" if secure else _PLAIN_NAME


def read_cookie(header: str, name: str) -> str:
    """Read one cookie from a Cookie header; empty when it is missing or too long.

    Unlike `http.cookies`, this ignores malformed cookies of other sites on the same host.
    """
    for part in header.split(";"):
        key, separator, value = part.strip().partition("=")
        if separator and key == name:
            return value.strip('"') if len(value) <= _MAX_LENGTH else ""
    return ""


def session_token(header: str, *, secure: bool) -> str:
    """The session token (JWT) in a Cookie header, unchecked; empty when there is none."""
    return read_cookie(header, cookie_name(secure=secure))


def fingerprint(token: str) -> str:
    """A hash that identifies a token where the token itself must not be stored; empty for no token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


CHALLENGE_SECONDS = 3600
"""Longer than a code is valid, so that the code page can still offer a new one."""

NEXT_SECONDS = 15 * 60

_CODE_NOTE = "code"
"""Cookie for scripts: the address that was typed in this browser, and the times of the code. It says nothing that the
visitor did not say: a code is only sent where the typed address is right."""

_ACCOUNT_LANGUAGE = "lang_account"
"""Cookie with the language that this browser took over from an account or stored in it. If `lang` differs, the visitor
has chosen another language since."""

_YEAR = 365 * 24 * 3600
_MONTH = 30 * 24 * 3600
_MAX_CHALLENGE = 200
_MAX_ADDRESS = 254


@dataclass(frozen=True, slots=True)
class Challenge:
    """The login code that this browser requested.

    `challenge`: opaque; the code opens a session only together with it.
    `email`: as typed, so that another code can be requested without typing it again.
    """

    challenge: str
    email: str
    order_number: str


def read_session(connection: HTTPConnection) -> str:
    """The session token of a request, unchecked; empty when there is none."""
    return session_token(cookie_header(connection), secure=settings().secure)


def set_session(response: Response, token: str) -> None:
    set_cookie(response, cookie_name(secure=settings().secure), token, round(settings().session_hours * 3600))


def clear_session(response: Response) -> None:
    set_cookie(response, cookie_name(secure=settings().secure), "", 0)


def phone_link(header: str) -> str:
    """The link to add files by telephone in a Cookie header, so that it is in no address after the first."""
    return read_cookie(header, own_name("phone"))


def read_phone(connection: HTTPConnection) -> str:
    """The link to add files by telephone that was opened in this browser; empty for none."""
    return phone_link(cookie_header(connection))


def set_phone(response: Response, link: str, seconds: int) -> None:
    """Keep such a link; an empty one forgets it."""
    set_cookie(response, own_name("phone"), link, seconds if link else 0)


def read_challenge(connection: HTTPConnection) -> Challenge | None:
    """The login code that this browser requested, if any."""
    raw = read_cookie(cookie_header(connection), own_name("challenge"))
    try:
        values = parsed_json(base64.urlsafe_b64decode(raw.encode() + b"=" * (-len(raw) % 4)))
        return Challenge(**{key: str(values[key]) for key in ("challenge", "email", "order_number")})
    except (ValueError, KeyError, TypeError, binascii.Error):
        return None


def set_challenge(response: Response, sent: CodeSent, email: str, order_number: str) -> None:
    """Store the requested code, and let the page show its recipient and how long it is valid."""
    held = json.dumps(asdict(Challenge(sent.challenge, email, order_number)), separators=(",", ":"))
    packed = base64.urlsafe_b64encode(held.encode()).decode().rstrip("=")
    set_cookie(response, own_name("challenge"), packed, CHALLENGE_SECONDS)
    moments = {"sent_at": now(), "expires_at": sent.expires_at, "resend_at": sent.resend_at}
    note = {name: moment.isoformat() for name, moment in moments.items()}
    note["email"] = typed_address(email) or sent.email
    set_cookie(response, _CODE_NOTE, quote(json.dumps(note), safe=""), CHALLENGE_SECONDS, readable=True)


def typed_address(email: str) -> str:
    return email.strip()[:_MAX_ADDRESS]


def awaits_code(connection: HTTPConnection, email: str, order_number: str) -> bool:
    """Whether this browser was sent a code for this input, which still works, and cannot get another one yet."""
    held = read_challenge(connection)
    if held is None or (_plain(held.email), _plain(held.order_number)) != (_plain(email), _plain(order_number)):
        return False
    try:
        note = parsed_json(unquote(read_cookie(cookie_header(connection), _CODE_NOTE)))
        return all(now() < datetime.fromisoformat(note[name]) for name in ("expires_at", "resend_at"))
    except (ValueError, KeyError, TypeError):
        return False


def _plain(typed: str) -> str:
    return "".join(typed.split()).casefold()


def clear_challenge(response: Response) -> None:
    set_cookie(response, own_name("challenge"), "", 0)
    set_cookie(response, _CODE_NOTE, "", 0, readable=True)


def read_passkey(connection: HTTPConnection) -> str:
    """The challenge that a device was asked to sign in this browser; empty for none."""
    return read_cookie(cookie_header(connection), own_name("passkey"))[:_MAX_CHALLENGE]


def set_passkey(response: Response, challenge: str, seconds: int) -> None:
    """Hold such a challenge; an empty one forgets it."""
    set_cookie(response, own_name("passkey"), challenge, seconds if challenge else 0)


def was_offered_passkey(connection: HTTPConnection) -> bool:
    """Whether this browser was offered a passkey in the last month."""
    return bool(read_cookie(cookie_header(connection), own_name("passkey_offered")))


def set_offered_passkey(response: Response) -> None:
    """Offer no passkey in this browser for a month, whoever logs in."""
    set_cookie(response, own_name("passkey_offered"), "1", _MONTH)


_NOBODY = "-"
"""The value of the cookie of the page to open after login, once somebody logged out."""


def read_next(connection: HTTPConnection, token: str) -> str:
    """The page that was requested before login, unchecked; empty for none, and if it was somebody else's."""
    owner, _, path = read_cookie(cookie_header(connection), own_name("next")).partition(":")
    return path if owner in ("", _owner(token)) else ""


def set_next(connection: HTTPConnection, response: Response, path: str, token: str) -> None:
    """Store the page to open after login, for the person of the session that ended.

    After a logout nothing is stored: the next login may be another person's.
    """
    if token or read_cookie(cookie_header(connection), own_name("next")) != _NOBODY:
        set_cookie(response, own_name("next"), f"{_owner(token)}:{path}", NEXT_SECONDS)


def refuse_next(response: Response) -> None:
    """Store no page until the next login: somebody logged out, and other tabs still show their pages."""
    set_cookie(response, own_name("next"), _NOBODY, NEXT_SECONDS)


def clear_next(response: Response) -> None:
    set_cookie(response, own_name("next"), "", 0)


def _owner(token: str) -> str:
    """A hash of the subject of a token, unchecked; empty without one, as in the tokens of staff."""
    try:
        body = token.split(".")[1]
        subject = str(json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["sub"])
    except (IndexError, ValueError, KeyError, TypeError):
        return ""
    return fingerprint(subject)[:16]


def language(connection: HTTPConnection) -> Locale:
    return known_locale(read_cookie(cookie_header(connection), COOKIE))


def shows_language(connection: HTTPConnection) -> bool:
    return read_cookie(cookie_header(connection), COOKIE) in LOCALES


def chosen_language(connection: HTTPConnection) -> Locale | None:
    """The language that the visitor chose in this browser.

    None if they never chose one, or if the account's language has been set here and not been changed since.
    """
    shown = read_cookie(cookie_header(connection), COOKIE)
    if shown not in LOCALES or shown == read_cookie(cookie_header(connection), _ACCOUNT_LANGUAGE):
        return None
    return cast(Locale, shown)


def set_language(response: Response, language: Locale) -> None:
    """Show the pages in the language of the customer's account."""
    set_cookie(response, COOKIE, language, _YEAR, readable=True)
    set_cookie(response, _ACCOUNT_LANGUAGE, language, _YEAR)


def read_terms(connection: HTTPConnection) -> str:
    return read_cookie(cookie_header(connection), TERMS_COOKIE)


def set_terms(response: Response, changed: str) -> None:
    """Let scripts fill in texts with these terms; without any, with the compiled ones."""
    set_cookie(response, TERMS_COOKIE, changed, _YEAR if changed else 0, readable=True)


def linked_language(connection: HTTPConnection) -> Locale | None:
    """The language of a link, if it counts.

    That of a mail (`?lang=en`) is for a browser that shows no language yet; that of the notice for browsers without
    scripts (`?lang=en&chosen=1`) for every browser.
    """
    linked = connection.query_params.get(COOKIE)
    if linked not in LOCALES or (shows_language(connection) and "chosen" not in connection.query_params):
        return None
    return cast(Locale, linked)


def cookie_header(connection: HTTPConnection) -> str:
    return "; ".join(connection.headers.getlist("cookie"))


def own_name(name: str) -> str:
    """The name of a cookie that no other host and no plain http may set; the prefix needs https."""
    return f"__Host-{name}" if settings().secure else name


def set_cookie(response: Response, name: str, value: str, seconds: int, *, readable: bool = False) -> None:
    """Set a cookie of this host only, which scripts cannot read unless it is `readable`."""
    response.set_cookie(
        name, value, max_age=seconds, path="/", secure=settings().secure, httponly=not readable, samesite="lax"
    )
