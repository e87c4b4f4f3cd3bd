"""Which languages there are and which one a visitor chose."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Literal, get_args

Locale = Literal["nl", "en"]

LOCALES: tuple[Locale, ...] = get_args(Locale)
WRITTEN: Locale = "en"
"""The language of the sources: the text itself is the id, so it has no catalogue."""
TRANSLATED: tuple[Locale, ...] = tuple(locale for locale in LOCALES if locale != WRITTEN)
"""Languages with a catalogue."""
DEFAULT: Locale = "nl"
"""What a visitor sees who never chose (part-1 §1)."""
COOKIE = "lang"
"""The cookie that keeps the choice for a year. The browser writes it, so it is never believed unread."""


def known_locale(value: str | None) -> Locale:
    """Take a language only when it is one of ours; anything else is the default."""
    ours: dict[str, Locale] = {locale: locale for locale in LOCALES}
    return ours.get(value or "", DEFAULT)


def locale_of(cookie_header: str) -> Locale:
    """Read the chosen language from the Cookie header of a request.

    Args:
        cookie_header: The header as sent, may be empty or nonsense.
    """
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(cookie_header)
    except CookieError:
        return DEFAULT
    return known_locale(cookies[COOKIE].value) if COOKIE in cookies else DEFAULT
