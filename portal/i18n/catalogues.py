"""Catalogues: collect messages from the sources, update the files, and check them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.i18n.literals import literal_problems
from portal.i18n.voice import page_problems, template_problems, voice_problems
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
    "portal": (
        "ui",
        "i18n/messages.py",
        "frontend",
        "desk",
        "web",
        "reflex_adapter",
        "routes.py",
        "*/pages*",
        "*/http*",
        "*/desk*",
    ),
    "provider": ("backend", "provider", "demo", "*/provider*", "*/templates"),
    "shared": ("kernel", "vocabulary", "contract", "flow/*.py", "*/flow*", "*/rules*", "*/api*"),
}
"""Source files of each catalogue, as patterns relative to `portal`."""


def texts_of(domain: Domain) -> Catalog:
    """Collect all messages of a catalogue from the sources, with their locations."""
    found = Catalog()
    for path, method in _files(domain):
        place = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            method, path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return found


def _files(domain: Domain) -> Iterator[tuple[Path, str]]:
    """The source files of a catalogue. A file that several patterns match belongs to the first."""
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
    """Read a catalogue from its file; empty when there is no file."""
    path = path_of(domain, locale)
    if not path.is_file():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def update(domain: Domain, locale: Locale) -> None:
    """Update a catalogue from the sources: add new messages without translation, remove obsolete ones."""
    catalogue = read(domain, locale)
    # No fuzzy matching: a guess from a similar message is not a translation.
    catalogue.update(texts_of(domain), no_fuzzy_matching=True, update_header_comment=False)
    catalogue.fuzzy = False
    catalogue.header_comment = f"# Texts of the {domain}. Ids are the English texts."
    write(domain, locale, catalogue)


def write(domain: Domain, locale: Locale, catalogue: Catalog) -> None:
    """Write a catalogue to its file, sorted by id, without sources and dates: equal messages give an equal file."""
    text = BytesIO()
    write_po(text, catalogue, width=120, sort_output=True, ignore_obsolete=True, no_location=True)
    stored = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_UNUSED_HEADERS)]
    path = path_of(domain, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(stored))


def update_all() -> None:
    for domain in DOMAINS:
        for locale in TRANSLATED:
            update(domain, locale)


_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[sd]")


def problems() -> list[str]:
    """All problems of all catalogues, one line each; empty when they are complete and keep to `docs/voice.md`."""
    complete = [
        line
        for domain in DOMAINS
        for texts in (texts_of(domain),)
        for locale in TRANSLATED
        for line in problems_of(domain, locale, texts, read(domain, locale))
    ]
    literals = literal_problems()
    voice = voice_problems({domain: read(domain, "nl") for domain in DOMAINS})
    return [*complete, *literals, *voice, *page_problems(), *template_problems()]


def problems_of(domain: Domain, locale: Locale, texts: Catalog, catalogue: Catalog) -> Iterator[str]:
    """The problems of one catalogue compared with the sources, one line each."""
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
    # The singular form may omit the number.
    wanted = max(allowed, key=len)
    for index, form in enumerate(forms):
        found = frozenset(_PLACEHOLDER.findall(form or ""))
        if found != wanted and not (plural and index == 0 and found in allowed | {wanted - {"{n}"}}):
            yield f"{where}: placeholders differ: {_shown(entry)} -> {form!r}"


def _shown(entry: Message) -> str:
    return repr(entry.id if isinstance(entry.id, str) else entry.id[0])
