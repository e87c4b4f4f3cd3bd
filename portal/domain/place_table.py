"""The tables of postcodes and places, in memory. Loaded once, at first use, from portal/domain/data.

Rows stay text, in the order of the file, and are found by halving: nothing has to be built before the first search.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class CodeRow:
    """Where a postcode lies."""

    name: str
    region: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class NameRow:
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


class Table:
    """Postcodes by country, and places by their folded names."""

    def __init__(self, codes: str, names: str) -> None:
        """Take both tables as the text of the files, their rows in order."""
        self._codes = codes.splitlines()[1:]
        self._names = names.splitlines()[1:]

    def code(self, country: str, code: str) -> CodeRow | None:
        """The row of a postcode, given in digits."""
        start = f"{country},{code},"
        for line in _from(self._codes, start):
            name, region, latitude, longitude = line.removeprefix(start).split(",")
            return CodeRow(name, region, float(latitude), float(longitude))
        return None

    def named(self, key: str) -> list[NameRow]:
        """All places with a folded name, in any country."""
        return [_row(line) for line in _from(self._names, f"{key},")]

    def beginning(self, start: str) -> Iterator[NameRow]:
        """All places whose folded names begin like this, in alphabetical order."""
        return map(_row, _from(self._names, start))


@lru_cache(maxsize=1)
def table() -> Table:
    """The tables that come with the program."""
    return Table(_text("places.csv.gz"), _text("place_names.csv.gz"))


def _from(lines: list[str], start: str) -> Iterator[str]:
    """The lines that begin like this; they stand together."""
    for position in range(bisect_left(lines, start), len(lines)):
        if not lines[position].startswith(start):
            return
        yield lines[position]


def _row(line: str) -> NameRow:
    key, country, name, own_name, region, latitude, longitude, weight = line.split(",")
    return NameRow(key, country, name, own_name, region, float(latitude), float(longitude), int(weight))


def _text(name: str) -> str:
    return gzip.decompress((_DATA / name).read_bytes()).decode()
