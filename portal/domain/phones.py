"""Phone numbers as people read them."""

from __future__ import annotations

from functools import lru_cache

import phonenumbers


@lru_cache(maxsize=1024)
def readable(number: str) -> str:
    """A number in E.164 with blanks where people expect them, such as '+31 6 12345678'; anything else as it is."""
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return number
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
