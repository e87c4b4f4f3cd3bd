"""Fills the retailer's terms into a text: "within {link_hours} hours" becomes "within 24 hours"."""

from __future__ import annotations

import re
from datetime import time

from portal.domain.terms import IN_TEXTS, SPELLED
from portal.texts.locales import Locale

_NAMES = re.compile(r"\{(" + "|".join(IN_TEXTS) + r")\}")
_NUMBERS: dict[Locale, tuple[str, ...]] = {
    "nl": ("nul", "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf"),
    "en": ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
}


def with_terms(text: str, locale: Locale) -> str:
    """A text with the values of the terms that it names; other names in braces stay for whoever fills them in.

    Args:
        text: A text of a catalogue, or an English one that has no translation.
        locale: The language in which numbers are spelled that sentences write as words.
    """
    return _NAMES.sub(lambda found: _written(found[1], locale), text)


def _written(name: str, locale: Locale) -> str:
    value = IN_TEXTS[name]
    if isinstance(value, time):
        return f"{value:%H:%M}"
    spelled = name in SPELLED and value < len(_NUMBERS[locale])
    return _NUMBERS[locale][value] if spelled else str(value)
