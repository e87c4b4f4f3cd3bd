"""How invoices are made: fast, small, side by side, and over many pages."""

from __future__ import annotations

import asyncio
import time

from portal.contract.models import Locale
from portal.orders.provider.invoice_pdf import invoice_pdf, render_invoice
from portal.settings import Brand
from tests.support.invoices import BIKE, invoice, reader, text_of

BRAND = Brand()


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
    assert len(waits) > 3 * len(made)


async def test_a_warm_invoice_takes_hundredths_of_a_second() -> None:
    invoice_pdf(invoice(), "nl", BRAND)
    times: list[float] = []
    for index in range(7):
        before = time.thread_time()
        invoice_pdf(invoice(number=f"2026-1{index}"), "nl", BRAND)
        times.append(time.thread_time() - before)
    # 20 ms on the machine of the measurements; its own time, and the best of seven, because others may use the cores.
    # Slow machines take up to 60 ms.
    assert min(times) < 0.1
