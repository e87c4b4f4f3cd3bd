"""Photos and PDF files: photos are decoded and written anew, so that no metadata is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pi_heif import register_heif_opener
from PIL import Image, ImageOps, UnidentifiedImageError
from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

MOST_PIXELS = 64_000_000
"""More than the sensors of phones have outside their special modes; decoded, it takes about 200 MB."""

PREVIEW = 320
"""Pixels of the longer side of a preview."""

_QUALITY = 90

_LONGEST_PROFILE = 1024 * 1024

_FORMATS: dict[FileKind, tuple[str, ...]] = {
    # Phones write two pictures into one file for portraits (MPO); the first is the photo.
    FileKind.JPG: ("JPEG", "MPO"),
    FileKind.PNG: ("PNG",),
    FileKind.HEIC: ("HEIF",),
}

Image.init()

Image.MAX_IMAGE_PIXELS = None  # ours is asked before anything is decoded

register_heif_opener(thumbnails=False)


def clean(path: Path, kind: FileKind, preview: Path) -> str:
    """Write a photo anew in its place, upright, with a preview beside it.

    Args:
        path: the photo; a HEIC photo becomes a JPEG.
        kind: what it claims to be.
        preview: where the preview goes, a JPEG.

    Returns:
        The media type of what is there now.

    Raises:
        BadFile: `file_damaged`, `file_too_detailed`.
    """
    try:
        with Image.open(path, formats=_FORMATS[kind]) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise BadFile(Code.FILE_TOO_DETAILED)
            opened.load()
            picture = ImageOps.exif_transpose(opened)
            assert picture is not None  # noqa: S101 - only with `in_place`
            profile = opened.info.get("icc_profile")
    except BadFile:
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, RuntimeError, KeyError) as error:
        raise BadFile(Code.FILE_DAMAGED) from error
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


def _write(picture: Image.Image, kind: FileKind, to: Path, profile: Any) -> None:
    # What a decoder found beside the picture travels in `info`; only what is handed over is written.
    picture.info = {name: value for name, value in picture.info.items() if name == "transparency"}
    options: dict[str, Any] = {}
    if isinstance(profile, bytes) and len(profile) <= _LONGEST_PROFILE:
        options["icc_profile"] = profile
    if kind is FileKind.PNG:
        picture.save(to, "PNG", compress_level=6, **options)
        return
    if picture.mode not in {"RGB", "L", "CMYK"}:
        picture = picture.convert("RGB")
    picture.save(to, "JPEG", quality=_QUALITY, **options)


def _preview(picture: Image.Image, to: Path) -> None:
    small = picture.copy() if picture.mode in {"RGB", "L"} else None
    if small is None:
        small = _on_white(picture)
    small.thumbnail((PREVIEW, PREVIEW), reducing_gap=2)
    small.info = {}
    small.convert("RGB").save(to, "JPEG", quality=80)


def _on_white(picture: Image.Image) -> Image.Image:
    picture = picture.copy()
    picture.thumbnail((PREVIEW * 2, PREVIEW * 2))
    if picture.mode.startswith(("I", "F")):
        picture = picture.convert("L")
    layers = picture.convert("RGBA")
    white = Image.new("RGBA", layers.size, "white")
    white.alpha_composite(layers)
    return white.convert("RGB")


_TAIL = 2048

_MOST_OBJECTS = 50_000

_MOST_PAGES = 2_000

_ACTIONS = frozenset({"/JavaScript", "/Launch", "/ImportData", "/SubmitForm", "/Rendition", "/GoToE", "/Movie"})

_ACTIVE = frozenset({"/JS", "/JavaScript", "/EmbeddedFiles", "/EmbeddedFile", "/RichMedia", "/XFA"})


def check(path: Path) -> None:
    """Look whether a PDF is whole and only paper.

    Raises:
        BadFile: `file_damaged`, or `file_protected`: locked, or with programs or files in it.
    """
    with path.open("rb") as file:
        file.seek(-min(_TAIL, path.stat().st_size), 2)
        tail = file.read()
        if b"%%EOF" not in tail or b"startxref" not in tail:
            raise BadFile(Code.FILE_DAMAGED)
        try:
            reader = PdfReader(file)
            if reader.is_encrypted:
                raise BadFile(Code.FILE_PROTECTED)
            if not 0 < len(reader.pages) <= _MOST_PAGES:
                raise BadFile(Code.FILE_DAMAGED)
            _search(reader)
        except BadFile:
            raise
        except (PyPdfError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise BadFile(Code.FILE_DAMAGED) from error
        except RecursionError as error:
            raise BadFile(Code.FILE_DAMAGED) from error


def _search(reader: PdfReader) -> None:
    """Go through everything that can be reached from the root, whatever it calls itself."""
    pending: list[Any] = [reader.trailer.get("/Root")]
    seen: set[tuple[int, int]] = set()
    count = 0
    while pending:
        count += 1
        if count > _MOST_OBJECTS * 20 or len(seen) > _MOST_OBJECTS:
            raise BadFile(Code.FILE_DAMAGED)
        found = pending.pop()
        if isinstance(found, IndirectObject):
            place = found.idnum, found.generation
            if place in seen:
                continue
            seen.add(place)
            found = found.get_object()
        if isinstance(found, ArrayObject):
            pending.extend(found)
        elif isinstance(found, DictionaryObject):
            if found.get("/S") in _ACTIONS or found.get("/Subtype") == "/RichMedia" or not _ACTIVE.isdisjoint(found):
                raise BadFile(Code.FILE_PROTECTED)
            pending.extend(found.values())
