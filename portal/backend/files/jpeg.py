"""JPEG pictures inside other files: frames of a video and images of a PDF, which are not encoded anew."""

from __future__ import annotations

import mmap

_KEPT = frozenset({0xE0, 0xEE})
"""Application segments that decoders need: JFIF or AVI1, and Adobe's colour transform."""

_COMMENT = 0xFE
_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
_LAST = frozenset({0xD9, 0xDA})
"""End of the image, and start of the scan, which no metadata follows."""


def blank_metadata(data: bytearray | mmap.mmap, start: int, end: int) -> None:
    """Overwrite Exif, XMP, comments and other metadata of a JPEG with zeros. Nothing moves.

    Args:
        data: the file that holds the picture.
        start: offset of its first byte. Data that is no JPEG stays as it is.
        end: offset after its last byte.
    """
    if data[start : start + 3] != b"\xff\xd8\xff":
        return
    at = start + 2
    while at + 4 <= end and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _LAST:
            return
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _WITHOUT_LENGTH:
            at += 2
            continue
        stop = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if not at + 4 <= stop <= end:
            return
        if marker == _COMMENT or (0xE0 <= marker <= 0xEF and marker not in _KEPT):
            data[at + 4 : stop] = bytes(stop - at - 4)
        at = stop
