"""The invoice on paper: contents, VAT, readers and foreign scripts."""

from __future__ import annotations

import asyncio
import time
from decimal import Decimal
from typing import Any

import pytest

from portal.backend.pdf import DocumentError
from portal.contract.models import Locale
from portal.orders.provider.invoice_document import InvoiceLine
from portal.orders.provider.invoice_pdf import invoice_pdf, render_invoice
from portal.setting_groups import Brand
from portal.vocabulary.orders import InvoiceStatus
from portal.vocabulary.services import ServicePackage
from tests.support.invoices import (
    BAGS,
    BIKE,
    UTRECHT,
    box_of,
    codes_on,
    invoice,
    paid_invoice,
    reader,
    right_ends,
    tags_of,
    text_of,
)

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


def test_80_lines_run_over_numbered_pages_with_their_headings() -> None:
    lines = [BIKE.model_copy(update={"name": f"Artikel nummer {index}"}) for index in range(80)]
    content = invoice_pdf(invoice(lines=lines), "nl", BRAND)
    pages = reader(content).pages
    assert len(pages) == 6
    for index, page in enumerate(pages, start=1):
        text = " ".join(page.extract_text().split())
        assert f"pagina {index} van 6" in text
        assert "900000001" in text
        assert index == 6 or "Prijs per stuk" in text
    whole = text_of(content)
    assert all(f"Artikel nummer {index} " in whole for index in range(80))
    assert len(content) < 120_000


def test_an_invoice_is_small_and_one_page() -> None:
    content = invoice_pdf(invoice(), "nl", BRAND)
    assert len(content) < 60_000
    assert len(reader(content).pages) == 1


async def test_two_at_once_do_not_mix_and_leave_the_event_loop_free() -> None:
    waits: list[float] = []

    async def beat() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.002)
            waits.append(time.perf_counter() - before)

    heart = asyncio.create_task(beat())
    numbers = [f"2026-{index:06}" for index in range(8)]
    locales: list[Locale] = ["nl", "en"] * 4
    made = await asyncio.gather(
        *(
            render_invoice(invoice(number=number, lines=[BIKE] * 40), locale, BRAND)
            for number, locale in zip(numbers, locales, strict=True)
        )
    )
    heart.cancel()
    for number, locale, content in zip(numbers, locales, made, strict=True):
        text = text_of(content)
        assert {"nl": "Factuurnummer", "en": "Invoice number"}[locale] + f" {number}" in text
        assert not any(other in text for other in numbers if other != number)
    assert len(waits) > 3 * len(made)


@pytest.mark.parametrize(
    ("total", "insurance", "net", "vat"),
    [
        ("2965.45", "207.60", "2279.21", "478.64"),
        ("121.00", "0.00", "100.00", "21.00"),
        ("39.95", "0.00", "33.02", "6.93"),
        ("0.03", "0.00", "0.02", "0.01"),
    ],
)
def test_vat_is_taken_from_what_is_taxed_and_rounded_half_up(total: str, insurance: str, net: str, vat: str) -> None:
    standard = invoice(total=Decimal(total), insurance_costs=Decimal(insurance)).vat_parts[0]
    assert (standard.rate, standard.net, standard.vat) == (21, Decimal(net), Decimal(vat))
    assert standard.net + standard.vat + Decimal(insurance) == Decimal(total)


def test_a_rounded_price_of_a_unit_is_not_printed() -> None:
    line = InvoiceLine(name="Bel", quantity=3, unit_price=Decimal("3.33"), price=Decimal("10.00"))
    assert "Bel 3 € 10,00" in text_of(invoice_pdf(invoice(lines=[line]), "nl", BRAND))


def test_half_a_cent_of_vat_is_rounded_up() -> None:
    line = InvoiceLine(name="x", unit_price=Decimal("0.01"), price=Decimal("5.25"), vat_rate=Decimal("100"))
    parts = invoice(lines=[line], total=Decimal("5.25"), insurance_costs=Decimal(0)).vat_parts
    assert [part.vat for part in parts] == [Decimal("2.63")]


def test_lines_at_other_rates_are_separate() -> None:
    repair = InvoiceLine(name="Reparatie", unit_price=Decimal("54.50"), price=Decimal("54.50"), vat_rate=Decimal(9))
    cover = InvoiceLine(name="Verzekering", unit_price=Decimal("20.00"), price=Decimal("20.00"), vat_rate=Decimal(0))
    document = invoice(lines=[BIKE, repair, cover], total=Decimal("2573.50"), insurance_costs=Decimal(0))
    assert [(part.rate, part.net, part.vat) for part in document.vat_parts] == [
        (21, Decimal("2065.29"), Decimal("433.71")),
        (9, Decimal("50.00"), Decimal("4.50")),
        (0, Decimal("20.00"), Decimal("0.00")),
    ]
    text = text_of(invoice_pdf(document, "nl", BRAND))
    assert "9% € 50,00 € 4,50 € 54,50 Vrijgesteld € 20,00 € 0,00 € 20,00" in text


