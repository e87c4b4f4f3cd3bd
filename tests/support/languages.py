"""Finds sentences of one language in texts of the other, by the messages of the catalogues."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from portal.contract.models import Locale
from portal.kernel.texts import LOCALES, catalogue, with_terms
from tests.support.channels import plain

_SENTENCE = 14
"""Letters from which a part of a message is looked for inside longer texts; shorter ones have to stand alone."""

_APART = re.compile(r"\n|\t| · |: |; |, | \(|\)|\.(?: |$)|[<>|]|DESCRIPTION:|SUMMARY:")
_HOLES = re.compile(r"\{\w*\}")


@cache
def _messages() -> dict[Locale, frozenset[str]]:
    """The messages of each language, cut at their placeholders."""
    found: dict[Locale, set[str]] = {"nl": set(), "en": set()}
    for text, forms in catalogue("nl").messages.items():
        found["en"] |= _parts(text, "en")
        found["nl"] |= {part for form in forms for part in _parts(form, "nl")}
    return {locale: frozenset(parts) for locale, parts in found.items()}


def _parts(text: str, locale: Locale) -> set[str]:
    cut = [plain(part).strip(" .,:;–-") for part in _HOLES.split(with_terms(text, locale))]
    return {part for part in cut if re.search(r"\w{3}", part)}


@cache
def _foreign(locale: Locale) -> tuple[str, ...]:
    """What only the other language says."""
    (other,) = [known for known in LOCALES if known != locale]
    own = {part.casefold() for part in _messages()[locale]}
    joined = "\n".join(own)
    parts = ((part, part.casefold()) for part in _messages()[other])
    return tuple(sorted(part for part, low in parts if low not in own and (len(low) < _SENTENCE or low not in joined)))


def foreign_sentences(texts: Mapping[str, str], locale: Locale, names: frozenset[str] = frozenset()) -> dict[str, str]:
    """Sentences of the other language, with the name of a text that says them.

    Args:
        texts: by name of what was rendered.
        locale: the language in which it was rendered.
        names: what is no sentence: names of products, and what people typed.
    """
    alone = {part.strip(" .,:;–-"): name for name, text in texts.items() for part in _APART.split(text)}
    whole = {name: plain(text) for name, text in texts.items()}
    everything = "\n".join(whole.values())
    found: dict[str, str] = {}
    for part in _foreign(locale):
        if part in names:
            continue
        if part in alone:
            found[part] = alone[part]
        elif len(part) >= _SENTENCE and " " in part and part in everything:
            found[part] = next(name for name, text in whole.items() if part in text)
    return found


def localized(value: Any, locale: Locale) -> Iterator[str]:
    """Every text of an answer that has all languages, in one of them."""
    if isinstance(value, dict) and set(value) == set(LOCALES):
        yield str(value[locale])
    elif isinstance(value, dict):
        for part in value.values():
            yield from localized(part, locale)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from localized(part, locale)
