"""Postcodes and places, as customers write them."""

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.kernel.address import Country
from portal.locations.rules import place_tables, places
from portal.locations.rules.place_tables import folded, read
from portal.locations.rules.places import MapPlace, at, distance_km, exists, find

DATA = Path(place_tables.__file__).parents[1] / "data"
NL, BE, DE, DK, SE, NO = Country.NL, Country.BE, Country.DE, Country.DK, Country.SE, Country.NO


def rows(name: str) -> list[dict[str, str]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


CODES = rows("places.csv.gz")
NAMES = rows("place_names.csv.gz")
BY_KEY: dict[str, list[dict[str, str]]] = defaultdict(list)

for _row in NAMES:
    BY_KEY[_row["key"]].append(_row)

ANY_CODE = st.sampled_from(CODES)
ANY_NAME = st.sampled_from(NAMES)


def found(text: str, hint: Country | None = NL) -> MapPlace:
    place = find(text, hint)
    assert place, text
    return place


def near(place: MapPlace, latitude: float, longitude: float, within: float = 5) -> bool:
    return distance_km(place.point, (latitude, longitude)) <= within


@pytest.mark.parametrize(
    ("text", "hint", "country", "own_name", "point"),
    [
        # Codes whose rows in the source lie far apart, or at the wrong place.
        ("3523", NL, NL, "Utrecht", (52.072, 5.124)),
        ("9999", NL, NL, "Kantens", (53.355, 6.60)),
        ("3062", NL, NL, "Rotterdam", (51.92, 4.53)),
        ("6431", NL, NL, "Hoensbroek", (50.92, 5.93)),
        # Names in Dutch, French and English, old and short ones.
        ("Brussel", BE, BE, "Brussel", (50.850, 4.349)),
        ("Bruxelles", BE, BE, "Brussel", (50.850, 4.349)),
        ("Brussels", NL, BE, "Brussel", (50.850, 4.349)),
        ("Luik", NL, BE, "Liège", (50.634, 5.567)),
        ("Namen", BE, BE, "Namur", (50.467, 4.867)),
        ("Doornik", NL, BE, "Tournai", (50.607, 3.389)),
        ("Anvers", BE, BE, "Antwerpen", (51.220, 4.400)),
        ("Gand", BE, BE, "Gent", (51.05, 3.717)),
        ("Ixelles", BE, BE, "Elsene", (50.833, 4.367)),
        ("Elsene", BE, BE, "Elsene", (50.833, 4.367)),
        ("Den Bosch", NL, NL, "'s-Hertogenbosch", (51.699, 5.304)),
        ("'s-Hertogenbosch", NL, NL, "'s-Hertogenbosch", (51.699, 5.304)),
        ("’s hertogenbosch", NL, NL, "'s-Hertogenbosch", (51.699, 5.304)),
        ("Den Haag", NL, NL, "Den Haag", (52.077, 4.299)),
        ("'s-Gravenhage", NL, NL, "Den Haag", (52.077, 4.299)),
        ("s Gravenhage", NL, NL, "Den Haag", (52.077, 4.299)),
        ("The Hague", None, NL, "Den Haag", (52.077, 4.299)),
        ("Ljouwert", NL, NL, "Leeuwarden", (53.203, 5.810)),
        ("Haarlemmermeer", NL, NL, "Hoofddorp", (52.303, 4.689)),
        ("Alphen a/d Rijn", NL, NL, "Alphen aan den Rijn", (52.129, 4.655)),
        ("St-Niklaas", BE, BE, "Sint-Niklaas", (51.165, 4.144)),
        ("St. Truiden", BE, BE, "Sint-Truiden", (50.817, 5.186)),
        ("Beveren", BE, BE, "Beveren-Waas", (51.212, 4.256)),
        ("ĲMUIDEN", NL, NL, "IJmuiden", (52.460, 4.610)),
        ("Aken", NL, DE, "Aachen", (50.777, 6.083)),
        ("Keulen", NL, DE, "Köln", (50.933, 6.950)),
        ("malmo", SE, SE, "Malmö", (55.606, 13.001)),
        ("Ålesund", NO, NO, "Ålesund", (62.472, 6.154)),
        # Which Bergen it is depends on the country of the customer.
        ("Bergen", NL, NL, "Bergen", (52.669, 4.704)),
        ("Bergen", BE, BE, "Mons", (50.454, 3.952)),
        ("Bergen", NO, NO, "Bergen", (60.393, 5.324)),
        ("Bergen, Noorwegen", NL, NO, "Bergen", (60.393, 5.324)),
        ("Bergen (BE)", NL, BE, "Mons", (50.454, 3.952)),
        # A Dutch customer who types Gent does not mean Gendt.
        ("Gent", NL, BE, "Gent", (51.05, 3.717)),
        ("Gendt", BE, NL, "Gendt", (51.878, 5.971)),
    ],
)  # fmt: skip
def test_names_are_found_in_every_spelling(
    text: str, hint: Country | None, country: Country, own_name: str, point: tuple[float, float]
) -> None:
    place = found(text, hint)
    assert (place.country, place.own_name) == (country, own_name)
    assert near(place, *point)


@pytest.mark.parametrize(
    ("text", "hint", "country", "postcode", "name"),
    [
        ("3523 AB", BE, NL, "3523 AB", "Utrecht"),
        ("3523ab", NL, NL, "3523 AB", "Utrecht"),
        ("NL-3523 AB", NL, NL, "3523 AB", "Utrecht"),
        ("3523 Utrecht", BE, NL, "3523", "Utrecht"),
        ("1011 Amsterdam", BE, NL, "1011", "Amsterdam"),
        ("2000", NL, BE, "2000", "Antwerpen"),
        ("3511", NL, NL, "3511", "Utrecht"),
        ("3511", BE, BE, "3511", "Kuringen"),
        ("B-2000", NL, BE, "2000", "Antwerpen"),
        ("9000 Gent", DK, BE, "9000", "Gent"),
        ("9000 Aalborg", NL, DK, "9000", "Aalborg"),
        ("9000", DK, DK, "9000", "Aalborg"),
        ("D-10115", NL, DE, "10115", "Berlin"),
        ("111 22", NL, SE, "111 22", "Stockholm"),
        ("11122", SE, SE, "111 22", "Stockholm"),
        ("0150", NL, NO, "0150", "Oslo"),
        ("DK-2100 København", NL, DK, "2100", "København Ø"),
    ],
)
def test_postcodes_are_found_in_every_spelling(
    text: str, hint: Country, country: Country, postcode: str, name: str
) -> None:
    place = found(text, hint)
    assert (place.country, place.postcode, place.name) == (country, postcode, name)


@pytest.mark.parametrize(
    "text", ["", "   ", "xyz", "0000", "1234", "1234 AB", "99999999", "!?", "B-3523 AB", "Utrecht, Noorwegen"]
)
def test_an_unknown_place_is_not_found(text: str) -> None:
    assert find(text, NL) is None


def test_a_named_country_decides_and_a_hint_only_helps() -> None:
    assert find("NL-2000") is None
    assert found("2000", NL).country is BE
    assert found("Hasselt", NL).region == "Overijssel"
    assert found("Hasselt", BE).region == "Limburg"
    assert found("Hasselt, België", NL).country is BE


@pytest.mark.parametrize(
    ("postcode", "country", "there"),
    [
        ("3511 LX", NL, True), ("3511lx", NL, True), ("3511", NL, True), ("1234 AB", NL, False), ("5217 AA", NL, False),
        ("3511 SS", NL, False), ("2000", NL, False), ("2000", BE, True), ("B-2000", BE, True), ("1001", BE, False),
        ("10115", DE, True), ("00000", DE, False), ("2100", DK, True), ("DK-2100", DK, True), ("9999", DK, False),
        ("111 22", SE, True), ("11122", SE, True), ("99999", SE, False), ("0150", NO, True), ("9999", NO, False),
        ("75001", Country.FR, False), ("", NL, False), ("Utrecht", NL, False), ("3511 LX Utrecht", NL, False),
    ],
)  # fmt: skip
def test_a_postcode_exists_or_not(postcode: str, country: Country, there: bool) -> None:
    assert exists(postcode, country) is there


@given(ANY_CODE)
def test_every_postcode_of_the_table_is_found_where_it_lies(row: dict[str, str]) -> None:
    country = Country(row["country"])
    place = at(row["postcode"], country)
    assert place
    assert place.point == (float(row["latitude"]), float(row["longitude"]))
    assert found(row["postcode"], country) == place
    assert found(f"{country.value}-{row['postcode']} {row['name']}", None) == place


@given(ANY_NAME, st.sampled_from([str.upper, str.lower, str.title]), st.sampled_from([" ", "-", "", "  ", "’"]))
def test_every_name_of_the_table_leads_to_a_place_of_that_name(
    row: dict[str, str], written: Callable[[str], str], blank: str
) -> None:
    country = Country(row["country"])
    text = written(row["name"]).replace(" ", blank).replace("-", blank)
    known = {entry["own_name"] for entry in BY_KEY[folded(row["name"])] if entry["country"] == country}
    assert found(text, country).own_name in known
    named = {entry["own_name"] for entry in BY_KEY[row["key"]] if entry["country"] == country}
    assert found(row["key"], country).own_name in named


@settings(max_examples=300)
@given(st.text(max_size=200), st.sampled_from([None, *Country]))
def test_any_text_can_be_searched(text: str, hint: Country | None) -> None:
    place = find(text, hint)
    assert place is None or place.country in places.COUNTRIES
    assert read(text) == read(text)


@given(ANY_CODE, ANY_CODE)
def test_distances_are_symmetric_and_not_negative(one: dict[str, str], other: dict[str, str]) -> None:
    first = float(one["latitude"]), float(one["longitude"])
    second = float(other["latitude"]), float(other["longitude"])
    there = distance_km(first, second)
    assert there == pytest.approx(distance_km(second, first))
    assert 0 <= there < 3000
    assert distance_km(first, first) == 0


def test_the_table_is_complete_and_within_its_countries() -> None:
    boxes = {
        "NL": (50.7, 53.6, 3.2, 7.3), "BE": (49.4, 51.6, 2.5, 6.5), "DE": (47.2, 55.1, 5.8, 15.1),
        "DK": (54.5, 57.8, 8.0, 15.3), "SE": (55.3, 69.1, 10.9, 24.2), "NO": (57.9, 81.0, 4.5, 31.2),
    }  # fmt: skip
    counts = dict.fromkeys(boxes, 0)
    for row in CODES:
        south, north, west, east = boxes[row["country"]]
        assert south <= float(row["latitude"]) <= north, row
        assert west <= float(row["longitude"]) <= east, row
        counts[row["country"]] += 1
    assert counts["NL"] > 4050
    assert counts["BE"] == 1146
    assert counts["DE"] > 8200
    assert (counts["SE"], counts["NO"], counts["DK"]) > (18000, 5000, 1100)
    assert len({(row["country"], row["postcode"]) for row in CODES}) == len(CODES)


def test_dutch_postcodes_of_one_place_are_near_each_other() -> None:
    for one, other in pairwise(CODES):
        if one["country"] == other["country"] == "NL" and one["name"] == other["name"]:
            points = [(float(row["latitude"]), float(row["longitude"])) for row in (one, other)]
            assert distance_km(points[0], points[1]) < 25, (one, other)
