"""Every term is told by its name in the texts, so that changing it is one line."""

from __future__ import annotations

import re

import pytest

from portal.i18n.catalogues import read
from portal.kernel import terms
from portal.kernel.texts import LOCALES, Locale, catalogue

_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred"

_UNITS = (
    "minute|hour|(?:working |business )?day|week|month|year|km|kilometre|MB|GB|megabyte|digit|character|decimal|"
    "photo|file|euro|try|tries"
)

A_TERM = re.compile(rf"(?:\b(?:\d+|{_WORDS}) (?:{_UNITS})s?\b|\d ?%|€ ?\d|\d\d:\d\d|\d to \d)", re.IGNORECASE)

SAID_AS_IT_IS = {
    # How long filling in takes, as an estimate.
    "It takes about 5 minutes. You can stop and carry on later: every step is saved.",
    "It takes about 10 minutes. You can stop and carry on later: every step is saved.",
    # What an insurer covers, in the insurer's words.
    "Theft of the bike, at the full price for 3 years",
    "Fitted accessories such as a child seat, up to €250",
    "After 3 years we deduct 1% of the price each month.",
    "It ends when you cancel, when the bike is sold, or 5 years after you bought it.",
    "Report a theft to the police within 24 hours, and to us within 3 days.",
    "Enter a year with four digits, for example 2026.",
    # What a webhook promises, and how a time is written.
    "For one more day, events are also signed with the old secret.",
    "You see the new secret once. For one day, events are signed with both.",
    "Nothing could be delivered for three days. The events are kept.",
    "{day}: enter times such as 9:00 and 17:30, the earlier one first.",
    # No limit: "one" and "1" are said of anything near, or of what has to be there at all.
    "less than 1 km",
    "Add at least one digit",
    "At least one digit",
    "Add at least one photo.",
    "Add at least one photo or video.",
    "Add at least one file.",
}


def _literals(texts: set[str]) -> set[str]:
    return {text for text in texts if A_TERM.search(text)} - SAID_AS_IT_IS


def _texts() -> set[str]:
    # The catalogues have the texts of the sources, which the check of the texts says.
    found = [message.id for message in read("nl") if message.id]
    return {text for entry in found for text in ((entry,) if isinstance(entry, str) else entry)}


def test_no_text_writes_a_term_as_a_number() -> None:
    assert not _literals(_texts())


def test_every_term_is_used_somewhere_and_is_defined_once() -> None:
    named = {name for text in _texts() for name in re.findall(r"\{(\w+)\}", text)}
    assert set(terms.IN_TEXTS) <= named, "what no text says need not be there"
    for name, value in terms.IN_TEXTS.items():
        assert getattr(terms, name.upper()) is value
    assert terms.SPELLED <= set(terms.IN_TEXTS)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_text_never_shows_the_name_of_a_term(locale: Locale) -> None:
    shown = catalogue(locale)
    for message in read("nl"):
        ids = (message.id,) if isinstance(message.id, str) else message.id
        for text in (shown.gettext(ids[0]), *(shown.ngettext(ids[0], ids[-1], n) for n in (1, 2))):
            assert not set(re.findall(r"\{(\w+)\}", text)) & set(terms.IN_TEXTS)


def test_a_changed_term_changes_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "This was shipped more than {return_days} days ago and can no longer be returned."
    assert "100 dagen" in catalogue("nl").gettext(sentence)
    assert "100 days" in catalogue("en").gettext(sentence)
    monkeypatch.setitem(terms.IN_TEXTS, "return_days", 30)
    assert "30 dagen" in catalogue("nl").gettext(sentence)


@pytest.mark.parametrize(("locale", "phrase"), [("nl", "Binnen twee werkdagen"), ("en", "within two working days")])
def test_a_term_may_be_spelled_as_a_word(locale: Locale, phrase: str) -> None:
    assert phrase in catalogue(locale).gettext("We’ll contact you within {return_answer_days} working days.")
