"""Search for postcodes and places in the countries of delivery, and distances (part-1 §2 Service).

The data is part of the package; no network is used. The search accepts Dutch and French names, names with and without
accents, and several spellings: 'Luik', "'s-Gravenhage", 'Den Bosch', '3523 AB', 'B-2000'.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from haversine import haversine

from portal.kernel.address import Country
from portal.locations.rules.place_tables import (
    CODE_FORMS,
    PlaceNameEntry,
    Query,
    read,
    spellings,
    table,
)

COUNTRIES: tuple[Country, ...] = (Country.NL, Country.BE, Country.DE, Country.DK, Country.SE, Country.NO)
"""Countries with data, in the order in which a postcode without a country is tried."""

AGREE_KM = 30.0
"""Largest distance in km between a city and one of its postcodes."""

Point = tuple[float, float]
"""Latitude and longitude in degrees (WGS 84)."""


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place on the map.

    `name`: as searched, properly spelled ('Luik'); for a postcode, its place.
    `own_name`: in the local language ('Liège'); usually the same.
    `region`: province, state or county; distinguishes places of the same name.
    `postcode`: as written in its country; empty if the search was for a name.
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
    """Load the tables, so that the first search does not wait for them (about 0.1 s)."""
    table()


def find(text: str, country_hint: Country | None = None) -> MapPlace | None:
    """Find the place for a postcode, a city, or both; None if there is none.

    A country in the text limits the search ('B-2000', 'Bergen, Noorwegen'). Otherwise the hinted country is tried
    first, then the others: a Dutch customer finds Antwerpen, and 'Bergen' is Mons only for a Belgian.
    """
    query = read(text)
    order = _order(query, country_hint)
    if query.code:
        found = list(_by_code(query, order))
        if found:
            return next((place for place in found if _agrees(place, query.name)), found[0])
    return next(iter(_ranked(_named(query, order), order)), None)


def exists(postcode: str, country: Country) -> bool:
    """Whether a postcode is in use. The letters of a Dutch one are not checked.

    The data is complete for homes. German codes of large companies are missing, and new Swedish ones may be.
    """
    return at(postcode, country) is not None


def at(postcode: str, country: Country) -> MapPlace | None:
    """Find the place of a postcode in any spelling; None if it does not exist in this country."""
    query = read(postcode)
    if country not in COUNTRIES or query.country not in {"", country.value} or query.name:
        return None
    return next(_by_code(query, (country,)), None)


def distance_km(one: Point, other: Point) -> float:
    """The great-circle distance in km."""
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
    """Whether the name after a postcode can be that of its place."""
    if not name:
        return True
    return any(
        row.country == place.country and distance_km((row.latitude, row.longitude), place.point) <= AGREE_KM
        for key in spellings(name)
        for row in table().named(key)
    )


def _named(query: Query, order: Iterable[Country]) -> list[PlaceNameEntry]:
    """The places with this name, as typed or with abbreviations written out."""
    wanted = set(order)
    rows: list[PlaceNameEntry] = []
    for key in spellings(query.name):
        rows.extend(row for row in table().named(key) if row.country in wanted)
    return rows


def _ranked(rows: Iterable[PlaceNameEntry], order: tuple[Country, ...]) -> list[MapPlace]:
    """Sort by country (the customer's first, there local names before others), then by size."""
    home = order[0]

    def rank(row: PlaceNameEntry) -> tuple[bool, bool, int, str]:
        at_home = row.country == home
        return not at_home, at_home and row.name != row.own_name, -row.weight, row.region

    return [
        MapPlace(Country(row.country), row.name, row.own_name, row.region, row.latitude, row.longitude)
        for row in sorted(rows, key=rank)
    ]
