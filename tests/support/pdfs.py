"""PDF files written by hand: actions in every disguise, files that are expensive to read, and metadata."""

import functools
import io
import zlib
from collections.abc import Mapping

from pikepdf import Array, AttachedFileSpec, Dictionary, Encryption, Name, Pdf, Stream, StreamDecodeLevel
from PIL import Image

_PAGES = {
    1: b"<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R>>",
    2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>",
}


def plain(objects: Mapping[int, bytes]) -> bytes:
    """A PDF of one blank page. Object 4 is its open action; the numbers follow each other."""
    content, offsets = b"%PDF-1.7\n", list[int]()
    for number, body in {**_PAGES, **objects}.items():
        offsets.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(offsets) + 1
    return content + b"xref\n0 %d\n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        size, table, size, len(content)
    )  # fmt: skip


def packed(*groups: Mapping[int, bytes]) -> bytes:
    """The same, with all objects in compressed object streams, one per group; the pages are in the first one."""
    content, rows = b"%PDF-1.7\n", {0: (0, 0, 65535)}
    everything = [{**_PAGES, **groups[0]}, *groups[1:]]
    number = max(max(group) for group in everything)
    for group in everything:
        number += 1
        places, body = b"", b""
        for index, (member, text) in enumerate(group.items()):
            rows[member] = 2, number, index
            places += b"%d %d " % (member, len(body))
            body += text + b" "
        data = zlib.compress(places + body, 9)
        rows[number] = 1, len(content), 0
        head = b"<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>" % (len(group), len(places), len(data))
        content += b"%d 0 obj\n%sstream\n%s\nendstream\nendobj\n" % (number, head, data)
    number += 1
    rows[number] = 1, len(content), 0
    table = b"".join(
        b"%c%s%s" % (kind, place.to_bytes(4, "big"), index.to_bytes(4, "big"))
        for kind, place, index in (rows.get(at, (0, 0, 0)) for at in range(number + 1))
    )
    start = len(content)
    head = b"<</Type/XRef/W[1 4 4]/Size %d/Root 1 0 R/Length %d>>" % (number + 1, len(table))
    return content + b"%d 0 obj\n%sstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        number, head, table, start
    )  # fmt: skip


def disguised() -> dict[str, bytes]:
    """PDFs with active content that is not written as a plain name in a plain dictionary, by disguise."""
    named = {
        f"indirect {name}": plain({4: b"<</S 5 0 R/F(x.exe)>>", 5: b"/" + name.encode()})
        for name in ("Launch", "SubmitForm", "ImportData", "JavaScript", "Rendition", "GoToE", "Movie")
    }
    updated = plain({4: b"<</Type/Action/S/URI/URI(https://shop.example)>>"})
    start = len(updated)
    update = b"4 0 obj\n<</S/Launch/F(x.exe)>>\nendobj\n"
    return named | {
        "indirect rich media": plain({4: b"<</Type/Annot/Subtype 5 0 R>>", 5: b"/RichMedia"}),
        "reference to a reference": plain({4: b"<</Next[5 0 R]>>", 5: b"<</S 6 0 R>>", 6: b"/Launch"}),
        "escaped value": plain({4: b"<</S/L#61#75nch/F(x.exe)>>"}),
        "escaped key": plain({4: b"<</S/URI/#4a#53(app.alert\\(1\\))>>"}),
        "escaped and indirect": plain({4: b"<</S 5 0 R/F(x)>>", 5: b"/#53ubmitForm"}),
        "object stream": packed({4: b"<</S/Launch/F(x.exe)>>"}),
        "object stream, indirect and escaped": packed({4: b"<</S 5 0 R>>", 5: b"/#4aavaScript"}),
        "added by an update": updated + update
        + b"xref\n4 1\n%010d 00000 n \ntrailer\n<</Size 5/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
        % (start, updated.rindex(b"xref\n0"), start + len(update)),
        "without a reference to it": plain({4: b"null", 5: b"<</S/JavaScript/JS(app.alert\\(1\\))>>"}),
        "password": _saved(Encryption(user="x", owner="y")),
    }  # fmt: skip


def opened_by_viewers() -> dict[str, bytes]:
    """PDFs with more than pages, which every viewer opens: an owner's password, or attached files."""
    owner = functools.partial(Encryption, user="", owner="y")
    return {
        "owner's password, AES": _saved(owner(R=6)),
        "owner's password, RC4": _saved(owner(R=3, aes=False, metadata=False)),
        "attached file": _saved(attachment=True),
        "attached file and owner's password": _saved(owner(), attachment=True),
        "embedded file by reference": plain({4: b"<</Type 5 0 R/Length 2>>stream\nMZ\nendstream", 5: b"/EmbeddedFile"}),
        "file in the resources of a page": plain({
            3: b"<</Type/Page/Parent 2 0 R/Resources<</Properties<</A 4 0 R>>>>/Annots[5 0 R]>>",
            4: b"<</Type/Filespec/F(x.exe)/EF<</F 6 0 R>>>>",
            5: b"<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 4 0 R>>",
            6: b"<</Type/EmbeddedFile/Length 2>>stream\nMZ\nendstream",
        }),
    }  # fmt: skip


