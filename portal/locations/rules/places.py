"""Postcodes and places of the countries we deliver to, and how far they lie apart (part-1 §2 Service).

Everything comes from tables that ship with the program; no network is asked. Dutch and French names, accents,
capitals, blanks and old forms all find their place: 'Luik', "'s-Gravenhage", 'Den Bosch', '3523 AB', 'B-2000'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from haversine import haversine

from portal.kernel.address import Country
from portal.locations.rules.place_tables import (
    CODE_FORMS,
    PlaceNameEntry,
    Query,
    folded,
    one_slip,
    read,
    spellings,
    table,
)

COUNTRIES: tuple[Country, ...] = (Country.NL, Country.BE, Country.DE, Country.DK, Country.SE, Country.NO)
"""Countries whose places are known, in the order in which a bare postcode is tried."""

AGREE_KM = 30.0
"""How far the middle of a city may lie from one of its postcodes."""

SHORTEST_START = 3
"""Letters that must be there before names are completed."""

_MOST_COMPLETIONS = 400

Point = tuple[float, float]
"""Latitude and longitude in degrees (WGS 84)."""


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place on the map.

    Attributes:
        name: as it was asked for, properly spelled ('Luik'); for a postcode the place it belongs to.
        own_name: what the place calls itself ('Liège'); mostly the same.
        region: province, state or county; tells two places of one name apart.
        postcode: as it is written in its country, empty when a name was asked for.
    """

    country: Country
    name: str
    own_name: str
    region: str
    latitude: float
    longitude: float
    postcode: str = ""

    @property
    def point(self) -> Point:
        """Latitude and longitude."""
        return self.latitude, self.longitude


def load() -> None:
    """Read the tables now, so that the first customer does not wait for it (about 0.1 s, once)."""
    table()


def find(text: str, country_hint: Country | None = None) -> MapPlace | None:
    """The place a customer means by a postcode, a city, or both.

    A country that is named ('B-2000', 'Bergen, Noorwegen') decides; otherwise the hint comes first and the other
    countries follow, so that a customer in Breda finds Antwerpen and 'Bergen' is Mons only for a Belgian.

    Args:
        text: as typed.
        country_hint: where the customer lives.
    """
    query = read(text)
    order = _order(query, country_hint)
    if query.code:
        found = list(_by_code(query, order))
        if found:
            return next((place for place in found if _agrees(place, query.name)), found[0])
    return next(iter(_ranked(_named(query, order), order)), None)


def suggestions(text: str, country_hint: Country | None = None, limit: int = 5) -> list[MapPlace]:
    """What a customer may have meant: places of that name, names that begin so, names one slip away.

    Args:
        text: as typed, perhaps not finished.
        country_hint: where the customer lives; its places come first.
        limit: how many at most.
    """
    query = read(text)
    order = _order(query, country_hint)
    found: dict[tuple[Country, str, str], MapPlace] = {}
    for step in (_by_code(query, order), _exact(query, order), _completed(query, order), _corrected(query, order)):
        for place in step:
            found.setdefault((place.country, place.own_name + place.postcode, place.region), place)
        if len(found) >= limit:
            break
    return list(found.values())[:limit]


def exists(postcode: str, country: Country) -> bool:
    """Whether a postcode is in use; the letters of a Dutch one are not known and not looked at.

    Complete for homes in all our countries; German codes of large receivers are missing, new Swedish ones may be.
    """
    return at(postcode, country) is not None


def at(postcode: str, country: Country) -> MapPlace | None:
    """Where a postcode of one country lies, however it is written; none when it does not exist."""
    query = read(postcode)
    if country not in COUNTRIES or query.country not in {"", country.value} or query.name:
        return None
    return next(_by_code(query, (country,)), None)


def distance_km(one: Point, other: Point) -> float:
    """Kilometres as the crow flies."""
    return haversine(one, other)


def _order(query: Query, hint: Country | None) -> tuple[Country, ...]:
    if query.country:
        return (Country(query.country),)
    return tuple(sorted(COUNTRIES, key=lambda country: country != hint))


def _by_code(query: Query, order: Iterable[Country]) -> Iterator[MapPlace]:
    for country in order if query.code else ():
        row = table().code(country, query.code) if CODE_FORMS[country].fullmatch(query.code) else None
        if row:
            code = _written(query, country)
            yield MapPlace(country, row.name, row.name, row.region, row.latitude, row.longitude, code)


def _written(query: Query, country: Country) -> str:
    if country is Country.NL and query.letters:
        return f"{query.code} {query.letters}"
    return f"{query.code[:3]} {query.code[3:]}" if country is Country.SE else query.code


def _agrees(place: MapPlace, name: str) -> bool:
    """Whether the name beside a code can be that of its place."""
    if not name:
        return True
    return any(
        row.country == place.country and distance_km((row.latitude, row.longitude), place.point) <= AGREE_KM
        for key in spellings(name)
        for row in table().named(key)
    )


def _named(query: Query, order: Iterable[Country]) -> list[PlaceNameEntry]:
    """The places that bear the name, as typed or with its abbreviations written out."""
    wanted = set(order)
    rows: list[PlaceNameEntry] = []
    for key in spellings(query.name):
        rows.extend(row for row in table().named(key) if row.country in wanted)
    return rows


def _exact(query: Query, order: tuple[Country, ...]) -> Iterator[MapPlace]:
    yield from _ranked(_named(query, order), order)


def _completed(query: Query, order: tuple[Country, ...]) -> Iterator[MapPlace]:
    start = folded(query.name)
    if len(start) >= SHORTEST_START:
        rows = islice(table().beginning(start), _MOST_COMPLETIONS)
        yield from _ranked((row for row in rows if row.country in order), order)


def _corrected(query: Query, order: tuple[Country, ...]) -> Iterator[MapPlace]:
    name = folded(query.name)
    if len(name) > SHORTEST_START:
        rows = [row for key in sorted(set(one_slip(name))) for row in table().named(key)]
        yield from _ranked((replace(row, name=row.own_name) for row in rows if row.country in order), order)


def _ranked(rows: Iterable[PlaceNameEntry], order: tuple[Country, ...]) -> list[MapPlace]:
    """The customer's own country first, there a place's own name before a foreign one; then the largest."""
    home = order[0]

    def rank(row: PlaceNameEntry) -> tuple[bool, bool, int, str]:
        at_home = row.country == home
        return not at_home, at_home and row.name != row.own_name, -row.weight, row.region

    return [
        MapPlace(Country(row.country), row.name, row.own_name, row.region, row.latitude, row.longitude)
        for row in sorted(rows, key=rank)
    ]
