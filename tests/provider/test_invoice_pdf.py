"""The invoice on paper: what it says, for whom it can be read, and what hostile data does to it."""

from __future__ import annotations

import asyncio
import time
from decimal import Decimal

import pytest

from portal.contract.base import Locale
from portal.domain.statuses import InvoiceStatus
from portal.provider.documents import DocumentError, InvoiceLine, invoice_pdf, render_invoice
from portal.settings import Brand
from tests.support.invoices import BIKE, UTRECHT, codes_on, invoice, paid_invoice, reader, text_of

BRAND = Brand()
HOSTILE = [
    '#import "/etc/passwd": *',
    "$x^2$ \\ #sys.inputs `raw` *bold* _it_ <label> @ref // gone /* gone */ ~ ...",
    "#panic() #read(\"base.typ\") ]} {[",
    "<script>alert(1)</script> {amount} {page} %s",
]


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
    places: list[tuple[float, float, str]] = []

    def note(part: str, _matrix: list[float], place: list[float], _font: object, _size: float) -> None:
        places.append((place[4], place[5], part))

    page = reader(invoice_pdf(invoice(), "nl", BRAND)).pages[0]
    page.extract_text(visitor_text=note)
    left, height = next((x, y) for x, y, part in places if "900000001" in part)
    assert left < float(page.mediabox.width) / 8
    assert height > float(page.mediabox.height) * 7 / 8
    assert all(y <= height for x, y, part in places if part.strip() and "Bestelnummer" not in part and x < 200)


@pytest.mark.parametrize("locale", ["nl", "en"])
def test_a_screen_reader_finds_title_language_structure_and_alternative_text(locale: Locale) -> None:
    content = invoice_pdf(invoice(), locale, BRAND)
    pdf = reader(content)
    catalogue = pdf.trailer["/Root"]
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == {"nl": "nl-NL", "en": "en-GB"}[locale]
    assert catalogue["/ViewerPreferences"]["/DisplayDocTitle"]
    assert pdf.metadata is not None
    word = {"nl": "Factuur 2026-004217, bestelling", "en": "Invoice 2026-004217, order"}[locale]
    assert pdf.metadata.title == f"{word} 900000001, Bovenbuis"
    assert b"pdfuaid:part" in pdf.xmp_metadata.stream.get_data()  # pyright: ignore[reportOptionalMemberAccess]
    tags = [element["/S"] for element in _elements(catalogue["/StructTreeRoot"])]
    assert {"/H1", "/H2", "/Table", "/TH", "/TD", "/Figure"} <= set(tags)
    figure = next(element for element in _elements(catalogue["/StructTreeRoot"]) if element["/S"] == "/Figure")
    assert "2026-004217" in str(figure["/Alt"])


def _elements(node: object) -> list[dict[str, object]]:
    """All structure elements below a node of the tag tree."""
    found: list[dict[str, object]] = []
    node = node.get_object() if hasattr(node, "get_object") else node  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(node, list):
        for kid in node:
            found += _elements(kid)
    elif isinstance(node, dict):
        if "/S" in node:
            found.append(node)
        found += _elements(node.get("/K", []))
    return found


def test_fonts_are_embedded() -> None:
    fonts = reader(invoice_pdf(invoice(), "nl", BRAND)).pages[0]["/Resources"]["/Font"]  # pyright: ignore[reportIndexIssue]
    names = {str(font.get_object()["/BaseFont"]) for font in fonts.values()}
    assert names
    assert all("+InstrumentSans" in name for name in names)
    for font in fonts.values():
        assert "/FontFile2" in font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()


def test_a_phone_reads_the_transfer_from_the_page() -> None:
    assert codes_on(invoice_pdf(invoice(), "nl", BRAND)) == [
        "BCD\n002\n2\nSCT\n\nBovenbuis\nNL91ABNA0417164300\nEUR1965.45\n\n\n2026-004217"
    ]


def test_a_line_break_in_the_number_adds_no_field_to_the_transfer() -> None:
    (code,) = codes_on(invoice_pdf(invoice(number="2026\nNL00EVIL\r\nx"), "nl", BRAND))
    assert code.split("\n")[10:] == ["2026 NL00EVIL x"]


def test_a_paid_invoice_asks_for_nothing() -> None:
    content = invoice_pdf(paid_invoice(), "nl", BRAND)
    assert codes_on(content) == []
    assert "Je hoeft niets meer te doen. Betaalwijze iDEAL" in text_of(content)
    assert "Nog te betalen € 0,00" in text_of(content)


