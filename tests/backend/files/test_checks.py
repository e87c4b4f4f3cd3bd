"""What a file is, is decided by reading it; what is kept tells nothing of where it was made."""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from portal.backend.files.checks import BadFile, FileFindings, claimed, inspect
from portal.backend.files.store import tidy_name
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind
from tests.support import files

ALL = {kind.value for kind in FileKind}
EVERYTHING = files.everything()
AVIF = files.avif()


def look(tmp_path: Path, content: bytes, kinds: set[str] = ALL) -> tuple[FileFindings, bytes, bytes]:
    place, preview = tmp_path / "file", tmp_path / "preview"
    place.write_bytes(content)
    found = inspect(place, kinds, preview)
    return found, place.read_bytes(), preview.read_bytes() if preview.exists() else b""


def refused(tmp_path: Path, content: bytes, kinds: set[str] = ALL) -> Code:
    with pytest.raises(BadFile) as caught:
        look(tmp_path, content, kinds)
    assert not (tmp_path / "preview").exists()
    return caught.value.code


@pytest.mark.parametrize("kind", EVERYTHING)
def test_a_good_file_is_known_by_its_content(tmp_path: Path, kind: str) -> None:
    found, kept, preview = look(tmp_path, EVERYTHING[kind][1])
    assert found.kind == kind
    assert found.media_type != "video/quicktime" or kind == "MOV"
    assert (found.size, found.sha256) == (len(kept), hashlib.sha256(kept).hexdigest())
    assert found.preview == bool(preview) == FileKind(kind).photo


@pytest.mark.parametrize("kind", EVERYTHING)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, kind: str, share: float) -> None:
    content = EVERYTHING[kind][1]
    assert refused(tmp_path, content[: int(len(content) * share)]) is Code.FILE_DAMAGED


