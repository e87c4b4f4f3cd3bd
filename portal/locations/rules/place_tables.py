"""Tables of postcodes and places, and the parser of a search text.

The tables are loaded at first use. Rows stay text in the sorted order of the file and are found by binary search, so no
index has to be built.
"""

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
    """Place and position of a postcode."""

    name: str
    region: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class PlaceNameEntry:
    """A place under one of its names, normalised as `key`; `weight` is its approximate number of inhabitants."""

    key: str
    country: str
    name: str
    own_name: str
    region: str
    latitude: float
    longitude: float
    weight: int


class PlaceTable:
    """Lookup of postcodes by country and of places by normalised name."""

    def __init__(self, codes: str, names: str) -> None:
        self._codes = codes.splitlines()[1:]
        self._names = names.splitlines()[1:]

    def code(self, country: str, code: str) -> PostcodeEntry | None:
        """The entry of a postcode given in digits; None if there is none."""
        start = f"{country},{code},"
        for line in _from(self._codes, start):
            name, region, latitude, longitude = line.removeprefix(start).split(",")
            return PostcodeEntry(name, region, float(latitude), float(longitude))
        return None

    def named(self, key: str) -> list[PlaceNameEntry]:
        """All places with a normalised name, in any country."""
        return [_row(line) for line in _from(self._names, f"{key},")]

    def beginning(self, start: str) -> Iterator[PlaceNameEntry]:
        """All places whose normalised names have this prefix, in alphabetical order."""
        return map(_row, _from(self._names, start))


@lru_cache(maxsize=1)
def table() -> PlaceTable:
    """Load the tables that are part of the package."""
    return PlaceTable(_text("places.csv.gz"), _text("place_names.csv.gz"))


def _from(lines: list[str], start: str) -> Iterator[str]:
    """The lines with this prefix; they are adjacent because the lines are sorted."""
    for position in range(bisect_left(lines, start), len(lines)):
        if not lines[position].startswith(start):
            return
        yield lines[position]


def _row(line: str) -> PlaceNameEntry:
    key, country, name, own_name, region, latitude, longitude, weight = line.split(",")
    return PlaceNameEntry(key, country, name, own_name, region, float(latitude), float(longitude), int(weight))


def _text(name: str) -> str:
    return gzip.decompress((_DATA / name).read_bytes()).decode()


MAX_TEXT = 80
"""Characters of a search text; the rest is ignored."""

CODE_FORMS: dict[str, re.Pattern[str]] = {
    "NL": re.compile(r"[1-9]\d{3}"),
    "BE": re.compile(r"[1-9]\d{3}"),
    "DE": re.compile(r"\d{5}"),
    "DK": re.compile(r"[1-9]\d{3}"),
    "SE": re.compile(r"\d{5}"),
    "NO": re.compile(r"\d{4}"),
}
"""Pattern of a postcode in the table: digits only, for a Dutch one without its letters."""

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
    """A parsed search text.

    `code`: postcode in digits, empty without one.
    `letters`: the letters of a Dutch postcode.
    `name`: the text after the code, or the whole text without a code.
    `country`: the country given in the text; the search is then limited to it.
    """

    code: str
    letters: str
    name: str
    country: str


def folded(name: str) -> str:
    """Normalise a name for comparison: lower-case ASCII letters and digits only."""
    parts = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    return "".join(character for character in parts if character.isalnum() and character.isascii())


def read(text: str) -> Query:
    """Parse a search text. Any text is accepted."""
    rest, country = _country(clean(text[: MAX_TEXT * 2])[:MAX_TEXT].strip(" ,.;"))
    prefix = _PREFIX.fullmatch(rest)
    if prefix and prefix[1].upper() in _PREFIXES:
        country, rest = _PREFIXES[prefix[1].upper()], prefix[2]
    # 'De' in '1793 De Waal' starts a name: both letters of a postcode have the same case.
    if country in {"", "NL"} and (dutch := _DUTCH.fullmatch(rest)) and not dutch[2].istitle():
        return Query(dutch[1], dutch[2].upper(), dutch[3].strip(" ,"), "NL")
    if country in {"", "SE"} and (swedish := _SWEDISH.fullmatch(rest)):
        return Query(swedish[1] + swedish[2], "", swedish[3].strip(" ,"), "SE")
    if digits := _DIGITS.fullmatch(rest):
        return Query(digits[1], "", digits[2].strip(" ,"), country)
    return Query("", "", rest, country)


def spellings(name: str) -> list[str]:
    """The normalised forms of a name: as typed, then with abbreviations written out."""
    forms = [name]
    for short, longs in _ABBREVIATIONS:
        forms.extend([short.sub(long, form) for form in tuple(forms) if short.search(form) for long in longs])
    return [key for key in dict.fromkeys(folded(form) for form in forms) if key]


def _country(text: str) -> tuple[str, str]:
    """Split off a country at the end, as in 'Bergen, Noorwegen' and 'Bergen (BE)'."""
    ending = _TRAILING.fullmatch(text)
    if ending:
        country = _COUNTRIES.get(folded(ending[2] or ending[3]), "")
        if country:
            return ending[1].strip(), country
    return text, ""
