"""MPEG program streams (ISO 13818-1): checks that all packets are complete, and blanks what is no picture or sound."""

from __future__ import annotations

import mmap
from dataclasses import dataclass

from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code

_MOST_PACKETS = 1_000_000
"""A file of the largest size has about 50,000 packets of 2 kB."""

_PACK, _END, _SYSTEM, _MAP, _PRIVATE, _PADDING = 0xBA, 0xB9, 0xBB, 0xBC, 0xBD, 0xBE
_SOUND, _PICTURES, _EXTENDED = range(0xC0, 0xE0), range(0xE0, 0xF0), 0xFD

_PRIVATE_SOUND = range(0x80, 0xD0)
"""First byte of AC-3, DTS and uncompressed sound in a private stream. Others are subtitles or data of the camera."""

_AC3 = b"\x0b\x77"
_START, _USER_DATA = b"\x00\x00\x01", b"\x00\x00\x01\xb2"


@dataclass(slots=True)
class _UserData:
    """Blanks the user data in one stream of pictures. Codes and data may continue in the next packet."""

    inside: bool = False
    tail: bytes = b""

    def blank(self, data: mmap.mmap, start: int, end: int) -> None:
        """Overwrite the user data between two offsets with zeros, which decoders skip before a start code."""
        joined, first, at = self.tail + data[start:end], start - len(self.tail), 0
        while True:
            found = joined.find(_START if self.inside else _USER_DATA, at)
            if self.inside:
                begin, stop = max(first + at, start), first + found if found >= 0 else end
                if stop > begin:
                    data[begin:stop] = bytes(stop - begin)
            if found < 0:
                break
            at = found if self.inside else found + len(_USER_DATA)
            self.inside = not self.inside
        self.tail = joined[-3:]


def clean(data: mmap.mmap) -> None:
    """Check that a program stream consists of complete packets, including video, and blank its metadata.

    Packets of other data become padding packets, user data in the pictures becomes zeros, and so does what follows the
    end of the stream. Nothing moves.

    Raises:
        BadFile: `file_damaged`.
    """
    start, seen, user_data = 0, 0, dict[int, _UserData]()
    while start < len(data):
        seen += 1
        if data[start : start + 3] != _START:
            if any(data[start : start + 4096]):
                raise BadFile(Code.FILE_DAMAGED)
            break  # padding after the end
        code = _byte(data, start + 3)
        if code == _END:
            start += 4
            break
        end = start + (_pack_length(data, start) if code == _PACK else 6 + _length(data, start + 4))
        if code < _END or end > len(data) or seen > _MOST_PACKETS:
            raise BadFile(Code.FILE_DAMAGED)
        if code in _PICTURES:
            body = _payload(data, start, end)
            user_data.setdefault(code, _UserData()).blank(data, body, end)
        elif not _needed(data, code, start, end):
            data[start + 3] = _PADDING
            data[start + 6 : end] = b"\xff" * (end - start - 6)
        start = end
    if not user_data:
        raise BadFile(Code.FILE_DAMAGED)
    for at in range(start, len(data), 1 << 20):
        stop = min(at + (1 << 20), len(data))
        data[at:stop] = bytes(stop - at)


def _needed(data: mmap.mmap, code: int, start: int, end: int) -> bool:
    """Whether a player needs a packet that holds no pictures."""
    if code == _PRIVATE:
        body = _payload(data, start, end)
        return _byte(data, body) in _PRIVATE_SOUND or data[body : body + 2] == _AC3
    if code == _MAP:
        return _is_plain_map(data, start, end)
    return code in {_PACK, _SYSTEM, _EXTENDED} or code in _SOUND


def _is_plain_map(data: mmap.mmap, start: int, end: int) -> bool:
    """Whether a program stream map names streams only, without descriptors, which may hold texts."""
    at = start + 8
    if _length(data, at):
        return False
    at += 4
    streams = at + _length(data, at - 2)
    while at + 4 <= min(streams, end):
        if _length(data, at + 2):
            return False
        at += 4
    return at == streams == end - 4


def _payload(data: mmap.mmap, start: int, end: int) -> int:
    """Offset of the data in a packet of picture or sound, after its MPEG-2 or MPEG-1 header."""
    at = start + 6
    if _byte(data, at) >> 6 == 0b10:
        return min(at + 3 + _byte(data, at + 2), end)
    while at < end and data[at] == 0xFF:
        at += 1
    if at < end and data[at] >> 6 == 0b01:
        at += 2
    if at < end:
        at += {0b0010: 5, 0b0011: 10}.get(data[at] >> 4, 1)
    return min(at, end)


def _pack_length(data: mmap.mmap, start: int) -> int:
    """Length of a pack header. An MPEG-2 header gives its number of stuffing bytes; MPEG-1 has a fixed length."""
    if _byte(data, start + 4) >> 6 != 0b01:
        return 12
    return 14 + (_byte(data, start + 13) & 0b111)


def _length(data: mmap.mmap, start: int) -> int:
    return _byte(data, start) << 8 | _byte(data, start + 1)


def _byte(data: mmap.mmap, at: int) -> int:
    if at >= len(data):
        raise BadFile(Code.FILE_DAMAGED)
    return data[at]
