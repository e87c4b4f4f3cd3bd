"""Texts keep to the words of `docs/voice.md`."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from portal.i18n.catalogues import page_problems, template_problems, voice_problems


def _problems(*texts: tuple[str, str]) -> list[str]:
    catalogue = Catalog(locale="nl")
    for message, string in texts:
        catalogue.add(message, string)
    return list(voice_problems(catalogue))


@pytest.mark.parametrize(
    ("english", "dutch", "named"),
    [
        ("Ask the service desk", "Vraag de klantenservice", "service desk"),
        ("Change delivery day", "Leverdatum wijzigen", "Leverdatum"),
        ("Your bike", "Uw fiets", "Uw"),
        ("Save", "Op\N{NON-BREAKING HYPHEN}slaan", "non-breaking hyphen"),
        ("It isn't right", "Dat klopt niet", "straight apostrophe"),
    ],
)
def test_a_word_or_character_that_is_not_ours_is_named(english: str, dutch: str, named: str) -> None:
    (problem,) = _problems((english, dutch))
    assert named in problem


def test_a_word_inside_another_and_a_placeholder_are_fine() -> None:
    assert _problems(("Uploaded {color}", "Geüpload: {levering}")) == []


def test_a_page_of_text_keeps_to_the_words_of_its_language(tmp_path: Path) -> None:
    (tmp_path / "terms.nl.md").write_text("## Bezorging\n\nDe levering is gratis.\n", "utf-8")
    (tmp_path / "terms.en.md").write_text("## Delivery\n\nEven a levering can wait.\n", "utf-8")
    (problem,) = page_problems(tmp_path)
    assert problem.startswith("terms.nl.md:3: 'levering'")


def test_a_template_of_a_message_keeps_to_the_words_of_its_language(tmp_path: Path) -> None:
    file = tmp_path / "templates.toml"
    file.write_text(
        """
        [[template]]
        name = "call-us"
        title = { nl = "Mogen we bellen?", en = "May we call?" }
        text.nl = "We bellen u over de levering."
        text.en = "We’ll call about the delivery."
        """,
        "utf-8",
    )
    (problem,) = template_problems(file)
    assert problem == "templates.toml: 'u', which docs/voice.md replaces, in 'call-us'"
