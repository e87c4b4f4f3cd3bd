"""Checks an uploaded file and removes metadata. It blocks and parses untrusted data: call it through `inspection`."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from portal.backend.files.kinds import FIRST_BYTES, BadFile, claimed
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

MOST_PIXELS = 64_000_000
"""More than phone cameras produce in normal modes. A decoded photo of this size takes about 200 MB of memory."""


@dataclass(frozen=True, slots=True)
class FileFindings:
    """The result of checking a file. All values describe the cleaned file.

    Attributes:
        kind: detected from the content; a value of `FileKind`.
        media_type: its media type.
        size: its size in bytes.
        sha256: its hash in hexadecimal.
        preview: whether a preview was created.
    """

    kind: str
    media_type: str
    size: int
    sha256: str
    preview: bool


class Version(NamedTuple):
    """What an image is drawn anew as.

    Attributes:
        form: `AVIF`, `WEBP` or `JPEG`, which is on white.
        side: most pixels of its longer side.
        options: of the encoder.
    """

    form: str
    side: int
    options: dict[str, int]


def kind_of(path: Path, kinds: Collection[str]) -> FileKind:
    """The kind of a file, from its first bytes.

    Args:
        path: the file.
        kinds: the allowed kinds, values of `FileKind`.

    Raises:
        BadFile: `file_empty` or `file_not_allowed`.
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

    Args:
        path: the file.
        kinds: the allowed kinds, values of `FileKind`.
        preview: path for the preview, which only photos get.
        judge: leave the file, a PDF, as it is.

    Raises:
        BadFile: the file is empty, not allowed or damaged; the code says which.
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