def _bomb(side: int) -> bytes:
    """A PNG of a few kilobytes that unpacks to `side` times `side` pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes(1 + side // 8) * 2000, 9)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


HEADS = [
    b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", b"\x00\x00\x00\x18ftypisom", b"\x00\x00\x01\xba",
    b"\x00\x00\x00\x18ftypheic", b"RIFF\xff\x00\x00\x00AVI ",
]  # fmt: skip
"""The first bytes alone convince nobody."""
NOT_OURS = [
    files.PROGRAM, b"<html><script>alert(1)</script></html>", b"<svg onload='alert(1)'/>", b"<?php system('x');",
    b"PK\x03\x04" + b"\x00" * 200, b"GIF89a" + b"\x00" * 100, b"RIFF\x10\x00\x00\x00WEBPVP8 ", b" ", b"\x00" * 5000,
]  # fmt: skip


@pytest.mark.parametrize(
    ("contents", "code"),
    [
        (NOT_OURS, Code.FILE_NOT_ALLOWED),
        ([b""], Code.FILE_EMPTY),
        ([head + files.PROGRAM for head in HEADS], Code.FILE_DAMAGED),
        ([files.film().replace(b"vide", b"soun")], Code.FILE_DAMAGED),
        ([files.pdf(script=True), files.pdf(password="x"), files.pdf_that_launches()],
         Code.FILE_PROTECTED),
        ([_bomb(12_000)], Code.FILE_TOO_DETAILED),
    ],
    ids=["not ours", "empty", "only the first bytes", "no pictures", "active", "bomb"],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_reason(tmp_path: Path, contents: list[bytes], code: Code) -> None:
    for content in contents:
        assert refused(tmp_path, content) is code, content[:20]


def test_a_photo_loses_place_camera_and_notes_and_stands_upright(tmp_path: Path) -> None:
    content = files.jpg(640, 480, turned=True)
    assert b"GEHEIM" in content
    found, kept, preview = look(tmp_path, content)
    assert found.media_type == "image/jpeg"
    for picture in (kept, preview):
        opened = Image.open(io.BytesIO(picture))
        assert not opened.getexif()
        assert "comment" not in opened.info
        assert b"GEHEIM" not in picture
        assert b"Exif" not in picture
        assert opened.height > opened.width
    assert max(Image.open(io.BytesIO(preview)).size) == 320


def test_a_jpeg_without_its_end_mark_is_whole(tmp_path: Path) -> None:
    whole, cut = files.jpg(640, 480), files.jpg(640, 480)[:-2]
    assert whole.endswith(b"\xff\xd9")
    shown = [Image.open(io.BytesIO(look(tmp_path, content)[1])).tobytes() for content in (whole, cut)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("missing", [1, 2])
def test_a_progressive_jpeg_without_its_end_mark_is_whole_and_a_part_of_one_is_not(
    tmp_path: Path, missing: int
) -> None:
    out = io.BytesIO()
    Image.effect_noise((640, 480), 60).save(out, "JPEG", progressive=True)
    whole = out.getvalue()
    for share in (0.3, 0.6, 0.95):
        assert refused(tmp_path, whole[: int(len(whole) * share)]) is Code.FILE_DAMAGED
    shown = [Image.open(io.BytesIO(look(tmp_path, content)[1])).tobytes() for content in (whole, whole[:-missing])]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("form", "size", "kept"),
    [
        ("JPEG", (9248, 6936), (4624, 3468)),
        ("JPEG", (16320, 12240), (8160, 6120)),
        ("JPEG", (7000, 7000), (7000, 7000)),
        ("PNG", (9280, 6944), (4640, 3472)),
    ],
)
def test_a_photo_of_a_large_sensor_becomes_smaller(
    tmp_path: Path, form: str, size: tuple[int, int], kept: tuple[int, int]
) -> None:
    out = io.BytesIO()
    Image.new("L", size, 128).save(out, form, quality=30)
    assert Image.open(io.BytesIO(look(tmp_path, out.getvalue())[1])).size == kept


@pytest.mark.parametrize(
    ("brand", "compatible", "kind"),
    [(brand, b"isomiso2mp41", "MP4") for brand in (b"XAVC", b"iso3", b"iso8", b"hvc1", b"M4VH", b"f4v ", b"3g2a")]
    + [(b"MiHE", b"mif1heic", "HEIC"), (b"niko", b"qt  ", "MOV"), (b"NEWB", b"mp42", "MP4"), (b"qt  ", b"mp42", "MOV")]
    + [(b"avif", b"mif1miaf", "HEIC"), (b"M4A ", b"mp42isom", None), (b"crx ", b"isom", None), (b"XAVC", b"", None)],
)
def test_a_film_is_known_by_its_compatible_brands_too(brand: bytes, compatible: bytes, kind: str | None) -> None:
    found = claimed(files.box(b"ftyp", brand, bytes(4), compatible) + b"mp42")
    assert (found.value if found else None) == kind


def test_a_film_of_another_brand_is_written_anew(tmp_path: Path) -> None:
    content = files.film()
    for brand in (b"XAVC", b"3g2a"):
        found, kept, _ = look(tmp_path, content.replace(b"ftypisom", b"ftyp" + brand, 1))
        assert (found.kind, found.media_type) == ("MP4", "video/mp4")
        assert b"GEHEIM" not in kept


@pytest.mark.parametrize("mode", ["RGBA", "RGB", "L", "LA", "P", "1", "I;16"])
def test_a_png_of_any_make_loses_its_notes(tmp_path: Path, mode: str) -> None:
    content = files.png(mode="L" if mode == "I;16" else mode)
    if mode == "I;16":
        out = io.BytesIO()
        Image.new("I;16", (40, 30), 4000).save(out, "PNG")
        content = out.getvalue()
    found, kept, preview = look(tmp_path, content)
    assert found.media_type == "image/png"
    assert b"GEHEIM" not in kept
    assert not Image.open(io.BytesIO(kept)).getexif()
    assert Image.open(io.BytesIO(preview)).format == "JPEG"


@pytest.mark.parametrize("content", [files.HEIC_PHOTO, AVIF, AVIF.replace(b"ftypavif", b"ftypmif1")])
def test_a_photo_of_a_phone_is_kept_as_a_jpeg_without_its_place(tmp_path: Path, content: bytes) -> None:
    found, kept, preview = look(tmp_path, content)
    assert b"GEHEIM" in content
    assert (found.kind, found.media_type) == ("HEIC", "image/jpeg")
    opened = Image.open(io.BytesIO(kept))
    assert (opened.format, opened.size) == ("JPEG", (320, 240))
    assert not opened.getexif()
    assert b"GEHEIM" not in kept
    assert preview.startswith(b"\xff\xd8")


@pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", files.PROGRAM, b"PK\x05\x06" + b"\x00" * 18])
def test_what_hangs_behind_a_photo_is_gone(tmp_path: Path, tail: bytes) -> None:
    _, kept, _ = look(tmp_path, files.jpg() + tail)
    assert tail not in kept


@pytest.mark.parametrize(
    ("given", "shown"),
    [("../../etc/passwd", "passwd"), ("C:\\Users\\x\\foto.jpg", "foto.jpg"), ("\u202egpj.exe", "gpj.exe"),
     ("a\x00b\r\n.jpg", "ab.jpg"), ("", "bestand"), ("...", "bestand"), ("<b>x</b>.png", "b.png"),
     ("x" * 300 + ".jpeg", "x" * 115 + ".jpeg"), ("Fiets é.JPG", "Fiets é.JPG")],
)  # fmt: skip
def test_a_name_is_only_for_showing(given: str, shown: str) -> None:
    assert tidy_name(given) == shown
