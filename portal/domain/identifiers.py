"""Identifiers that customers see: short, unguessable, easy to read aloud."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPRSTUVWXY"
"""No I, O, Q, Z, 0 or 1: they are read wrong."""


def short_id(length: int = 10) -> str:
    """A random identifier; ten signs of this alphabet hold 49 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def is_short_id(text: str) -> bool:
    """Whether a text can be such an identifier; anything else need not be looked up."""
    return 0 < len(text) <= 16 and set(text) <= set(ALPHABET)
