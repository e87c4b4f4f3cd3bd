"""Catalogues as they are read, without any framework."""

from __future__ import annotations

import pytest

from portal.kernel.texts import Catalogue, both, gettext_for, locale_of, with_units


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("lang=en", "en"),
        ("a=b; lang=nl; c=d", "nl"),
        ("lang=EN", "nl"),
        ("lang=<evil>", "nl"),
        ("language=en", "nl"),
        ("", "nl"),
        (";;;=\x00", "nl"),
    ],
)
def test_the_language_of_a_cookie_is_one_of_ours(header: str, locale: str) -> None:
    assert locale_of(header) == locale


def test_the_exact_texts_of_the_requirements_stand_in_the_catalogue() -> None:
    dutch = gettext_for("nl")
    assert dutch("Not all fields are filled correctly") == "Niet alle velden zijn goed ingevuld."
    assert dutch("Invalid code") == "Ongeldige inlogcode"
    assert dutch("Invalid order number or email address.") == "Ongeldig bestelnummer of e-mailadres."
    assert dutch("Logging out failed, please try again.") == "Uitloggen niet gelukt, probeer het nog eens."
    assert (dutch("Something went wrong"), dutch("Please try again")) == ("Er ging iets mis", "Probeer het opnieuw")
    assert dutch("is required") == "is verplicht"
    assert dutch("PDF could not be downloaded.") == "PDF kon niet gedownload worden."


def test_both_languages_travel_together_with_their_values_filled_in() -> None:
    assert both("{label} is required.", label="E-mail {x}") == {
        "nl": "E-mail {x} is verplicht.",
        "en": "E-mail {x} is required.",
    }


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("{n} km from here", "{n}\u00a0km from here"),
        ("within 25 km of Utrecht", "within 25\u00a0km of Utrecht"),
        ("2,4 MB and 350 kB", "2,4\u00a0MB and 350\u00a0kB"),
        ("18 kg", "18\u00a0kg"),
        ("3 kmh, a km, 5 minutes", "3 kmh, a km, 5 minutes"),
    ],
)
def test_no_line_ends_between_a_number_and_its_unit(text: str, kept: str) -> None:
    assert with_units(text) == kept
    found = Catalogue("nl", {"x": (text,), "one": (text, text)})
    assert (found.gettext("x"), found.template("x"), found.templates("one", "many")) == (kept, kept, (kept, kept))


def test_counted_texts_have_two_forms() -> None:
    dutch = Catalogue("nl", {"{n} order": ("{n} bestelling", "{n} bestellingen")})
    assert dutch.ngettext("{n} order", "{n} orders", 1) == "{n} bestelling"
    assert dutch.ngettext("{n} order", "{n} orders", 0) == "{n} bestellingen"
    assert dutch.templates("{n} bike", "{n} bikes") == ("{n} bike", "{n} bikes")
