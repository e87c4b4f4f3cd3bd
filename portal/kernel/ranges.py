"""Parts of a file, as browsers ask for them to seek in a video or to continue a download (RFC 9110, section 14)."""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*", re.IGNORECASE)
_CONTENT_RANGE = re.compile(r"bytes (?:([0-9]{1,15})-([0-9]{1,15})|\*)/([0-9]{1,15})")


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive bytes of a file. `length` is 0 when the file has none of the bytes that were asked for."""

    first: int
    length: int


def asked_range(header: str) -> tuple[int | None, int | None]:
    """The first and the last byte that a `Range` header asks for.

    Without a first byte, the second number counts bytes from the end. Both are None for the whole file: without a
    header, and for one that we do not serve in parts, such as several ranges.
    """
    found = _RANGE.fullmatch(header)
    if found is None:
        return None, None
    first, last = (int(text) if text else None for text in found.groups())
    if first is not None and last is not None and last < first:
        return None, None
    return first, last


def part_of(size: int, first: int | None, last: int | None) -> Part | None:
    """The part of a file of this size; None for the whole file. The numbers are those of `asked_range`."""
    if first is None and last is None:
        return None
    if first is None:
        length = min(last or 0, size)
        return Part(size - length, length)
    if first >= size:
        return Part(size, 0)
    end = size if last is None else min(last + 1, size)
    return Part(first, max(0, end - first))


def content_range(part: Part, size: int) -> str:
    """The value of the header `Content-Range`."""
    return f"bytes {part.first}-{part.first + part.length - 1}/{size}" if part.length else f"bytes */{size}"


def read_content_range(header: str) -> tuple[Part, int] | None:
    """Part and size in a header `Content-Range`; None if it is none."""
    found = _CONTENT_RANGE.fullmatch(header)
    if found is None:
        return None
    first, last, size = found.groups()
    if first is None:
        return Part(int(size), 0), int(size)
    if not int(first) <= int(last) < int(size):
        return None
    return Part(int(first), int(last) - int(first) + 1), int(size)
