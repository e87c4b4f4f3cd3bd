"""Files that customers attach to a request: kinds and size limits (part-1 §12)."""

from __future__ import annotations

from enum import StrEnum

from portal.kernel.terms import FILE_MEGABYTES

LARGEST_FILE = FILE_MEGABYTES * 1024 * 1024
"""Most bytes per file."""


class FileKind(StrEnum):
    """Kind of a file, detected from its content. Values are the names that customers use.

    `HEIC`: any photo in a HEIF container, AVIF too.
    """

    JPG = "JPG"
    PNG = "PNG"
    HEIC = "HEIC"
    PDF = "PDF"
    MP4 = "MP4"
    MOV = "MOV"
    AVI = "AVI"
    MPG = "MPG"

    @property
    def photo(self) -> bool:
        return self in {FileKind.JPG, FileKind.PNG, FileKind.HEIC}

    @property
    def endings(self) -> tuple[str, ...]:
        return _ENDINGS[self]

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_ENDINGS: dict[FileKind, tuple[str, ...]] = {
    FileKind.JPG: (".jpg", ".jpeg"),
    FileKind.PNG: (".png",),
    FileKind.HEIC: (".heic", ".heif", ".avif"),
    FileKind.PDF: (".pdf",),
    FileKind.MP4: (".mp4", ".m4v"),
    FileKind.MOV: (".mov", ".qt"),
    FileKind.AVI: (".avi",),
    FileKind.MPG: (".mpg", ".mpeg"),
}

_MEDIA_TYPES: dict[FileKind, str] = {
    FileKind.JPG: "image/jpeg",
    FileKind.PNG: "image/png",
    FileKind.HEIC: "image/heic",
    FileKind.PDF: "application/pdf",
    FileKind.MP4: "video/mp4",
    FileKind.MOV: "video/quicktime",
    FileKind.AVI: "video/x-msvideo",
    FileKind.MPG: "video/mpeg",
}

PHOTOS = frozenset({FileKind.JPG, FileKind.PNG, FileKind.HEIC})
VIDEOS = frozenset({FileKind.MP4, FileKind.MOV, FileKind.AVI, FileKind.MPG})
PLAYED = frozenset({FileKind.MP4, FileKind.MOV})
"""Videos that browsers play; others are saved."""


class StaffFileUse(StrEnum):
    """What a file of staff is for. It is the beginning of the name of its field."""

    MESSAGE = "message"
    RETURNED_UNIT = "unit"

    @property
    def kinds(self) -> frozenset[FileKind]:
        return PHOTOS | {FileKind.PDF} if self is StaffFileUse.MESSAGE else PHOTOS

    @property
    def most(self) -> int:
        return 5 if self is StaffFileUse.MESSAGE else 1
