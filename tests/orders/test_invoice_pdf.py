"""The invoice on paper: what it says, and for whom it can be read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from portal.backend.pdf import DocumentError
from portal.contract.models import Locale
from portal.orders.provider.invoice_pdf import invoice_pdf, render_invoice
from portal.settings import Brand
from portal.vocabulary.orders import InvoiceStatus
from portal.vocabulary.services import ServicePackage
from tests.support.invoices import UTRECHT, box_of, codes_on, invoice, paid_invoice, reader, tags_of, text_of

BRAND = Brand()


def test_the_dutch_invoice_says_everything_in_dutch() -> None:
    text = text_of(invoice_pdf(invoice(), "nl", BRAND))
    for part in (
        "Factuurnummer 2026-004217",
        "Factuurdatum 3 juni 2026",
        "Vervaldatum 17 juni 2026",
        "Besteldatum 28 mei 2026",
        "Sanne van der Berg Maliebaan 12 bis 3583 SC Utrecht",
        "Łukasz Ångström Veldstraat 3 9000 Gent België",
        "Kleur: mosgroen, Framemaat: 53 cm, Accu: 500 Wh",
        "2 € 59,95 € 119,90",
        "Subtotaal € 2.618,90",
        "Korting € -50,00",
        "Verzendkosten € 39,95",
        "Servicepakket € 149,00",
        "Verzekering € 207,60",
        "Totaal € 2.965,45",
        "Betaald € 1.000,00",
        "Nog te betalen € 1.965,45",
        "Betaal uiterlijk 17 juni 2026.",
        "IBAN NL91 ABNA 0417 1643 00",
        "KvK 30123456",
        "Btw NL001234567B01",
        "klantenservice@bovenbuis.example",
        "+31 30 200 1234",
        "pagina 1 van 1",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("package", "named"),
    [
        (ServicePackage.SERVICE21, "Servicepakket Comfort € 149,00"),
        (ServicePackage.SERVICE12, "Servicepakket € 149,00"),
    ],
)
def test_a_service_package_has_the_name_of_its_contract(package: ServicePackage, named: str) -> None:
    assert named in text_of(invoice_pdf(invoice(service_package=package), "nl", BRAND))


def test_the_english_invoice_says_everything_in_english() -> None:
    text = text_of(invoice_pdf(invoice(status=InvoiceStatus.UNPAID), "en", BRAND))
    for part in (
        "Order number 900000001",
        "Unpaid",
        "Invoice date 3 June 2026",
        "Belgium",
        "Colour: mosgroen, Frame size: 53 cm, Battery: 500 Wh",
        "Discount -€50.00",
        "Total €2,965.45",
        "Still to pay €1,965.45",
        "The due date was 17 June 2026.",
        "page 1 of 1",
    ):
        assert part in text


def test_the_order_number_stands_top_left() -> None:
    content = invoice_pdf(invoice(), "nl", BRAND)
    page = reader(content).pages[0].mediabox
    left, bottom, right, _top = box_of(content, "900000001")
    assert right < float(page.width) / 3
    assert bottom > float(page.height) * 0.88
    for other in ("Bovenbuis", "Factuur", "2026-004217", "Sanne van der Berg"):
        place = box_of(content, other)
        assert place[0] > right or place[3] < bottom
    assert left < 60


@pytest.mark.parametrize("locale", ["nl", "en"])
def test_a_screen_reader_finds_title_language_structure_and_alternative_text(locale: Locale) -> None:
    content = invoice_pdf(invoice(), locale, BRAND)
    pdf = reader(content)
    catalogue: Any = pdf.trailer["/Root"]
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == {"nl": "nl-NL", "en": "en-GB"}[locale]
    assert catalogue["/ViewerPreferences"]["/DisplayDocTitle"]
    assert pdf.metadata is not None
    word = {"nl": "Factuur 2026-004217, bestelling", "en": "Invoice 2026-004217, order"}[locale]
    assert pdf.metadata.title == f"{word} 900000001, Bovenbuis"
    assert pdf.xmp_metadata is not None
    assert b"pdfuaid:part" in pdf.xmp_metadata.stream.get_data()
    tags = tags_of(pdf)
    assert {"/H1", "/H2", "/Table", "/TH", "/TD", "/Figure"} <= {tag for tag, _ in tags}
    assert "2026-004217" in dict(tags)["/Figure"]


def test_fonts_are_embedded() -> None:
    resources: Any = reader(invoice_pdf(invoice(), "nl", BRAND)).pages[0]["/Resources"]
    names = {str(font.get_object()["/BaseFont"]) for font in resources["/Font"].values()}
    assert names
    assert all("+InstrumentSans" in name for name in names)
    for font in resources["/Font"].values():
        assert "/FontFile2" in font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()


def test_a_phone_reads_the_transfer_from_the_page() -> None:
    assert codes_on(invoice_pdf(invoice(), "nl", BRAND)) == [
        "BCD\n002\n2\nSCT\n\nBovenbuis\nNL91ABNA0417164300\nEUR1965.45\n\n\n2026-004217"
    ]


def test_a_paid_invoice_asks_for_nothing() -> None:
    content = invoice_pdf(paid_invoice(), "nl", BRAND)
    assert codes_on(content) == []
    assert "Je hoeft niets meer te doen. Betaalwijze iDEAL" in text_of(content)
    assert "Nog te betalen € 0,00" in text_of(content)


def test_a_cancelled_invoice_asks_for_nothing_even_when_an_amount_is_due() -> None:
    content = invoice_pdf(invoice(status=InvoiceStatus.CANCELLED), "en", BRAND)
    assert codes_on(content) == []
    assert "You don’t need to pay it." in text_of(content)
    assert "Pay with" not in text_of(content)


def test_too_much_paid_is_announced_as_money_back() -> None:
    text = text_of(invoice_pdf(paid_invoice(paid=Decimal("3000.00"), due=Decimal("-34.55")), "nl", BRAND))
    assert "Je krijgt terug € 34,55" in text


def test_one_address_is_shown_once() -> None:
    text = text_of(invoice_pdf(invoice(shipping_address=UTRECHT), "nl", BRAND))
    assert text.count("Maliebaan") == 1
    assert "Factuur- en bezorgadres" in text


async def test_a_wrong_account_of_the_shop_is_never_printed() -> None:
    wrong = BRAND.model_copy(update={"iban": "NL92ABNA0417164300"})
    with pytest.raises(DocumentError):
        await render_invoice(invoice(), "nl", wrong)


@pytest.mark.parametrize(
    ("status", "label"),
    [
        (InvoiceStatus.PAID, "Betaald"),
        (InvoiceStatus.OPEN, "Open"),
        (InvoiceStatus.UNPAID, "Onbetaald"),
        (InvoiceStatus.CANCELLED, "Geannuleerd"),
        (InvoiceStatus.UNKNOWN, "Status onbekend"),
    ],
)
def test_the_status_stands_beside_the_heading(status: InvoiceStatus, label: str) -> None:
    assert f"Factuur {label} Factuurnummer" in text_of(invoice_pdf(invoice(status=status), "nl", BRAND))
