"""Reads the catalogues in `locale/`. An id is the English text, so English needs no catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from babel.messages.pofile import read_po

from portal.texts.locales import LOCALES, WRITTEN, Locale
from portal.texts.terms import with_terms

Domain = Literal["portal", "provider", "domain"]
"""Each house has a catalogue of its own; the texts of `portal.domain`, which both use, stand in a third."""

DOMAINS: tuple[Domain, ...] = get_args(Domain)
DIRECTORY = Path(__file__).resolve().parents[2] / "locale"


def path_of(domain: Domain, locale: Locale) -> Path:
    """The file that holds a catalogue."""
    return DIRECTORY / locale / "LC_MESSAGES" / f"{domain}.po"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The translations of one house into one language.

    Attributes:
        locale: The language.
        messages: For a message id the text; for the singular id of a counted message both forms.
    """

    locale: Locale
    messages: Mapping[str, tuple[str, ...]]

    def gettext(self, text: str) -> str:
        """Translate a text, with its terms filled in; the English text itself when there is no translation."""
        return with_terms(self.messages.get(text, (text,))[0], self.locale)

    def forms(self, singular: str, plural: str) -> tuple[str, str]:
        """Both forms of a counted text: for 1 and for any other number. Dutch and English count alike."""
        found = self.messages.get(singular, ())
        one, many = (found[0], found[1]) if len(found) == 2 else (singular, plural)
        return with_terms(one, self.locale), with_terms(many, self.locale)

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        """Translate a counted text."""
        return self.forms(singular, plural)[0 if n == 1 else 1]


@cache
def catalogue(domain: Domain, locale: Locale) -> Catalogue:
    """The catalogue of a house in a language, with the texts that both houses use."""
    shared = {} if domain == "domain" else catalogue("domain", locale).messages
    return Catalogue(locale, {**shared, **_messages(domain, locale)})


def _messages(domain: Domain, locale: Locale) -> Mapping[str, tuple[str, ...]]:
    if locale == WRITTEN:
        return {}
    with path_of(domain, locale).open("rb") as file:
        entries = read_po(file, locale=locale)
    messages: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        forms = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        if entry.id and forms and all(forms) and not entry.fuzzy:
            messages[entry.id if isinstance(entry.id, str) else entry.id[0]] = forms
    return messages


def gettext_for(locale: Locale, domain: Domain = "provider") -> Callable[[str], str]:
    """A translating function for server texts such as mails and documents."""
    return catalogue(domain, locale).gettext


def both(text: str, **values: str | int) -> dict[str, str]:
    """A text of the portal in every language at once, for the browser to show the one that is chosen.

    Args:
        text: The English text, marked with `N_` where it is written.
        values: What fills the `{names}` in the text.
    """
    return {locale: _fill(catalogue("portal", locale).gettext(text), values) for locale in LOCALES}


def _fill(text: str, values: Mapping[str, str | int]) -> str:
    # Not str.format: a value or a text with braces in it must never be evaluated.
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
