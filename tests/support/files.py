"""Generates real files of every kind: photos with a location, videos and PDF documents."""

from __future__ import annotations

import io
import random
import struct
from base64 import b64decode
from typing import Any

from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, TextStringObject

PLACE = b"+52.0907+005.1214/"
"""Location in the metadata of the videos (ISO 6709)."""
PROGRAM = b"MZ\x90\x00" + b"\x00" * 60 + b"PE\x00\x00" + b"\x4c\x01" * 500
"""A file that starts like a Windows executable."""


def picture(width: int = 640, height: int = 480, mode: str = "RGB") -> Image.Image:
    """A picture with noise, which encoders cannot compress well."""
    noise = random.Random(7).randbytes(64 * 48 * 3)
    return Image.frombytes("RGB", (64, 48), noise).resize((width, height)).convert(mode)


def _exif(*, turned: bool = False) -> Image.Exif:
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Camera", "GEHEIM-MODEL"
    if turned:
        exif[0x0112] = 6
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 5.0, 26.5), 3: "E", 4: (5.0, 7.0, 17.0)})
    return exif


def jpg(width: int = 640, height: int = 480, *, turned: bool = False) -> bytes:
    """A photo with a location in its metadata. A `turned` photo has an EXIF rotation."""
    out = io.BytesIO()
    picture(width, height).save(out, "JPEG", quality=92, exif=_exif(turned=turned), comment=b"GEHEIM-COMMENT")
    return out.getvalue()


def avif() -> bytes:
    out = io.BytesIO()
    picture(320, 240).save(out, "AVIF", exif=_exif())
    return out.getvalue()


def png(width: int = 320, height: int = 240, mode: str = "RGBA") -> bytes:
    """A picture with text metadata."""
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("Location", "GEHEIM-PLACE")
    out = io.BytesIO()
    picture(width, height, mode).save(out, "PNG", pnginfo=info, exif=_exif())
    return out.getvalue()


