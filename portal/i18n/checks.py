"""What can be wrong with a catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message

from portal.i18n.extraction import read, texts_of
from portal.texts import DOMAINS, TRANSLATED, Domain, Locale

_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[sd]")


def problems() -> list[str]:
    """Everything that is wrong with the catalogues, one line each; empty when they are complete."""
    return [
        line
        for domain in DOMAINS
        for texts in (texts_of(domain),)
        for locale in TRANSLATED
        for line in problems_of(domain, locale, texts, read(domain, locale))
    ]


def problems_of(domain: Domain, locale: Locale, texts: Catalog, catalogue: Catalog) -> Iterator[str]:
    """Compare a catalogue with the texts in the sources: it has to be complete.

    Args:
        domain: The house.
        locale: The language.
        texts: What stands in the sources.
        catalogue: What stands in the file.
    """
    where = f"{domain}.po ({locale})"
    for message in texts:
        if not message.id:
            continue
        entry = catalogue.get(message.id, message.context)
        if entry is None:
            yield f"{where}: not in the catalogue: {_shown(message)}"
        else:
            yield from _entry_problems(where, entry, plural=message.pluralizable)
    for entry in catalogue:
        if entry.id and texts.get(entry.id, entry.context) is None:
            yield f"{where}: no longer in the sources: {_shown(entry)}"
    for entry in catalogue.obsolete.values():
        yield f"{where}: obsolete: {_shown(entry)}"


def _entry_problems(where: str, entry: Message, *, plural: bool) -> Iterator[str]:
    ids = entry.id if isinstance(entry.id, (tuple, list)) else (entry.id,)
    forms = entry.string if isinstance(entry.string, (tuple, list)) else (entry.string,)
    if entry.fuzzy:
        yield f"{where}: fuzzy: {_shown(entry)}"
    if plural and len(ids) != 2:
        yield f"{where}: counted in the sources, not in the catalogue: {_shown(entry)}"
    if not all(forms):
        yield f"{where}: not translated: {_shown(entry)}"
        return
    allowed = {frozenset(_PLACEHOLDER.findall(text)) for text in ids}
    # The form for one may leave out the number.
    wanted = max(allowed, key=len)
    for index, form in enumerate(forms):
        found = frozenset(_PLACEHOLDER.findall(form or ""))
        if found != wanted and not (plural and index == 0 and found in allowed | {wanted - {"{n}"}}):
            yield f"{where}: placeholders differ: {_shown(entry)} -> {form!r}"


def _shown(entry: Message) -> str:
    return repr(entry.id if isinstance(entry.id, str) else entry.id[0])
