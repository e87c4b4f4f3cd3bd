"""Names of files: for showing and saving only, never part of a path of ours."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 120


def tidy_name(name: str) -> str:
    """A name as it is shown: no folders, nothing invisible, at most 120 signs with its ending kept."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    seen = "".join(sign for sign in last if sign.isprintable() and sign not in ':*?"<>|').strip(" .")
    if not seen:
        return "bestand"
    if len(seen) <= LONGEST:
        return seen
    stem, point, ending = seen.rpartition(".")
    if not point or len(ending) > 8:
        return seen[:LONGEST]
    return f"{stem[: LONGEST - len(ending) - 1]}.{ending}"