def pdf(pages: int = 1, *, script: bool = False, password: str = "") -> bytes:
    """A PDF, optionally with a script or a password."""
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width=595, height=842)
    if script:
        action = {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert(1)")}
        writer.root_object[NameObject("/OpenAction")] = DictionaryObject(action)
    if password:
        writer.encrypt(password)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def pdf_that_launches() -> bytes:
    """A PDF with a link that launches a program."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=200, height=200)
    action = DictionaryObject({NameObject("/S"): NameObject("/Launch"), NameObject("/F"): TextStringObject("x.exe")})
    page[NameObject("/AA")] = DictionaryObject({NameObject("/O"): action})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def box(kind: bytes, *content: bytes) -> bytes:
    """A box of an MP4 or MOV."""
    body = b"".join(content)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def film(brand: bytes = b"isom", samples: int = 4096) -> bytes:
    """An MP4, or a MOV with the brand `qt  `, with one video track and a location."""
    head = box(b"ftyp", brand, b"\x00\x00\x02\x00", brand)
    pictures = random.Random(3).randbytes(samples)
    offset = len(head) + 8
    entry = box(
        b"avc1",
        b"\x00" * 6 + b"\x00\x01" + b"\x00" * 16 + struct.pack(">HH", 640, 480) + b"\x00\x48\x00\x00" * 2
        + b"\x00" * 4 + b"\x00\x01" + b"\x00" * 32 + b"\x00\x18\xff\xff",
        box(b"avcC", b"\x01\x42\x00\x1e\xff\xe0\x00"),
    )  # fmt: skip
    table = box(
        b"stbl",
        box(b"stsd", b"\x00" * 4, struct.pack(">I", 1), entry),
        box(b"stts", b"\x00" * 4, struct.pack(">III", 1, 1, 1000)),
        box(b"stsc", b"\x00" * 4, struct.pack(">IIII", 1, 1, 1, 1)),
        box(b"stsz", b"\x00" * 4, struct.pack(">II", samples, 1)),
        box(b"stco", b"\x00" * 4, struct.pack(">II", 1, offset)),
    )
    media = box(
        b"mdia",
        box(b"mdhd", b"\x00" * 12, struct.pack(">II", 1000, 1000), b"\x55\xc4\x00\x00"),
        box(b"hdlr", b"\x00" * 8, b"vide", b"\x00" * 12, b"Video\x00"),
        box(b"minf", box(b"vmhd", b"\x00\x00\x00\x01" + b"\x00" * 8), table),
    )
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    track = box(
        b"trak",
        box(b"tkhd", b"\x00\x00\x00\x07" + b"\x00" * 8, struct.pack(">III", 1, 0, 1000), b"\x00" * 16, matrix,
            struct.pack(">II", 640 << 16, 480 << 16)),
        media,
    )  # fmt: skip
    movie = box(b"mvhd", b"\x00" * 12, struct.pack(">III", 1000, 1000, 0x10000), b"\x01\x00" + b"\x00" * 10, matrix,
                b"\x00" * 24, struct.pack(">I", 2))  # fmt: skip
    notes = box(b"udta", box(b"\xa9xyz", struct.pack(">HH", len(PLACE), 0x15C7), PLACE))
    return head + box(b"mdat", pictures) + box(b"moov", movie, track, notes)


def _chunk(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack("<4sI", kind, len(body)) + body + b"\x00" * (len(body) % 2)


def avi(frames: int = 4) -> bytes:
    """An AVI with MJPEG frames."""
    out = io.BytesIO()
    picture(64, 48).save(out, "JPEG")
    frame = out.getvalue()
    header = struct.pack("<14I", 40000, 0, 0, 0x10, frames, 0, 1, len(frame), 64, 48, 0, 0, 0, 0)
    stream = struct.pack("<4s4sIHHIIIIIIIIHHHH", b"vids", b"MJPG", 0, 0, 0, 0, 1, 25, 0, frames, len(frame), 0, 0,
                         0, 0, 64, 48)  # fmt: skip
    bitmap = struct.pack("<IiiHH4sIiiII", 40, 64, 48, 1, 24, b"MJPG", 64 * 48 * 3, 0, 0, 0, 0)
    strl = _chunk(b"LIST", b"strl", _chunk(b"strh", stream), _chunk(b"strf", bitmap))
    hdrl = _chunk(b"LIST", b"hdrl", _chunk(b"avih", header), strl)
    movi = _chunk(b"LIST", b"movi", *[_chunk(b"00dc", frame)] * frames)
    return _chunk(b"RIFF", b"AVI ", hdrl, movi)


def mpg(packets: int = 12) -> bytes:
    """An MPEG program stream with packets of MPEG-2 video."""
    pack = b"\x00\x00\x01\xba" + bytes([0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8])
    sequence = b"\x00\x00\x01\xb3" + bytes([0x28, 0x01, 0xE0, 0x33, 0x0F, 0xFF, 0xE0, 0x18])
    extension = b"\x00\x00\x01\xb5" + bytes([0x14, 0x82, 0x00, 0x01, 0x00, 0x00])
    image = b"\x00\x00\x01\x00\x00\x0f\xff\xf8" + b"\x00\x00\x01\x01" + b"\x5a" * 1500
    stamp = bytes([0x80, 0x80, 5, 0x21, 0, 1, 0, 1])
    found = b""
    for _ in range(packets):
        body = stamp + sequence + extension + image
        found += pack + b"\x00\x00\x01\xe0" + struct.pack(">H", len(body)) + body
    return found + b"\x00\x00\x01\xb9"


def everything() -> dict[str, tuple[str, bytes]]:
    """One valid file of every kind: name and content by kind."""
    made: dict[str, Any] = {
        "JPG": ("IMG_0001.JPG", jpg()),
        "PNG": ("schade.png", png()),
        "HEIC": ("IMG_0002.HEIC", HEIC_PHOTO),
        "PDF": ("offerte.pdf", pdf(2)),
        "MP4": ("film.mp4", film()),
        "MOV": ("IMG_0003.MOV", film(b"qt  ")),
        "AVI": ("film.avi", avi()),
        "MPG": ("film.mpg", mpg()),
    }
    return made


HEIC_PHOTO = b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAZdtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA"
    "ADRpbG9jAAAAAERAAAIAAQAAAAABuwABAAAAAAAAAGAAAgAAAAACGwABAAAAAAAAALgAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAA"
    "AAABAABodmMxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAA"
    "kAAAAAAAPPAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAPLoCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwA8oAoIDxZb"
    "qSSmubgIaDAgAAADAyAAAAMAIWIAAQAHRAHBcrBiQAAAABNjb2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAAFAAAAA8AAAABBw"
    "aXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAABppcmVmAAAAAAAAAA5jZHNjAAIAAQABAAABIG1kYXQAAABcKAGv"
    "C0hb1jD6XQnE9E6YBcg0YqWHlCQM+JLFOOMtBVSm9OvM1ku3sJ3c43AeQN1tjA4YWhswmOBUxrksr/nvHyYGRUAAAAXMpAYKFL8k"
    "T2clkAAAAwAAAwAAB3wAAAAGRXhpZgAATU0AKgAAAAgAAwEPAAIAAAAHAAAAMgEQAAIAAAANAAAAOoglAAQAAAABAAAASAAAAABD"
    "YW1lcmEAAEdFSEVJTS1NT0RFTAAAAAQAAQACAAAAAk4AAAAAAgAFAAAAAwAAAH4AAwACAAAAAkUAAAAABAAFAAAAAwAAAJYAAAAA"
    "AAAANAAAAAEAAAAFAAAAAQAAADUAAAACAAAABQAAAAEAAAAHAAAAAQAAABEAAAAB"
)
"""A photo as a phone makes it: HEVC in HEIF, 320 by 240, with the place where it was made among its notes."""
