"""Checks an uploaded file and removes metadata. It blocks and parses untrusted data: call it through `inspection`.

The kind of a file is read from its first bytes. Its name and the media type of the browser are ignored.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

FIRST_BYTES = 1024

_HEIC = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"})
_MP4 = frozenset({b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"MSNV", b"dash"})
_OTHERS = frozenset({b"crx ", b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "})
"""Raw photos and sound, which name brands of photos and films beside their own."""

_OLD_MOVIE = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
"""First boxes of old QuickTime files, which have no brand."""


class BadFile(Exception):
    """A file that cannot be used."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


def claimed(head: bytes) -> FileKind | None:
    """The kind that the first bytes claim; None if it is not supported."""
    if head.startswith(b"\xff\xd8\xff"):
        return FileKind.JPG
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return FileKind.PNG
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return FileKind.AVI
    if head.startswith(b"\x00\x00\x01\xba"):
        return FileKind.MPG
    if head.startswith(b"%PDF-"):
        return FileKind.PDF
    if head[4:8] == b"ftyp":
        compatible = head[16 : int.from_bytes(head[:4], "big")]
        brands = [head[8:12], *(compatible[at : at + 4] for at in range(0, len(compatible), 4))]
        known = (_by_brand(brand) for brand in brands if brands[0] not in _OTHERS)
        return next((kind for kind in known if kind), None)
    return FileKind.MOV if head[4:8] in _OLD_MOVIE else None


def _by_brand(brand: bytes) -> FileKind | None:
    if brand in _HEIC:
        return FileKind.HEIC
    if brand == b"qt  ":
        return FileKind.MOV
    return FileKind.MP4 if brand in _MP4 or brand.startswith(b"3gp") else None


MAX_PIXELS = 70_000_000
"""A decoded photo of this size takes about 210 MB of memory."""


@dataclass(frozen=True, slots=True)
class FileFindings:
    """The result of checking a file. All values describe the cleaned file.

    `kind`: detected from the content; a value of `FileKind`.
    """

    kind: str
    media_type: str
    size: int
    sha256: str
    preview: bool


class Version(NamedTuple):
    """What an image is drawn anew as.

    `form`: `AVIF`, `WEBP` or `JPEG`, which is on white.
    `side`: most pixels of its longer side.
    """

    form: str
    side: int
    options: dict[str, int]


def kind_of(path: Path, kinds: Collection[str]) -> FileKind:
    """The kind of a file, from its first bytes.

    `kinds`: the allowed kinds, values of `FileKind`.
    Raises `BadFile`: `file_empty` or `file_not_allowed`.
    """
    with path.open("rb") as file:
        head = file.read(FIRST_BYTES)
    if not head:
        raise BadFile(Code.FILE_EMPTY)
    kind = claimed(head)
    if kind is None or kind.value not in kinds:
        raise BadFile(Code.FILE_NOT_ALLOWED)
    return kind


def parser_of(kind: FileKind) -> ModuleType:
    """The module that checks files of a kind. Its libraries are large, so it is imported only when needed."""
    name = "images" if kind.photo else "documents" if kind is FileKind.PDF else "videos"
    return import_module(f"portal.backend.files.{name}")


def inspect(path: Path, kinds: Collection[str], preview: Path, *, judge: bool = False) -> FileFindings:
    """Check a file and remove its metadata in place.

    `kinds`: the allowed kinds, values of `FileKind`.
    `preview`: path for the preview, which only photos get.
    Raises `BadFile`: the file is empty, not allowed or damaged; the code says which.
    """
    kind = kind_of(path, kinds)
    media_type = kind.media_type
    parser = parser_of(kind)
    if kind.photo:
        media_type = parser.clean(path, kind, preview)
    elif kind is FileKind.PDF:
        (parser.judge if judge else parser.clean)(path)
    else:
        parser.clean(path, kind)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileFindings(kind.value, media_type, path.stat().st_size, digest, kind.photo)


_KEPT = frozenset({0xE0, 0xEE})
"""Application segments that decoders need: JFIF or AVI1, and Adobe's colour transform."""

_COMMENT = 0xFE
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
_LAST = frozenset({0xD9, 0xDA})
"""End of the image, and start of the scan, which no metadata follows."""


def blank_metadata(data: bytearray | mmap.mmap, start: int, end: int) -> None:
    """Overwrite Exif, XMP, comments and other metadata of a JPEG with zeros. Nothing moves.

    `start`: offset of its first byte. Data that is no JPEG stays as it is.
    """
    if data[start : start + 3] != b"\xff\xd8\xff":
        return
    at = start + 2
    while at + 4 <= end and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _LAST:
            return
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _WITHOUT_LENGTH:
            at += 2
            continue
        stop = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if not at + 4 <= stop <= end:
            return
        if marker == _COMMENT or (0xE0 <= marker <= 0xEF and marker not in _KEPT):
            data[at + 4 : stop] = bytes(stop - at - 4)
        at = stop
