"""Whether texts keep to the words of `docs/voice.md`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog

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
