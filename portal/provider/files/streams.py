"""AVI and MPG: chunks and packets, one after the other, each with its length."""

from __future__ import annotations

from mmap import mmap

from portal.domain.codes import Code
from portal.provider.files.kinds import BadFile

_PACK, _END = 0xBA, 0xB9
_FIRST_STREAM = 0xBB
_PICTURES = range(0xE0, 0xF0)
"""Stream ids of pictures in a program stream (ISO 13818-1)."""


def check_avi(data: mmap) -> None:
    """Look whether an AVI has every chunk that its lengths announce, and its list of pictures.

    Raises:
        BadFile: `file_damaged`.
    """
    start, movie = 0, False
    while start + 12 <= len(data):
        if data[start : start + 4] != b"RIFF":
            break  # some cameras write blanks behind the last one
        end = start + 8 + int.from_bytes(data[start + 4 : start + 8], "little")
        if end > len(data):
            raise BadFile(Code.FILE_DAMAGED)
        movie |= _has_movie(data, start + 12, end)
        start = end + end % 2
    if not movie:
        raise BadFile(Code.FILE_DAMAGED)


def _has_movie(data: mmap, start: int, end: int) -> bool:
    found = False
    while start + 8 <= end:
        size = int.from_bytes(data[start + 4 : start + 8], "little")
        if start + 8 + size > end:
            raise BadFile(Code.FILE_DAMAGED)
        found |= data[start : start + 4] == b"LIST" and data[start + 8 : start + 12] == b"movi"
        start += 8 + size + size % 2
    return found


def check_mpg(data: mmap) -> None:
    """Look whether a program stream is whole packets up to its end, some of them pictures.

    Raises:
        BadFile: `file_damaged`.
    """
    start, pictures = 0, False
    while start < len(data):
        if data[start : start + 3] != b"\x00\x00\x01":
            if any(data[start : start + 4096]):
                raise BadFile(Code.FILE_DAMAGED)
            break  # padding behind the end
        if start + 4 > len(data):
            raise BadFile(Code.FILE_DAMAGED)
        code = data[start + 3]
        if code == _END:
            break
        if code < _END:
            raise BadFile(Code.FILE_DAMAGED)
        pictures |= code in _PICTURES
        start += _pack_length(data, start) if code == _PACK else 6 + _length(data, start + 4)
        if start > len(data):
            raise BadFile(Code.FILE_DAMAGED)
    if not pictures:
        raise BadFile(Code.FILE_DAMAGED)


def _pack_length(data: mmap, start: int) -> int:
    """MPEG-2 headers say how much is stuffed behind them, those of MPEG-1 have one length."""
    if start + 12 > len(data):
        raise BadFile(Code.FILE_DAMAGED)
    if data[start + 4] >> 6 != 0b01:
        return 12
    if start + 14 > len(data):
        raise BadFile(Code.FILE_DAMAGED)
    return 14 + (data[start + 13] & 0b111)


def _length(data: mmap, start: int) -> int:
    if start + 2 > len(data):
        raise BadFile(Code.FILE_DAMAGED)
    return int.from_bytes(data[start : start + 2], "big")
