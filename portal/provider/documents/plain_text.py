"""Makes foreign text printable: only signs that the fonts of the documents can show, in lines that can break."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent / "fonts"
LONGEST = 400
"""Characters of one text; what is longer ends in an ellipsis."""
LONGEST_STORY = 4000
"""Likewise of a `Long` one."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_BREAK = "\N{ZERO WIDTH SPACE}"
_LONG_WORD = re.compile(r"[^ ]{25,}")
_SYLLABLE = re.compile(r".{6}(?=.)")


class Long(str):
    """A customer's own story: it may be as long as the fields for it allow, and flows over pages."""

    __slots__ = ()


class Exact(str):
    """Made by us and shown sign for sign: a picture as SVG, an account number, an e-mail address to copy."""

    __slots__ = ()


def cleaned(value: object) -> object:
    """The same data with every text made printable; what is exact and numbers stay as they are."""
    if isinstance(value, Exact):
        return value
    if isinstance(value, str):
        return plain(value, LONGEST_STORY if isinstance(value, Long) else LONGEST)
    if isinstance(value, Mapping):
        return {key: cleaned(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(part) for part in value]
    return value


def plain(text: str, longest: int = LONGEST) -> str:
    """A text that can be printed and cannot do harm.

    Control, direction and invisible signs go: they could turn the text around them. Pictures such as emoji go too;
    a letter that no font of ours has becomes U+FFFD, so that its absence is seen. Runs of white space become one
    space. Words of more than 24 characters, which no column is sure to hold, may break at every sixth.
    """
    signs = (_printable(sign) for sign in unicodedata.normalize("NFC", text))
    joined = re.sub(r"\s{2,}|[\t\n\r\f\v\x85\u2028\u2029]", " ", "".join(signs)).strip()
    if len(joined) > longest:
        joined = joined[: longest - 1].rstrip() + "…"
    return _LONG_WORD.sub(lambda word: _SYLLABLE.sub(lambda part: part.group() + _BREAK, word.group()), joined)


def _printable(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign.isspace():
        return sign if ord(sign) in coverage() else " "
    if category[0] == "C":
        return ""
    if ord(sign) in coverage():
        return sign
    simpler = unicodedata.normalize("NFKC", sign)
    if simpler != sign and all(ord(part) in coverage() for part in simpler):
        return simpler
    return "" if category in ("So", "Sk") or category[0] == "M" else _UNKNOWN


@cache
def coverage() -> frozenset[int]:
    """Code points that at least one of our fonts can show."""
    points: set[int] = set()
    for path in FONTS.glob("*.ttf"):
        with TTFont(path, lazy=True) as font:
            points.update(font.getBestCmap() or {})
    return frozenset(points)
