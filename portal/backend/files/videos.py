"""Videos: checked twice, by the structure of the container and by MediaInfo. No video is decoded.

The structures are in `mp4` (also MOV), `avi` and `mpg`.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from pymediainfo import MediaInfo

from portal.backend.files import avi, mp4, mpg
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

_FORMATS: dict[FileKind, str] = {
    FileKind.MP4: "MPEG-4",
    FileKind.MOV: "MPEG-4",
    FileKind.AVI: "AVI",
    FileKind.MPG: "MPEG-PS",
}


def clean(path: Path, kind: FileKind) -> None:
    """Check a video and remove its metadata in place. No byte that a player needs changes or moves.

    Raises:
        BadFile: `file_damaged`, it is truncated or not a video of this kind.
    """
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        if kind is FileKind.AVI:
            avi.clean(data)
        elif kind is FileKind.MPG:
            mpg.clean(data)
        else:
            mp4.clean(data)
        data.flush()
    found = MediaInfo.parse(str(path))
    assert isinstance(found, MediaInfo)  # noqa: S101 - a string only if an output format is given
    general = found.general_tracks[0].to_data() if found.general_tracks else {}
    if not found.video_tracks or general.get("istruncated") == "Yes" or general.get("format") != _FORMATS[kind]:
        raise BadFile(Code.FILE_DAMAGED)
