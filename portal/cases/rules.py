"""What staff typed into the search field: a search is read as everything that it can be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.validation import InvalidValue, email_key, is_reference, search_words

_PLACE = re.compile(r"([1-9][0-9]{3}\s?[A-Za-z]{0,2}|[0-9]{5})[\s,]+([1-9][0-9]{0,4})(?:\s?[A-Za-z0-9-]{0,6})?")
_MIN = 2
"""Fewest letters of the beginning of a name."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search can mean; empty parts cannot be meant.

    `email`: in the form for comparison.
    `place`: post code in the ways in which it is stored, and house number.
    `names`: beginnings of names, as `search_words` writes them.
    """

    reference: str = ""
    email: str = ""
    order_number: str = ""
    frame_number: str = ""
    place: tuple[tuple[str, ...], str] | None = None
    names: tuple[str, ...] = ()


def read_search(text: str) -> Search:
    """Read a search."""
    text = " ".join(text.split())
    if "@" in text:
        return Search(email=email_key(text))
    if place := _PLACE.fullmatch(text):
        return Search(place=(_post_codes(place[1]), place[2]))
    joined = text.replace(" ", "").replace("-", "").upper()
    words = search_words(text)
    return Search(
        reference=joined if is_reference(joined) else "",
        order_number=_valid(validation.order_number, text),
        frame_number=_valid(validation.frame_number, text),
        names=tuple(words) if words and all(_is_name(word) for word in words) else (),
    )


def _is_name(word: str) -> bool:
    return len(word) >= _MIN and all(sign.isalpha() or sign in "'-." for sign in word)


def _post_codes(text: str) -> tuple[str, ...]:
    countries = set(Country) - {Country.UNKNOWN}
    found = {_valid(partial(validation.postcode, country=country), text) for country in countries}
    return tuple(sorted(found - {""}))


def _valid(check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except InvalidValue:
        return ""
