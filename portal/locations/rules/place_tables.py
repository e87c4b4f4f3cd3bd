"""The tables of postcodes and places, loaded once at first use, and what a customer may type for a place.

Rows stay text, in the order of the file, and are found by halving: nothing has to be built before the first search.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from portal.kernel.validation import clean

_DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True, slots=True)
class PostcodeEntry:
    """Where a postcode lies."""

    name: str
    region: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class PlaceNameEntry:
    """A place under one of its names.

    Attributes:
        key: the folded name.
        name: that name, properly spelled.
        own_name: what the place calls itself.
        weight: inhabitants, about.
    """

    key: str
    country: str
    name: str
    own_name: str
    region: str
    latitude: float
    longitude: float
    weight: int


class PlaceTable:
    """Postcodes by country, and places by their folded names."""

    def __init__(self, codes: str, names: str) -> None:
        """Take both tables as the text of the files, their rows in order."""
        self._codes = codes.splitlines()[1:]
        self._names = names.splitlines()[1:]

    def code(self, country: str, code: str) -> PostcodeEntry | None:
        """The row of a postcode, given in digits."""
        start = f"{country},{code},"
        for line in _from(self._codes, start):
            name, region, latitude, longitude = line.removeprefix(start).split(",")
            return PostcodeEntry(name, region, float(latitude), float(longitude))
        return None

    def named(self, key: str) -> list[PlaceNameEntry]:
        """All places with a folded name, in any country."""
        return [_row(line) for line in _from(self._names, f"{key},")]

    def beginning(self, start: str) -> Iterator[PlaceNameEntry]:
        """All places whose folded names begin like this, in alphabetical order."""
        return map(_row, _from(self._names, start))


@lru_cache(maxsize=1)
def table() -> PlaceTable:
    """The tables that come with the program."""
    return PlaceTable(_text("places.csv.gz"), _text("place_names.csv.gz"))


def _from(lines: list[str], start: str) -> Iterator[str]:
    """The lines that begin like this; they stand together."""
    for position in range(bisect_left(lines, start), len(lines)):
        if not lines[position].startswith(start):
            return
        yield lines[position]


def _row(line: str) -> PlaceNameEntry:
    key, country, name, own_name, region, latitude, longitude, weight = line.split(",")
    return PlaceNameEntry(key, country, name, own_name, region, float(latitude), float(longitude), int(weight))


def _text(name: str) -> str:
    return gzip.decompress((_DATA / name).read_bytes()).decode()


LONGEST = 80
"""Characters of a search; nothing longer names a place."""

CODE_FORMS: dict[str, re.Pattern[str]] = {
    "NL": re.compile(r"[1-9]\d{3}"),
    "BE": re.compile(r"[1-9]\d{3}"),
    "DE": re.compile(r"\d{5}"),
    "DK": re.compile(r"[1-9]\d{3}"),
    "SE": re.compile(r"\d{5}"),
    "NO": re.compile(r"\d{4}"),
}
"""Form of a postcode as the table keeps it: digits only. Of a Dutch one the four digits place it."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"

_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})

_PREFIXES = {"NL": "NL", "B": "BE", "BE": "BE", "D": "DE", "DE": "DE", "DK": "DK", "S": "SE", "SE": "SE", "N": "NO"}

_PREFIXES["NO"] = "NO"

_COUNTRIES: dict[str, str] = {
    **dict.fromkeys(("nl", "nederland", "netherlands", "thenetherlands", "holland", "paysbas"), "NL"),
    **dict.fromkeys(("be", "belgie", "belgium", "belgique", "belgien"), "BE"),
    **dict.fromkeys(("de", "duitsland", "germany", "deutschland", "allemagne"), "DE"),
    **dict.fromkeys(("dk", "denemarken", "denmark", "danmark"), "DK"),
    **dict.fromkeys(("se", "zweden", "sweden", "sverige"), "SE"),
    **dict.fromkeys(("no", "noorwegen", "norway", "norge"), "NO"),
}

_DUTCH = re.compile(r"([1-9]\d{3})\s*((?!SA|SD|SS)[A-Z]{2})(?![A-Z])(.*)", re.IGNORECASE)

_SWEDISH = re.compile(r"(\d{3})\s(\d{2})(?!\d)(.*)")

_DIGITS = re.compile(r"(\d{4,5})(?!\d)(.*)")

_PREFIX = re.compile(r"([A-Za-z]{1,2})\s*-?\s*(?=\d)(.*)")

_TRAILING = re.compile(r"(.+?)(?:,\s*([^,()]+)|\s*\(([^()]+)\))\s*")

_ABBREVIATIONS = (
    (re.compile(r"\b(?:a\s*/\s*d|a\.d\.)\s*", re.IGNORECASE), ("aan den ", "aan de ")),
    (re.compile(r"\b(?:st|st\.)[\s-]+", re.IGNORECASE), ("sint ", "saint ", "sankt ")),
    (re.compile(r"\b(?:ste|ste\.)[\s-]+", re.IGNORECASE), ("sainte ",)),
)


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, taken apart.

    Attributes:
        code: postcode in digits, empty without one.
        letters: the letters of a Dutch postcode.
        name: what stands beside the code, or all of it.
        country: a country that was named, which then is the only one.
    """

    code: str
    letters: str
    name: str
    country: str


def folded(name: str) -> str:
    """The form in which names are compared: small letters and digits only, without accents."""
    parts = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    return "".join(sign for sign in parts if sign.isalnum() and sign.isascii())


def read(text: str) -> Query:
    """Take a search apart. Whatever is typed, nothing is refused here."""
    rest, country = _country(clean(text[: LONGEST * 2])[:LONGEST].strip(" ,.;"))
    prefix = _PREFIX.fullmatch(rest)
    if prefix and prefix[1].upper() in _PREFIXES:
        country, rest = _PREFIXES[prefix[1].upper()], prefix[2]
    # 'De' in '1793 De Waal' is the beginning of a name; letters of a postcode are written alike.
    if country in {"", "NL"} and (dutch := _DUTCH.fullmatch(rest)) and not dutch[2].istitle():
        return Query(dutch[1], dutch[2].upper(), dutch[3].strip(" ,"), "NL")
    if country in {"", "SE"} and (swedish := _SWEDISH.fullmatch(rest)):
        return Query(swedish[1] + swedish[2], "", swedish[3].strip(" ,"), "SE")
    if digits := _DIGITS.fullmatch(rest):
        return Query(digits[1], "", digits[2].strip(" ,"), country)
    return Query("", "", rest, country)


def one_slip(name: str) -> Iterator[str]:
    """Every text that one missing, doubled, wrong or swapped letter turns into a folded name."""
    for position in range(len(name) + 1):
        head, tail = name[:position], name[position:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in _ALPHABET:
            yield head + letter + tail
            yield head + letter + tail[1:]


def spellings(name: str) -> list[str]:
    """The folded forms a name may stand under: as typed, then with abbreviations written out."""
    forms = [name]
    for short, longs in _ABBREVIATIONS:
        forms.extend([short.sub(long, form) for form in tuple(forms) if short.search(form) for long in longs])
    return [key for key in dict.fromkeys(folded(form) for form in forms) if key]


def _country(text: str) -> tuple[str, str]:
    """A country named at the end, as in 'Bergen, Noorwegen' and 'Bergen (BE)'."""
    ending = _TRAILING.fullmatch(text)
    if ending:
        country = _COUNTRIES.get(folded(ending[2] or ending[3]), "")
        if country:
            return ending[1].strip(), country
    return text, ""
