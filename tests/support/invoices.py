"""Invoices for the tests of the documents, and ways to read a PDF."""

import io
from datetime import date
from decimal import Decimal
from typing import Any

import pypdfium2
import zxingcpp
from pypdf import PdfReader

from portal.kernel.address import Country
from portal.orders.api import NamedAddress
from portal.orders.provider.invoice_document import InvoiceDocument, InvoiceLine
from portal.vocabulary.orders import InvoiceStatus

UTRECHT = NamedAddress(
    name="Sanne van der Berg",
    post_code="3583 SC",
    house_number="12",
    house_number_addon="bis",
    street="Maliebaan",
    city="Utrecht",
    country_code=Country.NL,
)

GHENT = NamedAddress(
    name="Łukasz Ångström",
    post_code="9000",
    house_number="3",
    street="Veldstraat",
    city="Gent",
    country_code=Country.BE,
)

BIKE = InvoiceLine(
    name="Stadsfiets Singel 7",
    item_color="mosgroen",
    frame_size="53 cm",
    battery="500 Wh",
    unit_price=Decimal("2499.00"),
    price=Decimal("2499.00"),
)

BAGS = InvoiceLine(name="Fietstas Gracht", quantity=2, unit_price=Decimal("59.95"), price=Decimal("119.90"))


def invoice(**changes: Any) -> InvoiceDocument:
    """An invoice that is partly paid, with every kind of amount; `changes` replace fields."""
    fields: dict[str, Any] = {
        "number": "2026-004217",
        "invoice_date": date(2026, 6, 3),
        "expire_date": date(2026, 6, 17),
        "status": InvoiceStatus.OPEN,
        "order_number": "900000001",
        "order_date": date(2026, 5, 28),
        "billing_address": UTRECHT,
        "shipping_address": GHENT,
        "lines": [BIKE, BAGS],
        "subtotal": Decimal("2618.90"),
        "discount": Decimal("50.00"),
        "shipping_costs": Decimal("39.95"),
        "service_costs": Decimal("149.00"),
        "insurance_costs": Decimal("207.60"),
        "total": Decimal("2965.45"),
        "paid": Decimal("1000.00"),
        "due": Decimal("1965.45"),
        "payment_method": "ideal",
    }
    return InvoiceDocument(**{**fields, **changes})


def paid_invoice(**changes: Any) -> InvoiceDocument:
    """The same, settled."""
    return invoice(**{"status": InvoiceStatus.PAID, "paid": Decimal("2965.45"), "due": Decimal("0.00"), **changes})


def reader(content: bytes) -> PdfReader:
    """The PDF, opened strictly."""
    return PdfReader(io.BytesIO(content), strict=True)


def text_of(content: bytes) -> str:
    """What is written on all pages, with plain spaces."""
    pages = (page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content))
    return " ".join("\n".join(pages).replace("\u200b", "").split())


def codes_on(content: bytes) -> list[str]:
    """What a phone reads from the first page."""
    page = pypdfium2.PdfDocument(content)[0].render(scale=2, grayscale=True)
    image = memoryview(bytes(page.buffer)).cast("B", shape=[page.height, page.stride])
    codes = zxingcpp.read_barcodes(image)
    return [code.text for code in codes if code.format == zxingcpp.BarcodeFormat.QRCode]


def box_of(content: bytes, words: str) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the first place on the first page where the words stand, in points."""
    text = pypdfium2.PdfDocument(content)[0].get_textpage()
    found = text.search(words).get_next()
    assert found is not None, words
    boxes = [text.get_charbox(index) for index in range(found[0], sum(found))]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def right_ends(content: bytes, sign: str) -> list[float]:
    """Where each occurrence of a sign on the first page ends, in points from the left."""
    text = pypdfium2.PdfDocument(content)[0].get_textpage()
    written = text.get_text_range()
    return [text.get_charbox(index)[2] for index in range(text.count_chars()) if written[index : index + 1] == sign]


def tags_of(pdf: PdfReader) -> list[tuple[str, str]]:
    """Tag and alternative text of every structure element."""
    found: list[tuple[str, str]] = []

    def walk(node: Any) -> None:
        node = node.get_object() if hasattr(node, "get_object") else node
        for kid in node if isinstance(node, list) else ():
            walk(kid)
        if isinstance(node, dict):
            if "/S" in node:
                found.append((node["/S"], str(node.get("/Alt", ""))))
            walk(node.get("/K", []))

    root: Any = pdf.trailer["/Root"]
    walk(root["/StructTreeRoot"])
    return found
