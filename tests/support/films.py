"""Videos made by real encoders, with metadata in every place where cameras and programs leave them."""

import hashlib
import io
import struct

import av
from PIL import Image

from tests.support.files import box

MARK = b"GEHEIM"
"""Part of every piece of metadata."""

_WIDTH, _HEIGHT, _FRAMES = 160, 120, 24


def encoded(container: str, pictures: str, sound: str, pixels: str = "yuv420p") -> bytes:
    """A second of moving pictures with sound and a title, as ffmpeg writes it."""
    out = io.BytesIO()
    with av.open(out, "w", format=container) as film:
        film.metadata["title"], film.metadata["comment"] = "GEHEIM-TITLE", "GEHEIM-COMMENT"
        video, audio = film.add_stream(pictures, rate=25), film.add_stream(sound, rate=48_000)
        assert isinstance(video, av.VideoStream)
        assert isinstance(audio, av.AudioStream)
        video.width, video.height, video.pix_fmt = _WIDTH, _HEIGHT, pixels
        audio.layout = "stereo"
        for number in range(_FRAMES):
            moved = Image.effect_mandelbrot((_WIDTH, _HEIGHT), (-2, -1.5, 1, 1.5 - number / 50), 50)
            film.mux(video.encode(av.VideoFrame.from_image(moved.convert("RGB"))))
            samples = audio.frame_size or 1152
            silence = av.AudioFrame(format=audio.format.name, layout="stereo", samples=samples)
            silence.rate, silence.pts = 48_000, number * samples
            for plane in silence.planes:
                plane.update(bytes(plane.buffer_size))
            film.mux(audio.encode(silence))
        film.mux(video.encode(None))
        film.mux(audio.encode(None))
    return out.getvalue()


def played(content: bytes) -> dict[str, list[str]]:
    """A hash of each decoded picture and piece of sound, by stream."""
    found = dict[str, list[str]]()
    with av.open(io.BytesIO(content), "r") as film:
        for frame in film.decode(video=0):
            found.setdefault("video", []).append(_hash(frame))
    with av.open(io.BytesIO(content), "r") as film:
        for frame in film.decode(audio=0):
            found.setdefault("audio", []).append(_hash(frame))
    return found


def _hash(frame: av.VideoFrame | av.AudioFrame) -> str:
    return hashlib.sha256(b"".join(bytes(plane) for plane in frame.planes)).hexdigest()


def titles(content: bytes) -> dict[str, str]:
    """Title, comment and date that a player shows."""
    with av.open(io.BytesIO(content)) as film:
        return dict(film.metadata)


def with_track(film: bytes, handler: bytes, entry: bytes, notes: list[bytes], table: bytes = b"stsz") -> bytes:
    """An MP4 whose movie box is at its end, with a further track of notes, two in each chunk, after the other boxes.

    Args:
        film: the video.
        handler: type of the track, such as `meta`.
        entry: format of its samples, such as `mebx`.
        notes: the samples, of at most 255 bytes.
        table: box of the sizes: `stsz`, `stz2`.
    """
    moov = film.rindex(b"moov") - 4
    chunks = [b"".join(notes[place : place + 2]) for place in range(0, len(notes), 2)]
    movie = film[moov + 8 :]

    def track(starts: list[int]) -> bytes:
        sizes = {
            b"stsz": box(b"stsz", b"\x00" * 4, struct.pack(f">II{len(notes)}I", 0, len(notes), *map(len, notes))),
            b"stz2": box(b"stz2", b"\x00" * 7 + b"\x08", struct.pack(">I", len(notes)), bytes(map(len, notes))),
        }
        groups = struct.pack(">I3I", 1, 1, 2, 1)
        if len(notes) % 2:
            groups = struct.pack(">I6I", 2, 1, 2, 1, len(chunks), 1, 1)
        described = box(
            b"stbl",
            box(b"stsd", b"\x00" * 4, struct.pack(">I", 1), box(entry, b"\x00" * 6 + b"\x00\x01" + MARK)),
            box(b"stts", b"\x00" * 4, struct.pack(">III", 1, len(notes), 1000)),
            box(b"stsc", b"\x00" * 4, groups),
            sizes[table],
            box(b"stco", b"\x00" * 4, struct.pack(f">I{len(starts)}I", len(starts), *starts)),
        )
        media = box(
            b"mdia",
            box(b"mdhd", b"\x00" * 12, struct.pack(">II", 1000, 1000), b"\x55\xc4\x00\x00"),
            box(b"hdlr", b"\x00" * 8, handler, b"\x00" * 12, b"GEHEIM camera\x00"),
            box(b"minf", box(b"nmhd", b"\x00" * 4), described),
        )
        header = b"\x00\x00\x00\x07" + b"\x00" * 8 + struct.pack(">III", 9, 0, 1000) + b"\x00" * 60
        return box(b"trak", box(b"tkhd", header), media)

    length = len(film) + len(track([0] * len(chunks)))
    starts, at = [], length + 8
    for chunk in chunks:
        starts.append(at)
        at += len(chunk)
    return film[:moov] + box(b"moov", movie, track(starts)) + box(b"mdat", *chunks)


