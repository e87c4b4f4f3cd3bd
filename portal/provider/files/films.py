"""Videos: read twice, by the lengths they announce and by a parser that knows their codecs. None is played here."""

from __future__ import annotations

import mmap
from pathlib import Path

from pymediainfo import MediaInfo

from portal.domain.codes import Code
from portal.domain.flow.files import FileKind
from portal.provider.files import boxes, streams
from portal.provider.files.kinds import BadFile

_FORMATS: dict[FileKind, str] = {
    FileKind.MP4: "MPEG-4",
    FileKind.MOV: "MPEG-4",
    FileKind.AVI: "AVI",
    FileKind.MPG: "MPEG-PS",
}


def clean(path: Path, kind: FileKind) -> None:
    """Check a film and take out, in place, where and with what it was made.

    Raises:
        BadFile: `file_damaged`: it is cut off, or none at all.
    """
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        if kind is FileKind.AVI:
            streams.check_avi(data)
        elif kind is FileKind.MPG:
            streams.check_mpg(data)
        else:
            boxes.check(data)
            boxes.strip(data)
            data.flush()
    found = MediaInfo.parse(str(path))
    assert isinstance(found, MediaInfo)  # noqa: S101 - only a text when one is asked for
    general = found.general_tracks[0].to_data() if found.general_tracks else {}
    if not found.video_tracks or general.get("istruncated") == "Yes" or general.get("format") != _FORMATS[kind]:
        raise BadFile(Code.FILE_DAMAGED)
