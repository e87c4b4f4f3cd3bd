"""Detects the kind of a file from its first bytes. Its name and the browser's media type are ignored."""

from __future__ import annotations

from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

FIRST_BYTES = 1024

_HEIC = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_MP4 = frozenset({b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"M4V ", b"MSNV", b"dash"})
_OLD_MOVIE = frozenset({b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot"})
"""First boxes of old QuickTime files, which have no brand."""


class BadFile(Exception):
    """A file that cannot be used.

    Attributes:
        code: the error code that says why.
    """

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


def claimed(head: bytes) -> FileKind | None:
    """The kind that the first bytes claim; None if it is not supported.

    Args:
        head: the first `FIRST_BYTES` bytes, or the whole file if it is shorter.
    """
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
        return _by_brand(head[8:12])
    return FileKind.MOV if head[4:8] in _OLD_MOVIE else None


def _by_brand(brand: bytes) -> FileKind | None:
    if brand in _HEIC:
        return FileKind.HEIC
    if brand == b"qt  ":
        return FileKind.MOV
    return FileKind.MP4 if brand in _MP4 or brand.startswith(b"3gp") else None
