"""One point and one name for every postcode."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from portal.locations.rules.place_tables import CODE_FORMS
from portal.locations.rules.places import distance_km

NEIGHBOURS = 3
"""Codes before and after that tell where a code lies."""

STRAY_KM = 15.0
"""Rows of one code further apart than this cannot all be right."""

ASTRAY_KM = 12.0
"""A code this far from its neighbours is at the wrong place, if its name is theirs."""

NOWHERE_KM = 25.0
"""A Dutch code this far from its neighbours does not exist, if its name is not theirs."""

CLUSTER_KM = 8.0
"""Rows this much further from the neighbours than the best one still count as right."""

_REGIONS = {
    "NL": {
        "Guelders": "Gelderland",
        "North Brabant": "Noord-Brabant",
        "North Holland": "Noord-Holland",
        "South Holland": "Zuid-Holland",
    },
    "BE": {
        "Anvers": "Antwerpen",
        "Brabant Flamand": "Vlaams-Brabant",
        "Brabant Wallon": "Waals-Brabant",
        "Bruxelles (19 communes)": "Brussel",
        "Flandre-Occidentale": "West-Vlaanderen",
        "Flandre-Orientale": "Oost-Vlaanderen",
        "Hainaut": "Henegouwen",
        "Limbourg": "Limburg",
        "Liège": "Luik",
        "Luxembourg": "Luxemburg",
        "Namur": "Namen",
    },
    "DK": {
        "Capital Region": "Hovedstaden",
        "Central Jutland": "Midtjylland",
        "North Denmark": "Nordjylland",
        "South Denmark": "Syddanmark",
        "Zealand": "Sjælland",
    },
    "NO": {"Oslo County": "Oslo"},
}
"""What the source calls a province, and what its inhabitants do (in Dutch for Belgium)."""

_NAMES = {
    ("NL", "'s-Gravenhage"): "Den Haag",
    ("BE", "Anderlecht"): "Anderlecht",
    ("BE", "Auderghem"): "Oudergem",
    ("BE", "Berchem-Sainte-Agathe"): "Sint-Agatha-Berchem",
    ("BE", "Bruxelles"): "Brussel",
    ("BE", "Forest"): "Vorst",
    ("BE", "Ixelles"): "Elsene",
    ("BE", "Molenbeek-Saint-Jean"): "Sint-Jans-Molenbeek",
    ("BE", "Saint-Gilles"): "Sint-Gillis",
    ("BE", "Saint-Josse-Ten-Noode"): "Sint-Joost-ten-Node",
    ("BE", "Schaerbeek"): "Schaarbeek",
    ("BE", "Uccle"): "Ukkel",
    ("BE", "Watermael-Boitsfort"): "Watermaal-Bosvoorde",
    ("BE", "Woluwe-Saint-Lambert"): "Sint-Lambrechts-Woluwe",
    ("BE", "Woluwe-Saint-Pierre"): "Sint-Pieters-Woluwe",
}
"""Names shown instead: Brussels has two official ones, and nobody says 's-Gravenhage."""


@dataclass(frozen=True, slots=True)
class PostalRow:
    """One row of the source. `full_name` as there, `name` as shown."""

    country: str
    code: str
    name: str
    full_name: str
    municipality: str
    region: str
    latitude: float
    longitude: float
    accuracy: int


Chosen = PostalRow
"""The row that stands for its code."""


def postal_row(line: str) -> PostalRow | None:
    """Read a row; none for other countries and for what is no code of the country."""
    field = line.rstrip("\n").split("\t")
    country, code = field[0], field[1].replace(" ", "")
    form = CODE_FORMS.get(country)
    if form is None or not form.fullmatch(code):
        return None
    region = (field[5] if country == "BE" else field[3]).removeprefix("Region ")
    full_name = field[2].replace("|", " ").replace(":", " ").strip()
    name = re.sub(r"\s*\(.*?\)", "", full_name).partition(",")[0].strip() or full_name
    return PostalRow(
        country=country,
        code=code,
        name=_NAMES.get((country, name), name),
        full_name=full_name,
        municipality=_municipality(field[5]) if country == "NL" else "",
        region=_REGIONS.get(country, {}).get(region, region).replace(",", ""),
        latitude=float(field[9]),
        longitude=float(field[10]),
        accuracy=int(field[11] or 0),
    )


def _municipality(text: str) -> str:
    return text.removeprefix("Gemeente ").removesuffix(" Municipality").replace(",", " ").strip()


def choose(
    rows: dict[tuple[str, str], list[PostalRow]], population: dict[tuple[str, str], int]
) -> tuple[dict[tuple[str, str], Chosen], list[PostalRow]]:
    """One row for each code, and all rows that lie where their code lies.

    Some codes have a stray row: 3523 is in Utrecht and, says the source, in Ouddorp 90 km away. The neighbouring
    codes tell which one is right. Of the right rows the largest place gives the name.

    Args:
        rows: by country and code.
        population: inhabitants by country and name.
    """
    codes = sorted(rows)
    chosen: dict[tuple[str, str], Chosen] = {}
    kept: list[PostalRow] = []
    for position, key in enumerate(codes):
        right = rows[key]
        if len(right) > 1 and _spread(right) > STRAY_KM:
            around = [
                *codes[max(0, position - NEIGHBOURS) : position],
                *codes[position + 1 : position + 1 + NEIGHBOURS],
            ]
            right = _near(right, [row for other in around if other[0] == key[0] for row in rows[other]])
        kept.extend(right)
        chosen[key] = max(right, key=lambda row: (_people(row, population), row.accuracy, row.name))
    _mend(chosen)
    return chosen, [row for row in kept if (row.country, row.code) in chosen]


def _mend(chosen: dict[tuple[str, str], Chosen]) -> None:
    """Codes that lie far from all neighbours: put those of the same place beside them, drop other Dutch ones.

    Dutch codes run from neighbour to neighbour: 3062 is a part of Rotterdam and not at sea, and 1234 is no code.
    """
    codes = sorted(chosen)
    for position, key in enumerate(codes):
        row = chosen[key]
        near = codes[max(0, position - NEIGHBOURS) : position + 1 + NEIGHBOURS]
        around = [chosen[other] for other in near if other != key and other[0] == key[0] and other in chosen]
        far = sorted(_apart(row, other) for other in around)[min(1, len(around) - 1)] if around else 0
        if far <= ASTRAY_KM:
            continue
        same = sorted((other for other in around if other.name == row.name), key=lambda other: other.latitude)
        if same:
            middle = same[len(same) // 2]
            chosen[key] = replace(row, latitude=middle.latitude, longitude=middle.longitude)
        elif key[0] == "NL" and far > NOWHERE_KM:
            del chosen[key]


def _people(row: PostalRow, population: dict[tuple[str, str], int]) -> int:
    return max(population.get((row.country, name), 0) for name in (row.name, row.full_name))


def _spread(rows: list[PostalRow]) -> float:
    return max(_apart(rows[0], row) for row in rows)


def _near(rows: list[PostalRow], neighbours: list[PostalRow]) -> list[PostalRow]:
    """The rows about as near to the neighbouring codes as the nearest one is."""
    if not neighbours:
        return rows
    far = {row: sorted(_apart(row, other) for other in neighbours)[len(neighbours) // 2] for row in rows}
    nearest = min(far.values())
    return [row for row in rows if far[row] <= nearest + CLUSTER_KM]


def _apart(one: PostalRow, other: PostalRow) -> float:
    return distance_km((one.latitude, one.longitude), (other.latitude, other.longitude))
