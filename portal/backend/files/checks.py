"""Checks an uploaded file and removes metadata. Blocks, and parses untrusted data: run it through `inspection`."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from portal.backend.files.kinds import FIRST_BYTES, BadFile, claimed
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What a file is.

    Attributes:
        kind: by its content.
        media_type: of what is kept.
        size: bytes of what is kept.
        sha256: of what is kept, in hexadecimal.
        preview: whether a preview was made.
    """

    kind: str
    media_type: str
    size: int
    sha256: str
    preview: bool


def inspect(path: Path, kinds: Collection[str], preview: Path) -> FileFindings:
    """Look into a file; what is not meant for us is taken out of it in place.

    Args:
        path: the file.
        kinds: what it may be, values of `FileKind`.
        preview: where a preview goes, if there is one.

    Raises:
        BadFile: why it cannot be used.
    """
    with path.open("rb") as file:
        head = file.read(FIRST_BYTES)
    if not head:
        raise BadFile(Code.FILE_EMPTY)
    kind = claimed(head)
    if kind is None or kind.value not in kinds:
        raise BadFile(Code.FILE_NOT_ALLOWED)
    media_type = kind.media_type
    # Only what is needed is loaded: these parsers are large.
    if kind.photo:
        from portal.backend.files import images

        media_type = images.clean(path, kind, preview)
    elif kind is FileKind.PDF:
        from portal.backend.files import images

        images.check(path)
    else:
        from portal.backend.files import videos

        videos.clean(path, kind)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileFindings(kind.value, media_type, path.stat().st_size, digest, kind.photo)
