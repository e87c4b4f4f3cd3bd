"""The catalogues: collecting texts from the sources, and what can be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.kernel.texts import DIRECTORY, DOMAINS, TRANSLATED, Domain, Locale, path_of

ROOT = DIRECTORY.parent

KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}

COMMENT = "Translators:"

_UNUSED_HEADERS = (
    b'"Project-Id-Version',
    b'"Report-Msgid-Bugs-To',
    b'"POT-Creation-Date',
    b'"PO-Revision-Date',
    b'"Last-Translator',
    b'"Language-Team',
    b'"Generated-By',
)

SOURCES: dict[Domain, tuple[str, ...]] = {
    "portal": ("ui", "frontend", "web", "reflex_adapter", "routes.py", "*/pages*", "*/http*", "*/desk*"),
    "provider": ("backend", "provider", "demo", "*/provider*", "*/templates"),
    "shared": ("kernel", "vocabulary", "contract", "flow/*.py", "*/flow*", "*/rules*", "*/api*"),
}
"""Patterns below `portal` whose texts stand in a catalogue."""


def texts_of(domain: Domain) -> Catalog:
    """Collect every text of a catalogue, with the places that use it."""
    found = Catalog()
    for path, method in _files(domain):
        place = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            method, path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return found


def _files(domain: Domain) -> Iterator[tuple[Path, str]]:
    """The sources of a catalogue; a file that two patterns match belongs to the first one."""
    found: set[Path] = set()
    taken: set[Path] = set()
    for side, patterns in SOURCES.items():
        places = {place for pattern in patterns for place in (ROOT / "portal").glob(pattern)}
        found = {path for place in places for path in (place, *place.rglob("*"))} - taken
        if side == domain:
            break
        taken |= found
    for path in sorted(found):
        if path.suffix == ".py":
            yield path, "python"
        elif path.suffix in {".html", ".txt", ".jinja", ".j2"} and path.is_file():
            yield path, "jinja2.ext:babel_extract"


def read(domain: Domain, locale: Locale) -> Catalog:
    """The catalogue as it stands in its file, empty when there is none."""
    path = path_of(domain, locale)
    if not path.is_file():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def update(domain: Domain, locale: Locale) -> None:
    """Bring a catalogue in line with the sources: new texts come in empty, texts that are gone leave."""
    catalogue = read(domain, locale)
    # A guess from a similar text is no translation: new texts stay empty until somebody writes them.
    catalogue.update(texts_of(domain), no_fuzzy_matching=True, update_header_comment=False)
    catalogue.fuzzy = False
    catalogue.header_comment = f"# Texts of the {domain}. Ids are the English texts."
    write(domain, locale, catalogue)


def write(domain: Domain, locale: Locale, catalogue: Catalog) -> None:
    """Write a catalogue to its file, without line numbers and dates: the same texts make the same file."""
    text = BytesIO()
    write_po(text, catalogue, width=120, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    stored = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_UNUSED_HEADERS)]
    path = path_of(domain, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(stored))


def update_all() -> None:
    """Bring every catalogue in line with the sources."""
    for domain in DOMAINS:
        for locale in TRANSLATED:
            update(domain, locale)


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
        domain: The catalogue.
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
