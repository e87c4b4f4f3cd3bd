"""PDF files: active content in any disguise is refused; pages are kept without metadata and look the same."""

import io
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

from portal.backend.files import documents
from portal.backend.files.checks import BadFile
from portal.kernel.codes import Code
from tests.support import pdfs

DISGUISED = pdfs.disguised()
OPENED = pdfs.opened_by_viewers()


def cleaned(tmp_path: Path, content: bytes) -> bytes:
    path = tmp_path / "file"
    path.write_bytes(content)
    documents.clean(path)
    assert list(tmp_path.iterdir()) == [path], "nothing else stays behind"
    return path.read_bytes()


def drawn(content: bytes) -> bytes:
    document = pypdfium2.PdfDocument(content)
    return b"".join(bytes(page.render(scale=2).buffer) for page in document)


@pytest.mark.parametrize("disguise", DISGUISED)
def test_active_content_in_disguise_is_refused(tmp_path: Path, disguise: str) -> None:
    with pytest.raises(BadFile) as caught:
        cleaned(tmp_path, DISGUISED[disguise])
    assert caught.value.code is Code.FILE_PROTECTED


@pytest.mark.parametrize("kind", OPENED)
def test_what_every_viewer_opens_is_written_anew_without_password_and_files(tmp_path: Path, kind: str) -> None:
    kept = cleaned(tmp_path, OPENED[kind])
    written = PdfReader(io.BytesIO(kept))
    assert (len(written.pages), written.is_encrypted, dict(written.attachments)) == (1, False, {})
    assert not [part for part in (b"MZ", b"/EF", b"/EmbeddedFile", b"/Encrypt") if part in pdfs.uncompressed(kept)]


def test_the_same_document_without_its_action_is_accepted(tmp_path: Path) -> None:
    for write in (pdfs.plain, pdfs.packed):
        kept = cleaned(tmp_path, write({4: b"<</S/URI/URI(https://GEHEIM.example)>>"}))
        assert len(PdfReader(io.BytesIO(kept)).pages) == 1
        assert pdfs.MARK not in pdfs.uncompressed(kept)


def test_metadata_leave_a_document_and_its_pages_look_the_same(tmp_path: Path) -> None:
    content = pdfs.scan()
    assert pdfs.uncompressed(content).count(pdfs.MARK) == 10
    kept = cleaned(tmp_path, content)
    assert pdfs.MARK not in pdfs.uncompressed(kept)
    assert drawn(kept) == drawn(content)
    assert cleaned(tmp_path, kept) == kept


def test_pages_keep_what_they_inherit(tmp_path: Path) -> None:
    painted = b"/Half gs 1 0 0 rg 10 10 100 50 re f 0 0 1 rg 50 50 80 80 re f"
    content = pdfs.plain({
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R 3 0 R 6 0 R]/Count 3/MediaBox[0 0 300 200]/Rotate 90"
           b"/Resources<</ExtGState<</Half 5 0 R>>>>>>",
        3: b"<</Type/Page/Parent 2 0 R/Contents[4 0 R]>>",
        4: b"<</Length %d>>stream\n%s\nendstream" % (len(painted), painted),
        5: b"<</ca 0.5>>",
        6: b"<</Type/Page/Parent 2 0 R/CropBox[0 0 100 100]/Contents 4 0 R>>",
    })  # fmt: skip
    kept = cleaned(tmp_path, content)
    assert len(PdfReader(io.BytesIO(kept)).pages) == 3
    assert drawn(kept) == drawn(content)


def test_what_was_filled_in_stays_readable(tmp_path: Path) -> None:
    content = pdfs.form()
    assert "Ingevuld" not in PdfReader(io.BytesIO(content)).pages[0].extract_text()
    kept = PdfReader(io.BytesIO(cleaned(tmp_path, content)))
    assert "Ingevuld" in kept.pages[0].extract_text()
    assert "/Annots" not in kept.pages[0]


@pytest.mark.parametrize(
    "content",
    [pdfs.plain({2: b"<</Type/Pages/Kids[" + b"2 0 R " * 2000 + b"]/Count 9>>", 4: b"null"}),
     pdfs.plain({2: b"<</Type/Pages/Kids[]/Count 0>>", 4: b"null"}),
     b"%PDF-1.7\n" + b"1 0 obj\n" * 100_000 + b"startxref\n1\n%%EOF"],
    ids=["pages in a circle", "no page", "no objects"],
)  # fmt: skip
def test_a_document_without_sound_pages_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BadFile) as caught:
        cleaned(tmp_path, content)
    assert caught.value.code is Code.FILE_DAMAGED
