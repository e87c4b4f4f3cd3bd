"""The catalogues are complete, and the check would notice if they were not."""

from typing import Any

import pytest
from babel.messages.catalog import Catalog

from portal.i18n.catalogues import problems_of, updated


def catalogue(*entries: tuple[Any, Any], flags: tuple[str, ...] = ()) -> Catalog:
    """A catalogue with these texts."""
    made = Catalog(locale="nl")
    made.fuzzy = False
    for message, string in entries:
        made.add(message, string, flags=flags)
    return made


def check(texts: Catalog, translated: Catalog) -> list[str]:
    """What the check says."""
    return list(problems_of("nl", texts, translated))


BIKES = (("{n} bike", "{n} bikes"), ("", ""))


@pytest.mark.parametrize(
    ("text", "translated", "problem"),
    [
        (("Bikes", ""), (), "not in the catalogue"),
        (BIKES, (("{n} bike", "{n} bikes"), ("{n} fiets", "")), "not translated"),
        ((), ("Bikes", "Fietsen"), "no longer in the sources"),
        (("Order {number}", ""), ("Order {number}", "Bestelling {nummer}"), "placeholders differ"),
        (("Order {number}", ""), ("Order {number}", "Bestelling {number}"), ""),
        (BIKES, (("{n} bike", "{n} bikes"), ("één fiets", "{n} fietsen")), ""),
        (BIKES, (("{n} bike", "{n} bikes"), ("één fiets", "fietsen")), "placeholders differ"),
    ],
)
def test_what_a_translation_lacks_is_named(text: Any, translated: Any, problem: str) -> None:
    found = check(catalogue(*filter(None, [text])), catalogue(*filter(None, [translated])))
    assert [problem in each for each in found] == ([True] if problem else [])


def test_a_reworded_text_keeps_its_translation_as_fuzzy() -> None:
    known = catalogue(("Choose your bike", "Kies je fiets"), ("Choose a day", "Kies een dag"))
    found = updated(known, catalogue(("Choose a bike", ""), ("Choose a day", ""), ("Open", "")))
    assert [(entry.id, entry.string, entry.fuzzy) for entry in found if entry.id] == [
        ("Choose a bike", "Kies je fiets", True),
        ("Choose a day", "Kies een dag", False),
        ("Open", "", False),
    ]
    assert "fuzzy" in check(catalogue(("Choose a bike", "")), found)[0]
