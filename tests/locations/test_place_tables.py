"""The tables of postcodes and places."""

from __future__ import annotations

import csv
import gzip
import time
from itertools import pairwise
from pathlib import Path

from portal.kernel.address import Country
from portal.locations.rules import place_tables, places
from portal.locations.rules.places import distance_km, find

DATA = Path(place_tables.__file__).parents[1] / "data"

with gzip.open(DATA / "places.csv.gz", "rt", encoding="utf-8", newline="") as source:
    CODES = list(csv.DictReader(source))


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


def test_the_tables_are_sorted() -> None:
    for name in ("places.csv.gz", "place_names.csv.gz"):
        lines = gzip.decompress((DATA / name).read_bytes()).decode().splitlines()[1:]
        assert lines == sorted(lines)


def test_dutch_postcodes_of_one_place_are_near_each_other() -> None:
    for one, other in pairwise(CODES):
        if one["country"] == other["country"] == "NL" and one["name"] == other["name"]:
            points = [(float(row["latitude"]), float(row["longitude"])) for row in (one, other)]
            assert distance_km(points[0], points[1]) < 25, (one, other)


def test_places_are_loaded_and_found_quickly() -> None:
    place_tables.table.cache_clear()
    started = time.thread_time()
    places.load()
    assert time.thread_time() - started < 0.5
    texts = ["3523 AB", "Luik", "Alphen a/d Rijn", "9000 Gent", "nowhere at all"] * 40
    started = time.thread_time()
    for text in texts:
        find(text, Country.NL)
    assert (time.thread_time() - started) / len(texts) < 0.001


def test_the_source_of_the_data_is_named() -> None:
    notice = (Path(__file__).parents[2] / "NOTICE").read_text(encoding="utf-8")
    assert "GeoNames (www.geonames.org)" in notice
    assert "https://creativecommons.org/licenses/by/4.0/" in notice
    assert "modified" in notice
