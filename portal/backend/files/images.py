"""Photos: re-encodes them, which removes all metadata, and creates previews."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from pi_heif import register_heif_opener
from PIL import Image, ImageOps, UnidentifiedImageError

from portal.backend.files.checks import MAX_PIXELS, BadFile, Version
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

PREVIEW = 320
"""Pixels of the longer side of a preview."""

_QUALITY = 90
_MAX_JPEG_PIXELS = 220_000_000
"""More than phones produce. A JPEG is decoded at a half or a quarter of its size."""

_MAX_STORED_PIXELS = 50_000_000
_FILL = bytes(8)
"""Bytes after a JPEG without end mark, with which the decoder comes to the last row. A part of a photo stays one."""

_END = b"\xff\xd9"

_MAX_PROFILE_BYTES = 1024 * 1024

_REDRAWN = ("JPEG", "PNG", "WEBP", "AVIF")
"""Formats of images that are drawn anew. SVG and others that can hold programs or refer to files are none."""

_FORMATS: dict[FileKind, tuple[str, ...]] = {
    # Phones store portraits as two images in one file (MPO). The first is the photo.
    FileKind.JPG: ("JPEG", "MPO"),
    FileKind.PNG: ("PNG",),
    # The brand of either file may be that of the container only. Pillow's AVIF plugin leaves other files to HEIF.
    FileKind.HEIC: ("AVIF", "HEIF"),
}

Image.init()

Image.MAX_IMAGE_PIXELS = None  # `clean` applies its own limit before decoding

register_heif_opener(thumbnails=False)


def clean(path: Path, kind: FileKind, preview: Path) -> str:
    """Re-encode a photo in place, rotated upright, and create a preview.

    `path`: the photo. A HEIC or AVIF photo is converted to JPEG.
    Returns the media type of the re-encoded photo.
    Raises `BadFile`: `file_damaged`; or `file_too_detailed`, too many pixels.
    """
    picture = _upright(path, _FORMATS[kind])
    profile = picture.info.get("icc_profile")
    written = path.with_suffix(".clean")
    try:
        _write(picture, kind, written, profile)
        _preview(picture, preview)
        written.replace(path)
    except (OSError, ValueError) as error:
        written.unlink(missing_ok=True)
        preview.unlink(missing_ok=True)
        raise BadFile(Code.FILE_DAMAGED) from error
    return "image/png" if kind is FileKind.PNG else "image/jpeg"


def redraw(path: Path, versions: Sequence[Version]) -> bool:
    """Draw an image anew in each version, beside it as `0`, `1`, …, without metadata, and never larger.

    Returns whether one can see through it.
    """
    picture = _upright(path, _REDRAWN)
    clear = "A" in picture.getbands() or "transparency" in picture.info
    picture = picture.convert("RGBA" if clear else "RGB")
    picture.info = {}
    _shrink(picture, max((version.side for version in versions), default=1))
    for number, version in enumerate(versions):
        small = picture.copy()
        _shrink(small, version.side)
        if clear and version.form == "JPEG":
            small = _on_white(small)
        small.save(path.with_name(str(number)), version.form, **version.options)
    return clear


def _shrink(picture: Image.Image, side: int) -> None:
    picture.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3)


def _upright(path: Path, formats: tuple[str, ...]) -> Image.Image:
    try:
        with Image.open(path, formats=formats) as opened:
            is_jpeg, pixels = opened.format in {"JPEG", "MPO"}, opened.width * opened.height
            if pixels > (_MAX_JPEG_PIXELS if is_jpeg else MAX_PIXELS):
                raise BadFile(Code.FILE_TOO_DETAILED)
            scale = 1
            while pixels > _MAX_STORED_PIXELS * scale * scale:
                scale *= 2
            if is_jpeg:
                with path.open("ab") as file:
                    file.write(_end_of(path, formats) if "progressive" in opened.info else _FILL)
                opened.draft(None, (opened.width // scale, opened.height // scale))
            opened.load()
            picture = ImageOps.exif_transpose(opened)
            assert picture is not None  # noqa: S101 - None only with `in_place`
            return picture if is_jpeg or scale == 1 else picture.reduce(scale)
    except BadFile:
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, RuntimeError, KeyError) as error:
        raise BadFile(Code.FILE_DAMAGED) from error


def _end_of(path: Path, formats: tuple[str, ...]) -> bytes:
    """What completes a progressive JPEG, which no decoder ends without its mark.

    Raises `BadFile`: what follows changes the picture, so a part of it is missing.
    """
    content = path.read_bytes()
    if content.endswith(_END):
        return b""
    content = content.rstrip(_END[:1])
    digests = set()
    for fill in (b"\x00", b"\x55"):
        with Image.open(BytesIO(content + fill * 64 + _END), formats=formats) as picture:
            digests.add(hashlib.sha256(picture.tobytes()).digest())
    if len(digests) > 1:
        raise BadFile(Code.FILE_DAMAGED)
    return _FILL + _END


def _write(picture: Image.Image, kind: FileKind, to: Path, profile: Any) -> None:
    # `info` holds the metadata that the decoder found. Only transparency is kept, and the profile is passed below.
    picture.info = {name: value for name, value in picture.info.items() if name == "transparency"}
    options: dict[str, object] = {}
    if isinstance(profile, bytes) and len(profile) <= _MAX_PROFILE_BYTES:
        options["icc_profile"] = profile
    if kind is FileKind.PNG:
        picture.save(to, "PNG", compress_level=6, **options)
        return
    if picture.mode not in {"RGB", "L", "CMYK"}:
        picture = picture.convert("RGB")
    picture.save(to, "JPEG", quality=_QUALITY, **options)


def _preview(picture: Image.Image, to: Path) -> None:
    small = picture.copy()
    if small.mode not in {"RGB", "L"}:
        small.thumbnail((PREVIEW * 2, PREVIEW * 2))
        small = _on_white(small)
    small.thumbnail((PREVIEW, PREVIEW), reducing_gap=2)
    small.info = {}
    small.convert("RGB").save(to, "JPEG", quality=80)


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith(("I", "F")):
        picture = picture.convert("L")
    layers = picture.convert("RGBA")
    white = Image.new("RGBA", layers.size, "white")
    white.alpha_composite(layers)
    return white.convert("RGB")
