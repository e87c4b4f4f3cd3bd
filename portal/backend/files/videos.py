"""MP4 and MOV: boxes within boxes (ISO 14496-12). Finds out whether all is there, and takes out where it was filmed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

from portal.domain.codes import Code
from portal.provider.files.kinds import BadFile

_MOST_BOXES = 10_000
_INSIDE = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
_TELLING = {b"udta", b"meta", b"uuid"}
"""Boxes with notes of the camera: place, time, device, and whatever else somebody wrote."""


@dataclass(frozen=True, slots=True)
class _Box:
    kind: bytes
    start: int
    body: int
    end: int


def check(data: mmap) -> None:
    """Look whether a film is whole: every box within its parent, a picture track, and every sample in the file.

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


def strip(data: mmap) -> None:
    """Blank the notes of the camera. Nothing moves, so that every offset stays right."""
    blanked = [box for box in _all(data) if box.kind in _TELLING]
    for box in blanked:
        data[box.start + 4 : box.start + 8] = b"free"
        for at in range(box.body, box.end, 1 << 20):
            stop = min(at + (1 << 20), box.end)
            data[at:stop] = bytes(stop - at)


def _all(data: mmap) -> Iterator[_Box]:
    """All boxes whose insides matter, from the outside in."""
    waiting = [(0, len(data))]
    seen = 0
    while waiting:
        start, end = waiting.pop()
        while start < end:
            seen += 1
            if seen > _MOST_BOXES:
                raise BadFile(Code.FILE_DAMAGED)
            if not any(data[start : min(end, start + 8)]) and end - start <= 8:
                break  # four zeros close a QuickTime list
            box = _read(data, start, end)
            yield box
            if box.kind in _INSIDE:
                waiting.append((box.body, box.end))
            start = box.end


def _read(data: mmap, start: int, end: int) -> _Box:
    size, kind, body = int.from_bytes(data[start : start + 4], "big"), bytes(data[start + 4 : start + 8]), start + 8
    if size == 1:
        size, body = int.from_bytes(data[start + 8 : start + 16], "big"), start + 16
    elif size == 0:
        size = end - start  # to the end of the file
    if size < body - start or start + size > end:
        raise BadFile(Code.FILE_DAMAGED)
    return _Box(kind, start, body, start + size)


def _last_offset(data: mmap, box: _Box) -> int:
    """Where the last run of samples begins."""
    width = 8 if box.kind == b"co64" else 4
    count = int.from_bytes(data[box.body + 4 : box.body + 8], "big")
    first = box.body + 8
    if first + count * width > box.end:
        raise BadFile(Code.FILE_DAMAGED)
    last = first + (count - 1) * width
    return int.from_bytes(data[last : last + width], "big") if count else 0
