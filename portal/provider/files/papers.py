"""PDFs: opened by a real parser. What would run programs or hides further files is refused; none is ever rendered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from portal.domain.codes import Code
from portal.provider.files.kinds import BadFile

_TAIL = 2048
_MOST_OBJECTS = 50_000
_MOST_PAGES = 2_000
_ACTIONS = frozenset({"/JavaScript", "/Launch", "/ImportData", "/SubmitForm", "/Rendition", "/GoToE", "/Movie"})
_ACTIVE = frozenset({"/JS", "/JavaScript", "/EmbeddedFiles", "/EmbeddedFile", "/RichMedia", "/XFA"})


def check(path: Path) -> None:
    """Look whether a PDF is whole and only paper.

    Raises:
        BadFile: `file_damaged`, or `file_protected`: locked, or with programs or files in it.
    """
    with path.open("rb") as file:
        file.seek(-min(_TAIL, path.stat().st_size), 2)
        tail = file.read()
        if b"%%EOF" not in tail or b"startxref" not in tail:
            raise BadFile(Code.FILE_DAMAGED)
        try:
            reader = PdfReader(file)
            if reader.is_encrypted:
                raise BadFile(Code.FILE_PROTECTED)
            if not 0 < len(reader.pages) <= _MOST_PAGES:
                raise BadFile(Code.FILE_DAMAGED)
            _search(reader)
        except BadFile:
            raise
        except (PyPdfError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise BadFile(Code.FILE_DAMAGED) from error
        except RecursionError as error:
            raise BadFile(Code.FILE_DAMAGED) from error


def _search(reader: PdfReader) -> None:
    """Go through everything that can be reached from the root, whatever it calls itself."""
    waiting: list[Any] = [reader.trailer.get("/Root")]
    seen: set[tuple[int, int]] = set()
    count = 0
    while waiting:
        count += 1
        if count > _MOST_OBJECTS * 20 or len(seen) > _MOST_OBJECTS:
            raise BadFile(Code.FILE_DAMAGED)
        found = waiting.pop()
        if isinstance(found, IndirectObject):
            place = found.idnum, found.generation
            if place in seen:
                continue
            seen.add(place)
            found = found.get_object()
        if isinstance(found, ArrayObject):
            waiting.extend(found)
        elif isinstance(found, DictionaryObject):
            if found.get("/S") in _ACTIONS or found.get("/Subtype") == "/RichMedia" or not _ACTIVE.isdisjoint(found):
                raise BadFile(Code.FILE_PROTECTED)
            waiting.extend(found.values())
