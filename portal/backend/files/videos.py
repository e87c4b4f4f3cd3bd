"""Videos: their pictures and sound are copied into a new file, which leaves everything else behind.

FFmpeg reads and writes the containers. No picture is decoded or changes; titles, places, times, chapters, subtitles and
the tracks and notes of cameras are not copied.
"""

import mmap
import re
from pathlib import Path
from typing import Any

import av
from av.error import FFmpegError
from av.stream import Disposition

from portal.backend.files.checks import BadFile, blank_metadata
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

_READ_AS = {FileKind.MP4: "mov", FileKind.MOV: "mov", FileKind.AVI: "avi", FileKind.MPG: "mpeg"}
_PACK, _END = 0xBA, 0xB9
"""Codes of the header of a pack and of the end of an MPEG program stream (ISO 13818-1)."""

_USER_DATA = re.compile(rb"\x00\x00\x01\xb2.*?(?=\x00\x00\x01|\Z)", re.DOTALL)
"""Notes within MPEG-1 and MPEG-2 pictures (ISO 13818-2, section 6.2.2.2.2)."""


def clean(path: Path, kind: FileKind) -> None:
    """Check a video and write its pictures and sound anew, in place.

    Raises `BadFile`: `file_damaged`, it is truncated or not a video of this kind.
    """
    written = path.with_suffix(".clean")
    try:
        if not _is_whole(path, kind):
            raise BadFile(Code.FILE_DAMAGED)
        with av.open(str(path), format=_READ_AS[kind]) as film:
            _copy(film, written, _written_as(film, kind))
        written.replace(path)
    except (FFmpegError, ValueError, IndexError) as error:
        raise BadFile(Code.FILE_DAMAGED) from error
    finally:
        written.unlink(missing_ok=True)


def _is_whole(path: Path, kind: FileKind) -> bool:
    """Whether the end of the file is there, which FFmpeg does not miss in AVI and MPG."""
    if kind not in {FileKind.AVI, FileKind.MPG}:
        return True
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if kind is FileKind.AVI:
            return 8 + int.from_bytes(data[4:8], "little") <= len(data)
        at = 0
        while at < len(data) and data[at : at + 3] == b"\x00\x00\x01" and data[at + 3] != _END:
            if data[at + 3] != _PACK:
                at += 6 + int.from_bytes(data[at + 4 : at + 6], "big")
            else:
                at += 14 + (data[at + 13] & 0b111) if data[at + 4] >> 6 == 0b01 else 12
        ended = data[at : at + 4] == b"\x00\x00\x01%c" % _END
        return at <= len(data) and (ended or not any(data[at : at + 4096]))


def _written_as(film: Any, kind: FileKind) -> str:
    if kind is FileKind.MPG:
        return "vob"
    if kind is FileKind.MP4:
        brand = film.metadata.get("major_brand", "")[:3]
        return brand if brand in {"3gp", "3g2"} else "mp4"
    return kind.value.lower()


def _copy(film: Any, written: Path, form: str) -> None:
    played = [
        each
        for each in (*film.streams.video, *film.streams.audio)
        if each.codec_context and not each.disposition & Disposition.attached_pic
    ]
    if not any(each.type == "video" for each in played):
        raise BadFile(Code.FILE_DAMAGED)
    options = {"fflags": "bitexact", **({"movflags": "faststart"} if form in {"mp4", "mov", "3gp", "3g2"} else {})}
    with av.open(str(written), "w", format=form, options=options) as target:
        copies = {each.index: _stream_like(target, each) for each in played}
        next_dts = dict[int, int]()
        for packet in film.demux(played):
            source = packet.stream
            if packet.is_corrupt:
                raise BadFile(Code.FILE_DAMAGED)
            if not packet.size:
                continue  # the end of a stream
            if packet.dts is None:  # program streams have times for some pictures only
                packet.dts = next_dts.get(source.index)
            if packet.dts is not None:
                next_dts[source.index] = packet.dts + (packet.duration or 1)
            _blank_notes(packet)
            packet.stream = copies[source.index]
            target.mux(packet)
    if not any(each.type == "video" and each.index in next_dts for each in played):
        raise BadFile(Code.FILE_DAMAGED)


def _stream_like(target: Any, source: Any) -> Any:
    stream = target.add_stream_from_template(source, opaque=True)
    if source.codec_tag == "hvc1":
        stream.codec_tag = source.codec_tag  # some players refuse the other tag of HEVC
    if (source.codec_context.extradata or b"").startswith(b"AVIF"):
        stream.codec_context.extradata = None  # notes of a camera in an AVI
    return stream


def _blank_notes(packet: Any) -> None:
    """Overwrite with zeros what a camera wrote into a picture."""
    codec = packet.stream.codec_context.name
    if codec == "mjpeg":
        picture = bytearray(packet)
        blank_metadata(picture, 0, len(picture))
        packet.update(bytes(picture))
    elif codec in {"mpeg1video", "mpeg2video"}:
        packet.update(_USER_DATA.sub(lambda notes: bytes(len(notes[0])), bytes(packet)))