def _saved(encryption: Encryption | None = None, *, attachment: bool = False) -> bytes:
    out = io.BytesIO()
    with Pdf.new() as document:
        document.add_blank_page()
        if attachment:
            document.attachments["x.exe"] = AttachedFileSpec(
                document, b"MZ", description="", filename="x.exe", mime_type="", creation_date="", mod_date=""
            )
        document.save(out, encryption=encryption or False)
    return out.getvalue()


def expensive(names: int, groups: int = 1, nonce: int = 0) -> bytes:
    """A PDF of some kilobytes. A million names take a second or two of processor time.

    Args:
        names: number of names in each group, which together are one array.
        groups: number of groups, which are compressed one by one.
        nonce: another number makes another file.
    """
    many = b"[" + b"/A " * names + b"]"
    return packed({4: b"%d" % nonce, 5: many}, *({6 + n: many} for n in range(groups - 1)))


MARK = b"GEHEIM"
"""Part of every piece of metadata in `scan`."""

_RDF = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def scan() -> bytes:
    """A scanned photo with a location, in a document with every kind of metadata and a link."""
    photo = io.BytesIO()
    exif = Image.Exif()
    exif[0x0110] = "GEHEIM-CAMERA"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 5.0, 26.5)})
    Image.effect_mandelbrot((160, 120), (-2, -1.5, 1, 1.5), 90).save(
        photo, "JPEG", exif=exif, comment=b"GEHEIM-COMMENT", quality=90
    )
    with Pdf.new() as document:
        page = document.add_blank_page(page_size=(300, 400))
        image = Stream(
            document, photo.getvalue(), Type=Name.XObject, Subtype=Name.Image, Width=160, Height=120,
            ColorSpace=Name.DeviceGray, BitsPerComponent=8, Filter=Name.DCTDecode,
        )  # fmt: skip
        image["/Metadata"] = Stream(document, b"<x>GEHEIM-OF-IMAGE</x>", Type=Name.Metadata, Subtype=Name.XML)
        notes = Stream(document, b"<x>GEHEIM-NESTED</x>", Type=Name.Metadata, Subtype=Name.XML)
        marked = Dictionary(Layer=Dictionary(Type=Name.OCG, Metadata=notes))
        page.obj.Resources = Dictionary(XObject=Dictionary(I=image), Properties=marked)
        page.obj.Contents = Stream(document, b"q 240 0 0 180 30 160 cm /I Do Q 0 0 1 rg 30 30 60 60 re f")
        page.obj.PieceInfo = Dictionary(App=Dictionary(Private=b"GEHEIM-OF-PROGRAM"))
        page.obj.LastModified = b"D:20260101GEHEIM"
        link = Dictionary(
            Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], Border=[0, 0, 0],
            A=Dictionary(S=Name.URI, URI=b"https://GEHEIM.example"),
        )  # fmt: skip
        page.obj.Annots = Array([link])
        xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='%s'/><!--GEHEIM-XMP--></x:xmpmeta>" % _RDF
        document.Root.Metadata = Stream(document, xmp, Type=Name.Metadata, Subtype=Name.XML)
        document.trailer.Info = document.make_indirect(Dictionary(Author=b"GEHEIM-AUTHOR", Title=b"GEHEIM-TITLE"))
        out = io.BytesIO()
        document.save(out, fix_metadata_version=False)
    return out.getvalue()


def form(value: str = "Ingevuld") -> bytes:
    """A form with a filled-in field, whose appearance the reader has to draw."""
    with Pdf.new() as document:
        page = document.add_blank_page(page_size=(300, 400))
        font = document.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
        field = document.make_indirect(
            Dictionary(
                Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=b"name", V=value.encode(), F=4,
                Rect=[30, 300, 200, 330], DA=b"/Helv 12 Tf 0 g",
            )
        )  # fmt: skip
        page.obj.Annots = Array([field])
        resources = Dictionary(Font=Dictionary(Helv=font))
        document.Root.AcroForm = Dictionary(Fields=[field], NeedAppearances=True, DR=resources, DA=b"/Helv 12 Tf 0 g")
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def uncompressed(content: bytes) -> bytes:
    """All objects and streams of a PDF in readable form, so that nothing hides in a compressed one."""
    out = io.BytesIO()
    with Pdf.open(io.BytesIO(content)) as document:
        document.save(
            out,
            qdf=True,
            compress_streams=False,
            stream_decode_level=StreamDecodeLevel.generalized,
            fix_metadata_version=False,
        )
    return out.getvalue()
