"""Catalogues: collect messages from the sources, update the files, and check them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from io import BytesIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.i18n.literals import literal_problems
from portal.i18n.voice import page_problems, template_problems, voice_problems
from portal.kernel.texts import DIRECTORY, TRANSLATED, Locale, path_of

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

_TEMPLATES = {".html", ".txt", ".jinja", ".j2"}


def texts_of() -> Catalog:
    found = Catalog()
    for path in sorted((ROOT / "portal").rglob("*")):
        if path.suffix not in {".py", *_TEMPLATES}:
            continue
        method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
        place = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            method, path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return found


def read(locale: Locale) -> Catalog:
    with path_of(locale).open("rb") as file:
        return read_po(file, locale=locale)


def update(locale: Locale) -> None:
    """Update a catalogue file from the sources, sorted by id: equal messages give an equal file."""
    catalogue = updated(read(locale), texts_of())
    catalogue.fuzzy = False
    catalogue.header_comment = "# Texts of the portal. Ids are the English texts."
    text = BytesIO()
    write_po(text, catalogue, width=120, sort_output=True, ignore_obsolete=True, no_location=True)
    stored = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_UNUSED_HEADERS)]
    path_of(locale).write_bytes(b"".join(stored))


def updated(catalogue: Catalog, texts: Catalog) -> Catalog:
    """Add new messages and remove obsolete ones. A reworded English text keeps its translation as fuzzy."""
    gone = {
        message.id: message.string
        for message in catalogue
        if isinstance(message.id, str) and message.id and texts.get(message.id, message.context) is None
    }
    for message in texts:
        if isinstance(message.id, str) and catalogue.get(message.id, message.context) is None:
            for similar in get_close_matches(message.id, gone, n=1, cutoff=0.7):
                catalogue.add(message.id, gone[similar], flags={"fuzzy"}, context=message.context)
    # A guess from a message that is still in use would be no translation.
    catalogue.update(texts, no_fuzzy_matching=True, update_header_comment=False)
    return catalogue


_PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[sd]")


def problems() -> list[str]:
    """All problems, one line each; empty when the catalogues are complete and keep to `docs/voice.md`."""
    texts = texts_of()
    complete = [line for locale in TRANSLATED for line in problems_of(locale, texts, read(locale))]
    return [*complete, *literal_problems(), *voice_problems(read("nl")), *page_problems(), *template_problems()]


def problems_of(locale: Locale, texts: Catalog, catalogue: Catalog) -> Iterator[str]:
    """The problems of one catalogue compared with the sources, one line each."""
    where = path_of(locale).relative_to(ROOT).as_posix()
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
        yield f"{where}: fuzzy: {_shown(entry)}; check the translation and remove the mark"
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
