"""PDF files: refuses active content, and copies the pages into a new file, which leaves everything else behind.

qpdf resolves references, names with escapes and object streams before anything is judged, so a disguise has no effect.
What a customer gets back and staff open is a file that the portal wrote.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pikepdf import Array, Dictionary, Name, ObjectStreamMode, PasswordError, Pdf, PdfError, Stream, StreamDecodeLevel
from pikepdf import open as open_pdf

from portal.backend.files.checks import BadFile, blank_metadata
from portal.kernel.codes import Code

_TAIL = 2048
_MAX_OBJECTS = 100_000
_MAX_PAGES = 2_000

_ACTIVE = frozenset({
    "/JavaScript", "/JS", "/Launch", "/ImportData", "/SubmitForm", "/Rendition", "/GoToE", "/Movie",
    "/RichMedia", "/RichMediaContent", "/XFA",
})  # fmt: skip
"""Names of scripts and actions. A file that uses one anywhere, as a key or a value, is refused."""

_ATTACHED = frozenset({"/EmbeddedFile", "/EmbeddedFiles", "/FileAttachment", "/EF"})
"""Names of attached files. None of them is written."""

_XML = (b"<", b"\xef\xbb\xbf<")

_PAGE = frozenset({
    "/Type", "/Parent", "/Contents", "/Resources", "/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox",
    "/Rotate", "/UserUnit", "/Group",
})  # fmt: skip
"""What a page consists of for a reader. Links, notes and events are left out."""

_METADATA = ("/Metadata", "/PieceInfo", "/LastModified", "/AF", "/OPI", "/Ref", "/Thumb")
"""Metadata, data of programs and references to other files, of any object."""

_EXTERNAL = ("/F", "/FFilter", "/FDecodeParms")
"""Keys of a stream whose data is in another file."""


def clean(path: Path) -> None:
    """Check a PDF and write its pages anew, in place, without password and attachments.

    Filled-in forms and notes become part of the pages.

    Raises `BadFile`: `file_damaged`; or `file_protected`, if it asks for a password or contains scripts or actions.
    """
    written = path.with_suffix(".clean")
    try:
        with _opened(path) as source, Pdf.new() as target:
            _judge(source, _ACTIVE)
            _copy(source, target)
            _judge(target, _ATTACHED)
            target.save(
                written,
                deterministic_id=True,
                compress_streams=False,
                stream_decode_level=StreamDecodeLevel.none,
                object_stream_mode=ObjectStreamMode.generate,
            )
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def judge(path: Path) -> None:
    """Check a PDF of the shop, which stays as it is. Only XML files may be attached, as in electronic invoices."""
    with _opened(path) as source:
        _judge(source, _ACTIVE, own=True)


@contextmanager
def _opened(path: Path) -> Iterator[Pdf]:
    """Open a PDF; whatever fails with it afterwards, it is damaged."""
    if not _has_end(path):
        raise BadFile(Code.FILE_DAMAGED)
    try:
        with open_pdf(path, suppress_warnings=True) as source:
            if not 0 < len(source.pages) <= _MAX_PAGES or len(source.objects) > _MAX_OBJECTS:
                raise BadFile(Code.FILE_DAMAGED)
            yield source
    except PasswordError as error:
        raise BadFile(Code.FILE_PROTECTED) from error
    except (PdfError, OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, MemoryError) as error:
        raise BadFile(Code.FILE_DAMAGED) from error


def _has_end(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-min(_TAIL, path.stat().st_size), 2)
        tail = file.read()
    return b"%%EOF" in tail and b"startxref" in tail


def _judge(source: Pdf, refused: Collection[str], *, own: bool = False) -> None:
    """Refuse names in any object, used or not, and take the metadata and attached files out.

    `own`: the file is a document of the shop, in which attached XML files stay and others are refused.
    """
    for found in source.objects:
        pending: list[Any] = [found]
        while pending:
            part = pending.pop()
            if isinstance(part, Name):
                _refuse(str(part), refused)
            elif isinstance(part, Array):
                pending.extend(inner for inner in part if _is_own(inner))
            elif isinstance(part, Dictionary | Stream):
                if not own and "/EF" in part and "/EF" not in refused:
                    del part["/EF"]
                for name, inner in part.items():
                    _refuse(name, refused)
                    if own and name == "/EF" and not _is_xml(inner):
                        raise BadFile(Code.FILE_PROTECTED)
                    if _is_own(inner):
                        pending.append(inner)
                _strip(part)


def _is_xml(files: Any) -> bool:
    return isinstance(files, Dictionary) and all(
        isinstance(file, Stream) and file.read_bytes().lstrip().startswith(_XML) for file in files.values()
    )


def _refuse(name: str, refused: Collection[str]) -> None:
    if name in refused:
        raise BadFile(Code.FILE_PROTECTED)


def _is_own(part: Any) -> bool:
    """Whether an object can hold a name and is no reference; `source.objects` yields what references lead to."""
    return isinstance(part, Name | Array | Dictionary | Stream) and not part.is_indirect


def _strip(part: Dictionary | Stream) -> None:
    for name in _METADATA:
        if name in part:
            del part[name]
    if not isinstance(part, Stream):
        return
    for name in _EXTERNAL:
        if name in part:
            del part[name]
    encoding, parameters = part.get("/Filter"), part.get("/DecodeParms")
    if isinstance(encoding, Name | Array) and encoding in (Name.DCTDecode, Array([Name.DCTDecode])):
        # A scanned photo: its place and camera are in the picture.
        picture = bytearray(part.read_raw_bytes())
        blank_metadata(picture, 0, len(picture))
        part.write(
            bytes(picture),
            filter=encoding,
            decode_parms=parameters if isinstance(parameters, Dictionary | Array) else None,
        )


def _copy(source: Pdf, target: Pdf) -> None:
    source.generate_appearance_streams()
    source.flatten_annotations("all")
    for page in source.pages:
        for name in set(page.obj.keys()) - _PAGE:
            del page.obj[name]
    target.pages.extend(source.pages)
    layers = source.Root.get("/OCProperties")
    if isinstance(layers, Dictionary):
        # Which layers are visible.
        target.Root["/OCProperties"] = target.copy_foreign(source.make_indirect(layers))
