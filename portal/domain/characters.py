"""Longer texts, counted as a person counts them: an emoji or an accented letter is one character (part-1 §5)."""

from __future__ import annotations

import unicodedata

import regex

LONGEST_TEXT = 4000
"""Code points of one text at most, whatever they look like together."""
_CHARACTER = regex.compile(r"\X")
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They would let a text look different from what it is."""
_FIRST_COMBINING = "\u0300"


def count_characters(text: str) -> int:
    """How many characters a person sees (extended grapheme clusters, Unicode UAX 29)."""
    plain = text.isascii() or max(text) < _FIRST_COMBINING
    if plain and "\r" not in text:
        return len(text)  # below the first combining mark, a code point is a character
    return sum(1 for _ in _CHARACTER.finditer(text))


def tidy_text(text: str) -> str:
    """A text of several lines in its normal form: NFC, line feeds only, nothing invisible but joiners, trimmed."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if lines.isprintable():
        return lines.strip()
    return "".join(sign for sign in lines if _is_kept(sign)).strip()


def _is_kept(sign: str) -> bool:
    return sign == "\n" or (unicodedata.category(sign) not in {"Cc", "Cs", "Co", "Cn"} and sign not in _DIRECTIONS)