def _chunk(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack("<4sI", kind, len(body)) + body + b"\x00" * (len(body) % 2)


def avi_of_a_camera(content: bytes) -> bytes:
    """An AVI with what cameras add: date, notes of the maker, XMP, a stream of places, and notes after the end.

    Args:
        content: an AVI of `encoded`. Its padding makes room, so that pictures and sound stay where they are.
    """
    film = bytearray(content)
    maker = _chunk(b"strd", b"AVIFGEHEIM-MAKER")
    texts = _chunk(b"strh", b"txts", b"\x00" * 52) + _chunk(b"strf", b"GEHEIM-FORMATS")
    places = _chunk(b"IDIT", b"GEHEIM-DATE") + _chunk(b"LIST", b"strl", texts)
    xmp = _chunk(b"_PMX", b"<x>GEHEIM-XMP</x>") + _chunk(b"JUNK", b"GEHEIM-JUNK")
    # The padding of the first stream, of all streams, and of the file.
    for least, chunks in ((4000, maker), (200, places), (1000, xmp)):
        at = next(at for at in _paddings(film) if least <= _size(film, at) < least + 300)
        left = _size(film, at) - len(chunks)
        film[at : at + 8 + _size(film, at)] = chunks + struct.pack("<4sI", b"JUNK", left) + bytes(left)
    movie = film.index(b"movi") - 8
    end = movie + 8 + _size(film, movie)
    place = _chunk(b"02tx", b"GEHEIM-PLACE") + _chunk(b"JUNK", b"GEHEIM-PADDING")
    film[end:end] = place
    film[movie + 4 : movie + 8] = struct.pack("<I", _size(film, movie) + len(place))
    film[4:8] = struct.pack("<I", len(film) - 8)
    return bytes(film) + b"GEHEIM-TAIL"


def _size(film: bytearray, at: int) -> int:
    return int.from_bytes(film[at + 4 : at + 8], "little")


def _paddings(film: bytearray) -> list[int]:
    return [at for at in range(len(film) - 8) if film[at : at + 4] == b"JUNK"]


def mpg_of_a_camera(content: bytes, *, user_data: bool) -> bytes:
    """An MPG with what cameras add: private packets, padding with notes, user data in the pictures, and a tail.

    Args:
        content: an MPG of `encoded`.
        user_data: whether the pictures have user data; H.264 has none.
    """
    pack = content[: 14 + (content[13] & 7)] if content[4] >> 6 == 1 else content[:12]
    mpeg2 = content[4] >> 6 == 1
    extra = b"".join(
        _packet(kind, b"GEHEIM-%02X" % kind * 4) for kind in (0xBF, 0xBE, 0xF0, 0xF2, 0xFC, 0xFF)
    ) + _packet(0xBD, _header(mpeg2) + b"\x21GEHEIM-SUBTITLE") + _packet(0xBC, _map())  # fmt: skip
    # User data that is split between two packets of pictures, in the middle of its start code and of its text.
    user = [b"\x00\x00", b"\x01\xb2GEHEIM-USER", b"DATA-GEHEIM", b"\x00"]
    pictures = b"".join(_packet(0xE0, _header(mpeg2) + part) for part in user if user_data)
    end = b"\x00\x00\x01\xb9"
    body = content[len(pack) :].removesuffix(end)
    return pack + extra + pictures + body + end + b"GEHEIM-TAIL"


def _packet(kind: int, body: bytes) -> bytes:
    return b"\x00\x00\x01%c" % kind + struct.pack(">H", len(body)) + body


def _header(mpeg2: bool) -> bytes:
    return b"\x80\x00\x00" if mpeg2 else b"\x0f"


def _map() -> bytes:
    """A program stream map whose stream has a private descriptor."""
    note = b"\xf0\x0bGEHEIM-NOTE"
    streams = b"\x02\xe0" + struct.pack(">H", len(note)) + note
    return b"\xe0\xff\x00\x00" + struct.pack(">H", len(streams)) + streams + b"\x00" * 4
