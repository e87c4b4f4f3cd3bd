"""The PDF of a confirmation: content and accessibility."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pytest

from portal.backend.pdf import DocumentError
from portal.contract.models import Locale
from portal.kernel.texts import catalogue
from portal.settings import Brand
from portal.work_orders.flow.repair import PARTS
from portal.work_orders.provider.confirmation import confirmation_pdf, render_pdf
from tests.support.confirmations import confirmation, longest_answers, planned
from tests.support.invoices import codes_on, reader, text_of

BRAND = Brand()


def test_the_dutch_document_says_everything_in_dutch() -> None:
    text = text_of(confirmation_pdf(confirmation("nl", **planned()), BRAND))
    for part in (
        "Je referentienummer K7M3 P9RT",
        "Reparatie: Stadsfiets Singel 7",
        "Je reparatie is aangemeld",
        "Łukasz van den Ångström",
        "Framenummer BB123",
        "Verstuurd op 3 juni 2026 om 14:05",
        "Wanneer vrijdag 12 juni 2065",
        "Wat er nu gebeurt",
        "1. Het werk is gepland op vrijdag 12 juni 2065.",
        "Ketting Bij het wegfietsen hoor ik een tikkend geluid. Ook bij regen.",
        "Laatste servicebeurt maart 2024",
        "Foto’s en andere bestanden",
        "ketting.HEIC (2,4 MB)",
        "film.mov (350 kB)",
        "Totaal € 72,50",
        "Alle bedragen zijn inclusief btw.",
        "+31 30 200 1234",
        "pagina 1 van",
    ):
        assert part in text, part
    assert "4817" not in text


def test_what_there_is_none_of_has_no_heading() -> None:
    text = text_of(confirmation_pdf(confirmation("nl", files=[], costs=(), status="cancelled"), BRAND))
    for part in ("Foto's", "Kosten", "Wanneer", "Wat er nu gebeurt"):
        assert part not in text
    assert "pagina 1 van 1" in text


def test_a_phone_reads_the_reference_from_the_page() -> None:
    assert codes_on(confirmation_pdf(confirmation(), BRAND)) == ["K7M3P9RT"]


@pytest.mark.parametrize("locale", ["nl", "en"])
def test_a_screen_reader_finds_title_language_structure_and_alternative_text(locale: Locale) -> None:
    pdf = reader(confirmation_pdf(confirmation(locale), BRAND))
    root: Any = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == {"nl": "nl-NL", "en": "en-GB"}[locale]
    assert pdf.metadata is not None
    assert pdf.metadata.title == f"{ {'nl': 'Reparatie', 'en': 'Repair'}[locale] } K7M3 P9RT, Bovenbuis"
    assert pdf.xmp_metadata is not None
    assert b"pdfuaid:part" in pdf.xmp_metadata.stream.get_data()
    tags = list(_tags(root["/StructTreeRoot"]))
    assert {"/H1", "/H2", "/Table", "/TH", "/L", "/LI", "/Figure"} <= {tag for tag, _ in tags}
    assert any("K7M3 P9RT" in alternative for tag, alternative in tags if tag == "/Figure")


def _tags(node: Any) -> Any:
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for kid in node:
            yield from _tags(kid)
    elif isinstance(node, dict):
        if "/S" in node:
            yield node["/S"], str(node.get("/Alt", ""))
        yield from _tags(node.get("/K", []))


def test_twelve_stories_of_a_thousand_characters_flow_over_pages_and_lose_nothing() -> None:
    answers = longest_answers()
    content = confirmation_pdf(confirmation("nl", answers), BRAND)
    pages = pypdfium2.PdfDocument(content)
    assert 3 <= len(pages) <= 8
    text = text_of(content)
    for label in PARTS.values():
        assert catalogue("nl").gettext(label) in text
    stories = " ".join(answers[name] for name in answers if name.startswith("details_"))
    # A text extractor changes the order of right-to-left words, and our fonts contain no emoji.
    for word in ("Żółty", "Ωμέγα,", "Київ,", "nguyễn", "ђ"):
        assert text.count(word) == stories.count(word), word
    for page in pages:
        left, bottom, right, top = page.get_bbox()
        assert left >= 0
        assert bottom >= 0
        assert right <= page.get_width()
        assert top <= page.get_height()


def test_what_a_customer_wrote_is_never_markup() -> None:
    evil = '#import "x"; $x$ *bold* _it_ <label> @ref [a] \\ #panic() // /* {braces}'
    text = text_of(confirmation_pdf(confirmation("nl", {"parts": ["chain"], "details_chain": evil}), BRAND))
    assert evil in text


def test_the_same_request_gives_the_same_bytes() -> None:
    assert confirmation_pdf(confirmation(), BRAND) == confirmation_pdf(confirmation(), BRAND)


async def test_what_cannot_be_laid_out_is_a_document_error() -> None:
    with pytest.raises(DocumentError):
        await render_pdf(confirmation("nl", reference="x" * 5000), BRAND)
