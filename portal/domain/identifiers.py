"""Identifiers that customers see: short, unguessable, easy to read aloud."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPRSTUVWXY"
"""No I, O, Q, Z, 0 or 1: they are read wrong."""
_GROUP = 4


def short_id(length: int = 10) -> str:
    """A random identifier; ten signs of this alphabet hold 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def spoken(reference: str) -> str:
    """Our own references in two groups of four, as they are read and said aloud; a retailer's own as it is."""
    return in_fours(reference) if len(reference) == 2 * _GROUP else reference


def in_fours(text: str) -> str:
    """In groups of four, as an account number is read."""
    return " ".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def is_reference(text: str) -> bool:
    """Whether a text can be the reference of a request; retailers may have references of their own."""
    return 0 < len(text) <= 20 and text.isascii() and text.isalnum()


def is_short_id(text: str) -> bool:
    """Whether a text can be such an identifier; anything else need not be looked up."""
    return 0 < len(text) <= 16 and set(text) <= set(ALPHABET)
