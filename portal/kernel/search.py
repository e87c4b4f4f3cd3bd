"""Search of customers by staff: the text in which they are found, and what somebody typed.

The text of a customer holds their words one after the other, folded, with a space around each: last name, first name,
prefix, phone number, bikes. What is typed is folded in the same way and has to begin a word.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from portal.kernel import validation
from portal.kernel.address import Country
from portal.kernel.validation import InvalidValue, clean, email_key, is_reference

MAX_SEARCH_TEXT = 600
"""Most characters of the text; PostgreSQL indexes no more than 2,704 bytes."""

_APOSTROPHES = re.compile("['’‘ʼʹ′`´]")
_APART = re.compile(r"[\W_]+")
_LETTERS = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th",
})  # fmt: skip
"""Letters that Unicode does not take apart."""

_PLACE = re.compile(r"([1-9][0-9]{3}\s?[A-Za-z]{0,2}|[0-9]{5})[\s,]+([1-9][0-9]{0,4})(?:\s?[A-Za-z0-9-]{0,6})?")
_PHONE = re.compile(r"[+(]?[0-9][0-9 ()./-]{5,}")
_ABROAD = re.compile(r"\+|00")
_MIN_DIGITS = 6
_MIN = 2
"""Fewest letters of the longest word of a search."""


def folded(text: str) -> str:
    """Small letters without accents: Özlem, özlem and ozlem are the same, and so are Øst and ost."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).translate(_LETTERS)


def _words(text: str) -> list[str]:
    return [word for word in _APART.split(folded(text)) if word]


def search_text(last_name: str, first_name: str, prefix: str, phone: str, bikes: Iterable[str] = ()) -> str:
    """The text in which a customer is found. 'O’Brien-Smit' is found by 'obriensmit', 'obrien', 'brien' and 'smit'."""
    words: dict[str, None] = {}
    for name in (last_name, first_name, prefix):
        for word in name.split():
            plain, parts = _words(_APOSTROPHES.sub("", word)), _words(_APOSTROPHES.sub(" ", word))
            words |= dict.fromkeys(("".join(plain), *plain, *parts))
    words[re.sub(r"\D", "", phone)] = None
    for name in bikes:
        words |= dict.fromkeys(_words(_APOSTROPHES.sub("", name)))
    words.pop("", None)
    return f" {' '.join(words)} "[:MAX_SEARCH_TEXT]


@dataclass(frozen=True, slots=True)
class Search:
    """What a search can mean; empty parts cannot be meant.

    `email`: in the form for comparison.
    `place`: post code in the ways in which it is stored, and house number.
    `phone`: digits as they are stored, or only the end of them where no country was typed.
    `words`: beginnings of words of `search_text`, all of which are meant.
    """

    reference: str = ""
    email: str = ""
    order_number: str = ""
    frame_number: str = ""
    place: tuple[tuple[str, ...], str] | None = None
    phone: str = ""
    words: tuple[str, ...] = ()


def read_search(text: str) -> Search:
    """Read a search as everything that it can be."""
    text = clean(text)
    if "@" in text:
        return Search(email=email_key(text))
    if place := _PLACE.fullmatch(text):
        return Search(place=(_post_codes(place[1]), place[2]))
    joined = text.replace(" ", "").replace("-", "").upper()
    phone, words = _phone(text), _words(_APOSTROPHES.sub("", text))
    return Search(
        reference=joined if is_reference(joined) else "",
        order_number=_valid(validation.order_number, text),
        frame_number=_valid(validation.frame_number, text),
        phone=phone,
        words=tuple(words) if not phone and len(max(words, key=len, default="")) >= _MIN else (),
    )


def _phone(text: str) -> str:
    if not _PHONE.fullmatch(text) or len(digits := re.sub(r"\D", "", text.replace("(0)", ""))) < _MIN_DIGITS:
        return ""
    if not _ABROAD.match(text):
        return digits.removeprefix("0")
    stored = _valid(partial(validation.phone, country=Country.NL), text)
    return stored.removeprefix("+") or digits.removeprefix("00")


def _post_codes(text: str) -> tuple[str, ...]:
    countries = set(Country) - {Country.UNKNOWN}
    found = {_valid(partial(validation.postcode, country=country), text) for country in countries}
    return tuple(sorted(found - {""}))


def _valid(check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except InvalidValue:
        return ""
