"""Catalogues: collect messages from the sources, update the files, and check them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.i18n.literals import literal_problems
from portal.kernel.texts import DIRECTORY, TRANSLATED, Locale, path_of

VOICE = Path(__file__).resolve().parents[2] / "docs" / "voice.md"
PAGES = Path(__file__).resolve().parents[1] / "legal" / "texts"
"""Texts that are pages of their own, a file for each language: `terms.nl.md`."""
TEMPLATES = Path(__file__).resolve().parents[1] / "conversations" / "data" / "templates.toml"
"""The templates of messages that are delivered with the portal, in both languages."""

_COLUMNS = 5
_CHARACTERS = {
    "a non-breaking hyphen": re.compile("\N{NON-BREAKING HYPHEN}"),
    "a straight apostrophe": re.compile("'"),
}


@dataclass(frozen=True, slots=True)
class PageWords:
    """What may not stand in a text, by language. `english`: pattern of the words; None if there are none."""

    english: re.Pattern[str] | None
    dutch: re.Pattern[str] | None


def words_of(page: str) -> PageWords:
    """Read the table of words in `docs/voice.md`."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    table = [row for row in rows if len(row) == _COLUMNS and row[0] != "Thing" and not row[0].startswith("-")]
    if not table:
        raise LookupError("docs/voice.md has no table of words")
    return PageWords(_pattern(row[3] for row in table), _pattern(row[4] for row in table))


def _pattern(cells: Iterator[str]) -> re.Pattern[str] | None:
    words = sorted({word.strip() for cell in cells for word in cell.split(",") if word.strip()})
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE) if words else None


@cache
def _words() -> PageWords:
    return words_of(VOICE.read_text(encoding="utf-8"))


def voice_problems(catalogue: Catalog) -> Iterator[str]:
    words = _words()
    for message in catalogue:
        if message.id:
            for texts, pattern in ((message.id, words.english), (message.string, words.dutch)):
                for text in _forms(texts):
                    yield from (f"portal.po: {problem} in {text!r}" for problem in _found(text, pattern))


def page_problems(folder: Path = PAGES) -> Iterator[str]:
    """What breaks the rules in the texts that are pages of their own, one line each."""
    words = _words()
    for page in sorted(folder.glob("*.md")):
        pattern = words.dutch if page.suffixes[0] == ".nl" else words.english
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            yield from (f"{page.name}:{number}: {problem}" for problem in _found(line, pattern))


def template_problems(file: Path = TEMPLATES) -> Iterator[str]:
    """What breaks the rules in the templates of messages, one line each."""
    words = _words()
    for entry in tomllib.loads(file.read_text(encoding="utf-8"))["template"]:
        for language, pattern in (("en", words.english), ("nl", words.dutch)):
            for text in (entry["title"][language], entry["text"][language]):
                yield from (f"{file.name}: {problem} in {entry['name']!r}" for problem in _found(text, pattern))


def _forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def _found(text: str, pattern: re.Pattern[str] | None) -> Iterator[str]:
    # Placeholders are names in the code.
    shown = re.sub(r"\{\w*\}", "", text)
    if pattern and (word := pattern.search(shown)):
        yield f"{word[0]!r}, which docs/voice.md replaces,"
    yield from (name for name, character in _CHARACTERS.items() if character.search(shown))


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
