"""MP4 and MOV: checks the boxes of the container, and removes metadata without moving a byte (ISO/IEC 14496-12).

Only tracks of pictures and sound stay. Cameras write places, movements and times into further tracks, also as
subtitles; their samples are overwritten, not only their description.
"""

from __future__ import annotations

import mmap
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code

_MOST_BOXES = 10_000
_INSIDE = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
_METADATA = {b"udta", b"meta", b"uuid"}
"""Boxes with metadata such as place, device and comments."""

_DATED = {b"mvhd", b"tkhd", b"mdhd"}
"""Boxes that begin with the times of creation and change."""

_KEPT = {b"vide", b"soun"}
"""Types of the tracks that stay: pictures and sound."""

_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class _Box:
    kind: bytes
    start: int
    body: int
    end: int


def clean(data: mmap.mmap) -> None:
    """Check a video and overwrite its metadata with zeros. Nothing moves, so all offsets stay valid.

    Raises:
        BadFile: `file_damaged`: a box does not fit its parent, there is no video track with its samples, or the samples
            of a track that must go cannot be found.
    """
    _check(data)
    for track in [box for box in _all(data) if box.kind == b"trak"]:
        if _handler(data, track) not in _KEPT:
            _remove(data, track)
    for box in list(_all(data)):
        if box.kind in _METADATA:
            _blank(data, box)
        elif box.kind in _DATED and box.body < box.end:
            width = 16 if data[box.body] == 1 else 8
            _zero(data, box.body + 4, min(box.body + 4 + width, box.end))


def _check(data: mmap.mmap) -> None:
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


def _handler(data: mmap.mmap, track: _Box) -> bytes:
    """The type of a track; empty if it has none."""
    media = _child(data, track, b"mdia")
    found = _child(data, media, b"hdlr") if media else None
    return bytes(data[found.body + 8 : found.body + 12]) if found else b""


def _remove(data: mmap.mmap, track: _Box) -> None:
    """Overwrite the samples of a track, then the track itself."""
    top = list(_boxes(data, 0, len(data)))
    # The samples of a fragmented video are described elsewhere, by fragment.
    if any(box.kind == b"moof" for box in top):
        raise BadFile(Code.FILE_DAMAGED)
    stored = [(box.body, box.end) for box in top if box.kind == b"mdat"]
    for start, end in _chunks(data, track):
        if not any(first <= start and end <= last for first, last in stored):
            raise BadFile(Code.FILE_DAMAGED)
        _zero(data, start, end)
    _blank(data, track)


def _chunks(data: mmap.mmap, track: _Box) -> Iterator[tuple[int, int]]:
    """Where the samples of a track are: start and end of each chunk."""
    table: _Box | None = track
    for kind in (b"mdia", b"minf", b"stbl"):
        table = _child(data, table, kind) if table else None
    if table is None:
        return
    found = {box.kind: box for box in _boxes(data, table.body, table.end)}
    offsets = found.get(b"stco") or found.get(b"co64")
    groups = found.get(b"stsc")
    if offsets is None or groups is None:
        return
    size, sizes = _sizes(data, found)
    wide = offsets.kind == b"co64"
    starts = _numbers(data, offsets, offsets.body + 8, _number(data, offsets.body + 4), "Q" if wide else "I")
    steps = _numbers(data, groups, groups.body + 8, _number(data, groups.body + 4) * 3, "I")
    chunk = first_sample = 0
    for place in range(0, len(steps), 3):
        # Each entry begins at a chunk, counted from 1, and holds until the next one begins.
        begins, last = steps[place] - 1, place + 3 >= len(steps)
        ends = min(len(starts) if last else steps[place + 3] - 1, len(starts))
        if begins != chunk:
            raise BadFile(Code.FILE_DAMAGED)
        while chunk < ends:
            after = first_sample + steps[place + 1]
            length = size * steps[place + 1] if size else sum(sizes[first_sample:after])
            yield starts[chunk], starts[chunk] + length
            chunk, first_sample = chunk + 1, after


def _sizes(data: mmap.mmap, table: dict[bytes, _Box]) -> tuple[int, array[int]]:
    """The size of every sample, or the sizes of all."""
    if box := table.get(b"stsz"):
        size, count = _number(data, box.body + 4), _number(data, box.body + 8)
        return size, array("I") if size else _numbers(data, box, box.body + 12, count, "I")
    if box := table.get(b"stz2"):
        width, count = data[box.body + 7], _number(data, box.body + 8)
        if width in (8, 16):
            return 0, _numbers(data, box, box.body + 12, count, "B" if width == 8 else "H")
    raise BadFile(Code.FILE_DAMAGED)


def _number(data: mmap.mmap, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _numbers(data: mmap.mmap, box: _Box, start: int, count: int, code: str) -> array[int]:
    """A table of numbers, all of which lie in the box."""
    found = array(code)
    if start + count * found.itemsize > box.end:
        raise BadFile(Code.FILE_DAMAGED)
    found.frombytes(data[start : start + count * found.itemsize])
    if sys.byteorder == "little":
        found.byteswap()
    return found


def _blank(data: mmap.mmap, box: _Box) -> None:
    """Make a box free space."""
    data[box.start + 4 : box.start + 8] = b"free"
    _zero(data, box.body, box.end)


def _zero(data: mmap.mmap, start: int, end: int) -> None:
    for at in range(start, end, _AT_ONCE):
        stop = min(at + _AT_ONCE, end)
        data[at:stop] = bytes(stop - at)


def _child(data: mmap.mmap, parent: _Box, kind: bytes) -> _Box | None:
    return next((box for box in _boxes(data, parent.body, parent.end) if box.kind == kind), None)


def _all(data: mmap.mmap) -> Iterator[_Box]:
    """All boxes, including those nested in a box of `_INSIDE`."""
    pending = [(0, len(data))]
    seen = 0
    while pending:
        for box in _boxes(data, *pending.pop()):
            seen += 1
            if seen > _MOST_BOXES:
                raise BadFile(Code.FILE_DAMAGED)
            yield box
            if box.kind in _INSIDE:
                pending.append((box.body, box.end))


def _boxes(data: mmap.mmap, start: int, end: int) -> Iterator[_Box]:
    """The boxes between two places, without those that they contain."""
    while start < end:
        if not any(data[start : min(end, start + 8)]) and end - start <= 8:
            break  # four zero bytes end a QuickTime list
        box = _read(data, start, end)
        yield box
        start = box.end


def _read(data: mmap.mmap, start: int, end: int) -> _Box:
    size, kind, body = _number(data, start), bytes(data[start + 4 : start + 8]), start + 8
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
    count = _number(data, box.body + 4)
    first = box.body + 8
    if first + count * width > box.end:
        raise BadFile(Code.FILE_DAMAGED)
    last = first + (count - 1) * width
    return int.from_bytes(data[last : last + width], "big") if count else 0
