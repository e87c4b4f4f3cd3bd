"""Collects the texts of each house from the sources into its catalogues."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from portal.texts import DOMAINS, TRANSLATED, Domain, Locale
from portal.texts.catalogue import DIRECTORY, path_of

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
    "portal": ("ui", "pages", "states", "web"),
    "provider": ("provider",),
    "domain": ("domain", "flows", "vocabulary"),
}
"""Packages of `portal` whose texts stand in a catalogue."""


def texts_of(domain: Domain) -> Catalog:
    """Collect every text of a house, with the places where it stands."""
    found = Catalog()
    for path, method in _files(domain):
        place = path.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            method, path, keywords=KEYWORDS, comment_tags=(COMMENT,), strip_comment_tags=True
        ):
            found.add(message, None, [(place, line)], auto_comments=comments, context=context)
    return found


def _files(domain: Domain) -> Iterator[tuple[Path, str]]:
    for package in SOURCES[domain]:
        for path in sorted((ROOT / "portal" / package).rglob("*")):
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
    kept = [line for line in text.getvalue().splitlines(keepends=True) if not line.startswith(_UNUSED_HEADERS)]
    path = path_of(domain, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(kept))


def update_all() -> None:
    """Bring every catalogue in line with the sources."""
    for domain in DOMAINS:
        for locale in TRANSLATED:
            update(domain, locale)
