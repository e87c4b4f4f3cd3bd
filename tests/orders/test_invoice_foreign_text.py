"""What names in other scripts and hostile texts do to an invoice: nothing."""

from __future__ import annotations

import pytest

from portal.orders.provider.invoice_pdf import invoice_pdf
from portal.settings import Brand
from tests.support.invoices import BAGS, BIKE, UTRECHT, box_of, codes_on, invoice, reader, right_ends, text_of

BRAND = Brand()

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
