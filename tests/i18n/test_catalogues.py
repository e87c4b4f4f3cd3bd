"""The catalogues are complete, and the check would notice if they were not."""

from __future__ import annotations

from typing import Any

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


def test_a_missing_text_is_found() -> None:
    assert "not in the catalogue" in check(catalogue(("Bikes", "")), catalogue())[0]


def test_a_half_translated_counted_text_is_found() -> None:
    texts = catalogue((("{n} bike", "{n} bikes"), ("", "")))
    half = catalogue((("{n} bike", "{n} bikes"), ("{n} fiets", "")))
    assert "not translated" in check(texts, half)[0]


def test_a_text_that_nobody_uses_is_found() -> None:
    assert "no longer in the sources" in check(catalogue(), catalogue(("Bikes", "Fietsen")))[0]


def test_other_placeholders_are_found() -> None:
    texts = catalogue(("Order {number}", ""))
    assert "placeholders differ" in check(texts, catalogue(("Order {number}", "Bestelling {nummer}")))[0]
    assert check(texts, catalogue(("Order {number}", "Bestelling {number}"))) == []


def test_the_form_for_one_may_leave_out_the_number() -> None:
    texts = catalogue((("{n} bike", "{n} bikes"), ("", "")))
    assert check(texts, catalogue((("{n} bike", "{n} bikes"), ("één fiets", "{n} fietsen")))) == []
    assert check(texts, catalogue((("{n} bike", "{n} bikes"), ("één fiets", "fietsen"))))


def test_a_reworded_text_keeps_its_translation_as_fuzzy() -> None:
    known = catalogue(("Choose your bike", "Kies je fiets"), ("Choose a day", "Kies een dag"))
    found = updated(known, catalogue(("Choose a bike", ""), ("Choose a day", ""), ("Open", "")))
    assert [(entry.id, entry.string, entry.fuzzy) for entry in found if entry.id] == [
        ("Choose a bike", "Kies je fiets", True),
        ("Choose a day", "Kies een dag", False),
        ("Open", "", False),
    ]
    assert "fuzzy" in check(catalogue(("Choose a bike", "")), found)[0]
