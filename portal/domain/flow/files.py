"""Rule for files: photos, videos and papers that go along with a request (decisions: Rules)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from portal.domain.codes import Code
from portal.domain.flow.answers import Answer, AnswerContext
from portal.domain.flow.rules import SeveralValues
from portal.domain.validation import InvalidValue

FILES = "files"
"""List among the facts of a draft, complete files only: `id`, `field`, `name`, `size`, `kind`, `photo`."""
LARGEST_FILE = 100 * 1024 * 1024
"""Bytes of one file (part-1 §5: 100 MB)."""
LARGEST_TOGETHER = 1024 * 1024 * 1024
"""Bytes of all files of one request (decisions: Rules: 1 GB)."""


class FileKind(StrEnum):
    """What a file is, by its content. The values are what a customer calls it."""

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
        """Whether it is a picture that can be shown."""
        return self in {FileKind.JPG, FileKind.PNG, FileKind.HEIC}

    @property
    def endings(self) -> tuple[str, ...]:
        """Ends of names that such files carry, with the point."""
        return _ENDINGS[self]

    @property
    def media_type(self) -> str:
        """Its media type (RFC 6838)."""
        return _MEDIA_TYPES[self]


_ENDINGS: dict[FileKind, tuple[str, ...]] = {
    FileKind.JPG: (".jpg", ".jpeg"),
    FileKind.PNG: (".png",),
    FileKind.HEIC: (".heic", ".heif"),
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


@dataclass(frozen=True, slots=True)
class Files(SeveralValues):
    """Files that were uploaded to the draft; the answer is the list of their ids.

    Attributes:
        minimum, maximum: how many, both included.
        kinds: what they may be.
        photo: whether at least one of them has to be a photo (edge case 61).
    """

    minimum: int
    maximum: int
    kinds: frozenset[FileKind] = frozenset(FileKind)
    photo: bool = False

    @property
    def codes(self) -> tuple[Code, ...]:
        """The refusals it can give."""
        least = (Code.TOO_FEW_FILES,) if self.minimum > 1 else ()
        photo = (Code.PHOTO_REQUIRED,) if self.photo else ()
        return (Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED, *least, *photo)

    def __call__(self, given: Answer, answers: AnswerContext) -> Answer:
        """The ids, each once, in the order of uploading."""
        present = {entry["id"]: entry for entry in answers.facts.get(FILES, ())}
        if not set(given) <= set(present):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        chosen = [entry for identifier, entry in present.items() if identifier in given]
        if any(entry["kind"] not in self.kinds for entry in chosen):
            raise InvalidValue(Code.UNRESOLVED_FILES)
        if len(chosen) > self.maximum:
            raise InvalidValue(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
        if len(chosen) < self.minimum:
            raise InvalidValue(Code.TOO_FEW_FILES)
        if self.photo and not any(entry["photo"] for entry in chosen):
            raise InvalidValue(Code.PHOTO_REQUIRED)
        return [str(entry["id"]) for entry in chosen]
