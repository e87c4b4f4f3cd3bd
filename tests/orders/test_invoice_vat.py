"""The VAT in an invoice."""

from __future__ import annotations

from decimal import Decimal

import pytest

from portal.orders.provider.invoice_document import InvoiceLine
from portal.orders.provider.invoice_pdf import invoice_pdf
from portal.settings import Brand
from tests.support.invoices import BIKE, invoice, text_of

BRAND = Brand()


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