HOSTILE = [
    '#import "/etc/passwd": *',
    "$x^2$ \\ #sys.inputs `raw` *bold* _it_ <label> @ref // gone /* gone */ ~ ...",
    '#panic() #read("base.typ") ]} {[',
    "<script>alert(1)</script> {amount} {page} %s",
]


def test_a_line_break_in_the_number_adds_no_field_to_the_transfer() -> None:
    (code,) = codes_on(invoice_pdf(invoice(number="2026\nNL00EVIL\r\nx"), "nl", BRAND))
    assert code.split("\n")[10:] == ["2026 NL00EVIL x"]


@pytest.mark.parametrize("words", HOSTILE)
def test_what_a_customer_wrote_is_shown_and_never_run(words: str) -> None:
    address = UTRECHT.model_copy(update={"name": words, "street": words})
    line = BIKE.model_copy(update={"name": words, "item_color": words})
    content = invoice_pdf(invoice(billing_address=address, lines=[line]), "nl", BRAND)
    shown = text_of(content).replace(" ", "")
    assert shown.count(words.replace(" ", "")) == 4
    assert len(reader(content).pages) <= 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("Ελένη Παπαδοπούλου", "Ελένη Παπαδοπούλου"),
        ("Юлия Ивановна", "Юлия Ивановна"),
        ("ab\u202egnissegassap\u202c", "abgnissegassap"),
        ("Sanne 😀👩‍👩‍👧 Berg", "Sanne Berg"),
        ("李小龍", "李小龍"),
        ("王伟 (佐藤さくら)", "王伟 (佐藤さくら)"),
        ("김민준", "김민준"),
        ("Անի Սարգսյան", "Անի Սարգսյան"),
        ("ნინო ბერიძე", "ნინო ბერიძე"),
        ("ሰላም ተስፋይ", "ሰላም ተስፋይ"),
        ("สมชาย ใจดี", "สมชาย ใจดี"),
        ("अमित शर्मा", "अमित शर्मा"),
        ("ਹਰਪ੍ਰੀਤ ਸਿੰਘ", "ਹਰਪ੍ਰੀਤ ਸਿੰਘ"),
        ("রহিম", "রহিম"),
        ("அருண்", "அருண்"),
        ("အောင်", "\ufffd\ufffd"),
        ("a\x00b\x07\nc", "ab c"),
        ("\ud800x", "x"),
    ],
)
def test_names_in_any_script_are_printed_or_visibly_missing(name: str, shown: str) -> None:
    document = invoice(billing_address=UTRECHT.model_copy(update={"name": name}))
    assert f"{shown} Maliebaan" in text_of(invoice_pdf(document, "nl", BRAND))


@pytest.mark.parametrize("name", ["שרה כהן", "محمد عبد الله"])
def test_names_from_right_to_left_leave_the_rest_as_it_is(name: str) -> None:
    document = invoice(billing_address=UTRECHT.model_copy(update={"name": name}))
    text = text_of(invoice_pdf(document, "nl", BRAND))
    assert "Factuuradres" in text.split("Maliebaan 12 bis 3583 SC Utrecht")[0]
    assert set(name) <= set(text)
    assert "\ufffd" not in text


@pytest.mark.parametrize("sign", ["W", "i", "\u00e9"])
def test_a_name_of_300_signs_without_a_space_stays_in_its_column(sign: str) -> None:
    content = invoice_pdf(
        invoice(lines=[BIKE.model_copy(update={"name": sign * 300})], shipping_address=None), "nl", BRAND
    )
    column = box_of(content, "Aantal")[0]
    items = [end for end in right_ends(content, sign) if end < column]
    assert sum(1 for end in right_ends(content, sign)) >= 300
    assert len(items) >= 300
    assert text_of(content).count("€ 2.499,00 € 2.499,00") == 1


def test_a_long_address_stays_in_its_column() -> None:
    address = UTRECHT.model_copy(update={"name": "W" * 120, "street": "Wijkerstraatweg" * 4})
    content = invoice_pdf(invoice(billing_address=address, lines=[BAGS]), "nl", BRAND)
    limit = box_of(content, "Bezorgadres")[0]
    ends = right_ends(content, "W")
    assert len(ends) == 124
    assert max(ends) < limit
