"""Places by name: villages of the postal table and towns with their names in other languages, put together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any

from portal.locations.rules.place_tables import CODE_FORMS, folded
from portal.locations.rules.places import distance_km
from tools.place_codes import Chosen, PostalRow

SAME_KM = 12.0
"""Two places of one name closer together than this are one."""

CODE_WEIGHT = 100
"""Inhabitants that one postcode stands for where nobody counted them."""

MANY = 100_000
"""From so many inhabitants on, a place outside the Netherlands and Belgium gets its names in other languages."""

FAMOUS = 10
"""A name in another language goes to the place that really bears it when that one is so many times larger: a Dutch
customer who types Gent does not mean Gendt."""

_ALSO = {("BE", "Beveren-Waas"): "Beveren"}
"""Names that neither source knows."""

_HOME = frozenset({"NL", "BE"})
_LATIN = re.compile(r"'?[A-ZÀ-ÖØ-Þ][A-Za-zÀ-ÖØ-öø-žſƀ-ɏ'’ .-]{2,38}")
_CODE = re.compile(r"[A-Z]{2,4}")


@dataclass(slots=True, eq=False)
class Town:
    """A place.

    Attributes:
        weight: inhabitants, or a guess from the number of postcodes.
        keys: folded forms of its own names.
        other: folded form and spelling of its names in other languages.
    """

    country: str
    name: str
    region: str
    latitude: float
    longitude: float
    weight: int
    keys: set[str] = field(default_factory=set)
    other: dict[str, str] = field(default_factory=dict)

    @property
    def point(self) -> tuple[float, float]:
        """Latitude and longitude."""
        return self.latitude, self.longitude


def towns(rows: list[PostalRow], cities: dict[str, dict[str, Any]], codes: dict[tuple[str, str], Chosen]) -> list[Town]:
    """All places of both sources, each once."""
    found = [_town(city) for city in cities.values() if city["countrycode"] in CODE_FORMS]
    by_name: dict[tuple[str, str], list[Town]] = defaultdict(list)
    for town in found:
        for key in town.keys | town.other.keys():
            by_name[town.country, key].append(town)
    for place in _villages(rows):
        same = [town for town in by_name[place.country, folded(place.name)] if _same(town, place)]
        if same:
            _join(max(same, key=lambda town: town.weight), place)
        else:
            found.append(place)
    for town in found:
        if (town.country, town.name) in _ALSO:
            town.keys.add(folded(_ALSO[town.country, town.name]))
    _municipalities(rows, found)
    _regions(found, codes)
    _settle(found)
    return found


def _town(city: dict[str, Any]) -> Town:
    town = Town(
        country=city["countrycode"],
        name=_plain(city["name"]),
        region="",
        latitude=city["latitude"],
        longitude=city["longitude"],
        weight=city["population"],
        keys={folded(city["name"])},
    )
    for name in sorted(city["alternatenames"]):
        key = folded(name)
        # Of two spellings the plain one: the French write Anvers and not, as others do, Anvèrs.
        if _foreign(name) and key not in town.keys and (key not in town.other or name.isascii()):
            town.other[key] = _plain(name)
    return town


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[,|:\"]", " ", name.replace("’", "'")).split())


def _foreign(name: str) -> bool:
    """Whether it is a name in Latin letters: no other script, no transcription of one, no code."""
    return bool(_LATIN.fullmatch(name)) and not _CODE.fullmatch(name)


def _villages(rows: list[PostalRow]) -> list[Town]:
    """The postal rows put together to places: one name, one neighbourhood."""
    by_name: dict[tuple[str, str], list[PostalRow]] = defaultdict(list)
    for row in rows:
        by_name[row.country, row.name].append(row)
    found = []
    for (country, name), same in sorted(by_name.items()):
        clusters: list[list[PostalRow]] = []
        for row in sorted(same, key=lambda row: row.code):
            for cluster in clusters:
                if any(_near(row, other) for other in cluster):
                    cluster.append(row)
                    break
            else:
                clusters.append([row])
        found.extend(_village(country, name, cluster) for cluster in clusters)
    return found


def _village(country: str, name: str, rows: list[PostalRow]) -> Town:
    middle = sorted(rows, key=lambda row: row.latitude)[len(rows) // 2]
    return Town(
        country=country,
        name=_plain(name),
        region=middle.region,
        latitude=middle.latitude,
        longitude=middle.longitude,
        weight=CODE_WEIGHT * len({row.code for row in rows}),
        keys={folded(name), *(folded(row.full_name) for row in rows)},
    )


def _near(one: PostalRow, other: PostalRow) -> bool:
    return distance_km((one.latitude, one.longitude), (other.latitude, other.longitude)) <= SAME_KM


def _same(town: Town, place: Town) -> bool:
    return distance_km(town.point, place.point) <= SAME_KM


def _join(town: Town, place: Town) -> None:
    """The postal name is the local one; the town knows its middle and its inhabitants."""
    former, key = town.name, folded(town.name)
    keep = {key: former} if former != place.name and key not in place.keys else {}
    if town.region:
        # A second village of the same town: only one more name.
        town.keys |= place.keys
    else:
        town.name, town.region = place.name, place.region
        town.keys = set(place.keys)
        town.other |= keep
    town.weight = max(town.weight, place.weight)
    for taken in town.keys:
        town.other.pop(taken, None)


def _municipalities(rows: list[PostalRow], found: list[Town]) -> None:
    """A municipality that is no place itself stands for its largest one: Haarlemmermeer for Hoofddorp."""
    by_key: dict[tuple[str, str], list[Town]] = defaultdict(list)
    for town in found:
        for key in town.keys:
            by_key[town.country, key].append(town)
    places: dict[tuple[str, str], dict[Town, None]] = defaultdict(dict)
    for row in rows:
        if row.municipality and (row.country, folded(row.municipality)) not in by_key:
            point = row.latitude, row.longitude
            near = (t for t in by_key[row.country, folded(row.name)] if distance_km(t.point, point) <= SAME_KM)
            places[row.country, row.municipality].update(dict.fromkeys(near))
    for (_, municipality), candidates in places.items():
        if candidates:
            largest = max(candidates, key=lambda town: town.weight)
            largest.other[folded(municipality)] = municipality


def _regions(found: list[Town], codes: dict[tuple[str, str], Chosen]) -> None:
    """A town without a postal row of its name lies in the province of the nearest code."""
    cells: dict[tuple[str, int, int], list[Chosen]] = defaultdict(list)
    for row in codes.values():
        cells[row.country, int(row.latitude * 4), int(row.longitude * 4)].append(row)
    for town in found:
        if town.region:
            continue
        north, east = int(town.latitude * 4), int(town.longitude * 4)
        near = [row for n in (-1, 0, 1) for e in (-1, 0, 1) for row in cells[town.country, north + n, east + e]]
        if near:
            town.region = min(near, key=lambda row: distance_km(town.point, (row.latitude, row.longitude))).region


def _corrections(name: str) -> Iterator[str]:
    """Yield every name that differs by one extra, missing, wrong or swapped letter."""
    for position in range(len(name) + 1):
        head, tail = name[:position], name[position:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in ascii_lowercase:
            yield head + letter + tail
            yield head + letter + tail[1:]


def _settle(found: list[Town]) -> None:
    """Take away names in other languages that would mislead."""
    largest: dict[str, int] = defaultdict(int)
    for town in found:
        for key in town.keys:
            largest[key] = max(largest[key], town.weight)
    for town in found:
        if town.country not in _HOME and town.weight < MANY:
            town.other.clear()
        town.other = {key: name for key, name in town.other.items() if largest[key] < FAMOUS * max(1, town.weight)}
        # Roterdam is Rotterdam misspelled rather than in another language.
        slips = {slip for key in town.keys for slip in _corrections(key)} if town.other else set()
        town.keys |= town.other.keys() & slips
        town.other = {key: name for key, name in town.other.items() if key not in slips}
