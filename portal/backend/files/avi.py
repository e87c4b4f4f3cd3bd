"""AVI videos: checks that all chunks are complete, and blanks everything that a player does not need."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass

from portal.backend.files.jpeg import blank_metadata
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code

_MOST_CHUNKS = 500_000
"""An hour with picture and sound has about 200,000."""

_STREAM = frozenset({b"strh", b"strf", b"indx", b"vprp"})
"""What describes a stream. The others hold its name, notes of the camera or padding."""

_PLAYED = frozenset({b"vids", b"auds", b"iavs"})
"""Streams of picture and sound. Cameras write places and times as a stream of texts."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A chunk. `kind` is the type of the list for a `LIST`; `start` is where the chunk starts, `body` its content."""

    kind: bytes
    start: int
    body: int
    end: int
    is_list: bool


class _Avi:
    """One file. `unplayed` holds the numbers of streams that are neither picture nor sound, as in chunk names."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._seen = 0
        self._streams = 0
        self._unplayed: set[bytes] = set()
        self._has_movie = False

    def clean(self) -> None:
        """Check and clean all RIFF chunks. A file of more than 1 GB would have several."""
        data, start = self._data, 0
        while data[start : start + 4] == b"RIFF" and start + 12 <= len(data):
            end = start + 8 + int.from_bytes(data[start + 4 : start + 8], "little")
            if end > len(data):
                raise BadFile(Code.FILE_DAMAGED)
            self._file(start + 12, end)
            start = end + end % 2
        self._zero(start, len(data))  # some cameras write padding or notes after the last RIFF chunk
        if not self._has_movie:
            raise BadFile(Code.FILE_DAMAGED)

    def _file(self, start: int, end: int) -> None:
        for chunk in self._chunks(start, end):
            if chunk.kind == b"hdrl" and chunk.is_list:
                self._header(chunk)
            elif chunk.kind == b"movi" and chunk.is_list:
                self._has_movie = True
                self._movie(chunk)
            elif chunk.kind != b"idx1":
                self._remove(chunk)

    def _header(self, header: _Chunk) -> None:
        for chunk in self._chunks(header.body, header.end):
            if chunk.is_list and chunk.kind == b"strl":
                self._stream(chunk)
            elif chunk.is_list and chunk.kind == b"odml":
                for inner in self._chunks(chunk.body, chunk.end):
                    if inner.kind != b"dmlh":
                        self._remove(inner)
            elif chunk.kind != b"avih":
                self._remove(chunk)

    def _stream(self, stream: _Chunk) -> None:
        played = True
        for chunk in self._chunks(stream.body, stream.end):
            if chunk.kind == b"strh":
                played = self._data[chunk.body : chunk.body + 4] in _PLAYED
            elif chunk.kind not in _STREAM:
                self._remove(chunk)
            elif not played:
                self._zero(chunk.body, chunk.end)  # players expect the chunk
        if not played:
            self._unplayed.add(b"%02d" % self._streams)
        self._streams += 1

    def _movie(self, movie: _Chunk) -> None:
        pending = [movie]
        while pending:
            inside = pending.pop()
            for chunk in self._chunks(inside.body, inside.end, strict=False):
                if chunk.is_list:
                    pending.append(chunk)
                elif chunk.kind[:2].isdigit() and chunk.kind[:2] not in self._unplayed:
                    blank_metadata(self._data, chunk.body, chunk.end)
                elif chunk.kind[:2] != b"ix":
                    self._zero(chunk.body, chunk.end)

    def _chunks(self, start: int, end: int, *, strict: bool = True) -> Iterator[_Chunk]:
        """The chunks between two offsets. Players skip a frame that does not fit: an error only if `strict`."""
        data = self._data
        while start + 8 <= end:
            self._seen += 1
            kind, body = bytes(data[start : start + 4]), start + 8
            stop = body + int.from_bytes(data[start + 4 : body], "little")
            if (strict and stop > end) or self._seen > _MOST_CHUNKS:
                raise BadFile(Code.FILE_DAMAGED)
            if stop > end:
                return
            is_list = kind == b"LIST" and stop - body >= 4
            if is_list:
                kind, body = bytes(data[body : body + 4]), body + 4
            yield _Chunk(kind, start, body, stop, is_list)
            start = stop + stop % 2

    def _remove(self, chunk: _Chunk) -> None:
        """Turn a chunk into padding of the same length."""
        self._data[chunk.start : chunk.start + 4] = b"JUNK"
        self._zero(chunk.start + 8, chunk.end)

    def _zero(self, start: int, end: int) -> None:
        for at in range(start, end, 1 << 20):
            stop = min(at + (1 << 20), end)
            self._data[at:stop] = bytes(stop - at)


def clean(data: mmap.mmap) -> None:
    """Check that an AVI has all chunks in full and a `movi` list, and blank its metadata.

    Titles, dates, places, notes of the camera and streams of texts are overwritten with zeros. Nothing moves, so the
    index stays valid.

    Raises:
        BadFile: `file_damaged`.
    """
    _Avi(data).clean()
