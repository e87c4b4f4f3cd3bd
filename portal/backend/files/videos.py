"""Videos: checked twice, by the structure of the container and by MediaInfo. No video is decoded.

The structure of MP4 and MOV is here; that of AVI and MPG in `avi` and `mpg`.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pymediainfo import MediaInfo

from portal.backend.files import avi, mpg
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

_MOST_BOXES = 10_000
_INSIDE = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
_METADATA = {b"udta", b"meta", b"uuid"}
"""Boxes with metadata such as place, time, device and comments."""


@dataclass(frozen=True, slots=True)
class _Box:
    kind: bytes
    start: int
    body: int
    end: int


def check(data: mmap.mmap) -> None:
    """Check that an MP4 or MOV is complete: every box fits its parent, and there is a video track with its samples.

    Raises:
        BadFile: `file_damaged`.
    """
    kinds: set[bytes] = set()
    pictures = False
    for box in _all(data):
        kinds.add(box.kind)
        if box.kind == b"hdlr":
            pictures |= data[box.body + 8 : box.body + 12] == b"vide"
        elif box.kind in {b"stco", b"co64"} and _last_offset(data, box) >= len(data):
            raise BadFile(Code.FILE_DAMAGED)
    if not {b"moov", b"mdat", b"trak"} <= kinds or not pictures:
        raise BadFile(Code.FILE_DAMAGED)


def strip(data: mmap.mmap) -> None:
    """Overwrite the metadata boxes with zeros. Nothing moves, so all offsets stay valid."""
    blanked = [box for box in _all(data) if box.kind in _METADATA]
    for box in blanked:
        data[box.start + 4 : box.start + 8] = b"free"
        for at in range(box.body, box.end, 1 << 20):
            stop = min(at + (1 << 20), box.end)
            data[at:stop] = bytes(stop - at)


def _all(data: mmap.mmap) -> Iterator[_Box]:
    """All boxes, including those nested in a box of `_INSIDE`."""
    pending = [(0, len(data))]
    seen = 0
    while pending:
        start, end = pending.pop()
        while start < end:
            seen += 1
            if seen > _MOST_BOXES:
                raise BadFile(Code.FILE_DAMAGED)
            if not any(data[start : min(end, start + 8)]) and end - start <= 8:
                break  # four zero bytes end a QuickTime list
            box = _read(data, start, end)
            yield box
            if box.kind in _INSIDE:
                pending.append((box.body, box.end))
            start = box.end


def _read(data: mmap.mmap, start: int, end: int) -> _Box:
    size, kind, body = int.from_bytes(data[start : start + 4], "big"), bytes(data[start + 4 : start + 8]), start + 8
    if size == 1:
        size, body = int.from_bytes(data[start + 8 : start + 16], "big"), start + 16
    elif size == 0:
        size = end - start  # to the end of the file
    if size < body - start or start + size > end:
        raise BadFile(Code.FILE_DAMAGED)
    return _Box(kind, start, body, start + size)


def _last_offset(data: mmap.mmap, box: _Box) -> int:
    """The file offset of the last chunk of samples; 0 if there is none."""
    width = 8 if box.kind == b"co64" else 4
    count = int.from_bytes(data[box.body + 4 : box.body + 8], "big")
    first = box.body + 8
    if first + count * width > box.end:
        raise BadFile(Code.FILE_DAMAGED)
    last = first + (count - 1) * width
    return int.from_bytes(data[last : last + width], "big") if count else 0


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
            check(data)
            strip(data)
        data.flush()
    found = MediaInfo.parse(str(path))
    assert isinstance(found, MediaInfo)  # noqa: S101 - a string only if an output format is given
    general = found.general_tracks[0].to_data() if found.general_tracks else {}
    if not found.video_tracks or general.get("istruncated") == "Yes" or general.get("format") != _FORMATS[kind]:
        raise BadFile(Code.FILE_DAMAGED)