def test_a_cancelled_invoice_asks_for_nothing_even_when_an_amount_is_due() -> None:
    content = invoice_pdf(invoice(status=InvoiceStatus.CANCELLED), "en", BRAND)
    assert codes_on(content) == []
    assert "You do not need to pay it." in text_of(content)
    assert "Pay with" not in text_of(content)


def test_too_much_paid_is_announced_as_money_back() -> None:
    text = text_of(invoice_pdf(paid_invoice(paid=Decimal("3000.00"), due=Decimal("-34.55")), "nl", BRAND))
    assert "Je krijgt terug € 34,55" in text


def test_one_address_is_shown_once() -> None:
    text = text_of(invoice_pdf(invoice(shipping_address=UTRECHT), "nl", BRAND))
    assert text.count("Maliebaan") == 1
    assert "Factuur- en bezorgadres" in text


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


def test_half_a_cent_of_vat_is_rounded_up() -> None:
    line = InvoiceLine(name="x", unit_price=Decimal("0.01"), price=Decimal("5.25"), vat_rate=Decimal("100"))
    parts = invoice(lines=[line], total=Decimal("5.25"), insurance_costs=Decimal(0)).vat_parts
    assert [part.vat for part in parts] == [Decimal("2.63")]


def test_lines_at_other_rates_are_told_apart() -> None:
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
        ("李小龍", "\ufffd\ufffd\ufffd"),
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
    assert "Maliebaan 12 bis 3583 SC Utrecht" in text
    assert "\ufffd" not in text


@pytest.mark.parametrize("sign", ["W", "i", "\u00a0x"])
def test_a_name_of_300_signs_without_a_space_stays_in_its_column(sign: str) -> None:
    name = (sign * 300)[:300]
    line = BIKE.model_copy(update={"name": name})
    page = reader(invoice_pdf(invoice(lines=[line]), "nl", BRAND)).pages[0]
    ends: list[float] = []

    def note(part: str, _matrix: list[float], place: list[float], _font: object, size: float) -> None:
        if sign[-1] * 3 in part.replace("\u00a0", ""):
            ends.append(place[4] + len(part) * size * 0.95)

    page.extract_text(visitor_text=note)
    assert ends
    assert text_of(invoice_pdf(invoice(lines=[line]), "nl", BRAND)).count("€ 2.499,00 € 2.499,00") == 1


def test_80_lines_run_over_numbered_pages_with_their_headings() -> None:
    lines = [BIKE.model_copy(update={"name": f"Artikel nummer {index}"}) for index in range(80)]
    content = invoice_pdf(invoice(lines=lines), "nl", BRAND)
    pages = reader(content).pages
    assert len(pages) == 5
    for index, page in enumerate(pages, start=1):
        text = " ".join(page.extract_text().split())
        assert f"pagina {index} van 5" in text
        assert "900000001" in text
        assert index == 5 or "Prijs per stuk" in text
    whole = text_of(content)
    assert all(f"Artikel nummer {index} " in whole for index in range(80))
    assert len(content) < 120_000


def test_an_invoice_is_small_and_one_page() -> None:
    content = invoice_pdf(invoice(), "nl", BRAND)
    assert len(content) < 60_000
    assert len(reader(content).pages) == 1


def test_the_same_invoice_gives_the_same_bytes() -> None:
    assert invoice_pdf(invoice(), "en", BRAND) == invoice_pdf(invoice(), "en", BRAND)


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
    assert len(waits) > 10
    assert max(waits) < 0.25


async def test_a_warm_invoice_takes_hundredths_of_a_second() -> None:
    invoice_pdf(invoice(), "nl", BRAND)
    times: list[float] = []
    for index in range(7):
        before = time.perf_counter()
        invoice_pdf(invoice(number=f"2026-1{index}"), "nl", BRAND)
        times.append(time.perf_counter() - before)
    # 20 ms on the machine of the measurements; the best of seven, because others may use the cores.
    assert min(times) < 0.05


async def test_a_wrong_account_of_the_shop_is_never_printed() -> None:
    wrong = BRAND.model_copy(update={"iban": "NL92ABNA0417164300"})
    with pytest.raises(DocumentError):
        await render_invoice(invoice(), "nl", wrong)
