"""Street, house number and addition, however shops write them: in one line, in two, or in fields of their own."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = re.compile(r"([1-9][0-9]{0,4})(?![0-9])[-/ ]?(.*)")
_WITHIN = {"bus", "bte", "boite", "boîte", "box", "app", "appt", "apt", "appartement", "unit", "kamer", "/", "-"}
"""Words before a number that is part of an addition."""

_FLOORS = re.compile(r"(hoog|etage|verdieping|verd|vloer|floor|links|rechts)\b.*", re.IGNORECASE)
"""Words after a number that is part of an addition."""

_MONTHS = set(
    "januari februari maart april mei juni juli augustus september oktober november december "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre".split()
)
"""Words after a number that is part of a name, such as 'Straat van 1 mei'."""

_YEAR = re.compile(r"1[5-9][0-9]{2}|20[0-9]{2}")
"""A number that is likely part of a name, such as 'Plein 1940'."""


class Numbered(NamedTuple):
    """The parts of an address line; what is not there is empty."""

    street: str
    number: str
    addon: str


def numbered(street: str, number: str, addon: str) -> Numbered:
    """Put each part in its place.

    'Oudegracht 38 A', 'Kerkstraat' with '12 bis' in the second line, and 'Kerkstraat 12' with 12 in a field of its own
    are read; in 'Plein 1940' with 12 in the second line, 1940 belongs to the name.
    """
    found = split_street(street)
    if number:
        own = _NUMBER.fullmatch(number)
        plain, rest = (own[1], own[2]) if own else (number, "")
        # The line repeats the number that has a field of its own.
        repeated = found if found.number == plain else Numbered(street, "", "")
        return Numbered(repeated.street, plain, _joined(rest, addon or repeated.addon))
    second = _NUMBER.fullmatch(addon)
    if second and _FLOORS.fullmatch(second[2].split(" ", 1)[0]):
        second = None
    if second and (not found.number or (_YEAR.fullmatch(found.number) and not found.addon)):
        return Numbered(street, second[1], second[2])
    return Numbered(found.street, found.number, _joined(found.addon, addon))


def split_street(line: str) -> Numbered:
    """Split 'Oudegracht 38 A' or 'Veldstraat 82 bus 3' into street, number and addition."""
    words = line.replace(",", " ").split()
    for place in range(len(words) - 1, 0, -1):
        number = _NUMBER.fullmatch(words[place])
        after = words[place + 1] if place + 1 < len(words) else ""
        # The last number of '12-2 hoog' is that of a floor, too.
        floor = number and not number[2][:1].isdigit() and _FLOORS.fullmatch(after)
        within = words[place - 1].lower().rstrip(".") in _WITHIN or floor
        if number and not within and after.lower() not in _MONTHS:
            addon = _joined(number[2], *words[place + 1 :]).lstrip("-/ ")
            return Numbered(" ".join(words[:place]), number[1], addon)
    # As people write it in France: '12 rue de la Paix'.
    first = _NUMBER.fullmatch(words[0]) if len(words) > 1 else None
    if first and not first[2]:
        return Numbered(" ".join(words[1:]), first[1], "")
    return Numbered(line, "", "")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
