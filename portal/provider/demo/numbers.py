"""Identifiers of the demonstration: the same each time, in the forms that real ones have."""

from __future__ import annotations

import hashlib

from portal.domain.identifiers import ALPHABET


def number_from(*parts: object) -> int:
    """A large number that depends on the parts only."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest())


def stable_id(*parts: object, length: int = 10) -> str:
    """What `domain.identifiers.short_id` would make, but the same each time."""
    number, signs = number_from(*parts), []
    for _ in range(length):
        number, digit = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[digit])
    return "".join(signs)


def digits(length: int, *parts: object) -> str:
    """So many digits."""
    return f"{number_from(*parts) % 10**length:0{length}}"


def imei(*parts: object) -> str:
    """An IMEI number: 15 digits of which the last is the Luhn check digit."""
    body = "3569" + digits(10, "imei", *parts)
    return body + luhn_digit(body)


def luhn_digit(body: str) -> str:
    """The check digit that makes `body` a Luhn number."""
    total = 0
    for position, sign in enumerate(reversed(body)):
        value = int(sign) * (2 if position % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)
