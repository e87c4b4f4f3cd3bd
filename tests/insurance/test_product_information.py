"""Insurance product information documents: offered before the request, kept with it, versions never change."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from sqlmodel import col, delete, select

from portal.contract.errors import Unavailable
from portal.contract.models import Locale
from portal.demo.catalogue import INSURANCES as PACKAGES
from portal.demo.catalogue import product_information
from portal.flow.api import FlowApi
from portal.insurance.api import InsuranceApi, InsuranceOffer
from portal.insurance.provider.queries import DocumentRejected, add_document
from portal.kernel.codes import Code
from portal.kernel.texts import gettext_for
from portal.provider.__main__ import main
from portal.tables.insurance import InsuranceDocumentRow
from portal.vocabulary.insurance import COVER_TEXTS, Cover, InsuranceType, Insurer
from tests.support.application import outcome, refusal
from tests.support.living import FLEUR, Living

FLOW, NEW = "insurance-request", "900000081"
CHOICE = ("insurance", {"type": "theft", "insurer": "kettingzeker", "key_number": "B12345"})
ACCOUNT = ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"})
SECTIONS = {
    "nl": (
        "Welk soort verzekering is dit?", "Wat is verzekerd?", "Wat is niet verzekerd?",
        "Zijn er dekkingsbeperkingen?", "Waar ben ik gedekt?", "Wat zijn mijn verplichtingen?",
        "Wanneer en hoe betaal ik?", "Wanneer begint en eindigt de dekking?", "Hoe zeg ik mijn contract op?",
    ),
    "en": (
        "What is this type of insurance?", "What is insured?", "What is not insured?",
        "Are there any restrictions on cover?", "Where am I covered?", "What are my obligations?",
        "When and how do I pay?", "When does the cover start and end?", "How do I cancel the contract?",
    ),
}  # fmt: skip
"""The questions of Regulation (EU) 2017/1469, in their order."""


def text_of(content: bytes) -> str:
    """The text of a PDF without blanks."""
    pages = " ".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    return "".join(pages.replace("\N{ZERO WIDTH SPACE}", "").split())


def flat(text: str) -> str:
    return "".join(text.split())


async def offers(living: Living, token: str) -> dict[str, InsuranceOffer]:
    bike = await living.bike_of(token, NEW)
    return {offer.key: offer for offer in (await living.ask(InsuranceApi).insurance_options(token, bike)).offers}


async def renew(living: Living, version: str, content: bytes) -> None:
    """Add a version of the document about theft with Kettingzeker."""
    async with living.context.database.transaction() as session:
        added = await add_document(
            session, Insurer.KETTINGZEKER, InsuranceType.THEFT, version, content, now=living.clock.now
        )
    assert added


@pytest.mark.parametrize("locale", ["nl", "en"])
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.key)
async def test_each_offer_has_a_document_that_says_what_the_offer_says(
    living: Living, package: object, locale: Locale
) -> None:
    entry = next(one for one in PACKAGES if one is package)
    token = await living.log_in(FLEUR)
    offer = (await offers(living, token))[entry.key]
    document = await living.ask(InsuranceApi).insurance_document(token, offer.document_id, locale)
    assert len(PdfReader(BytesIO(document.content)).pages) <= 2, "two sides of A4"
    text = text_of(document.content)
    places = [text.index(flat(question)) for question in SECTIONS[locale]]
    assert places == sorted(places)
    insured = text[places[1] : places[2]]
    translate = gettext_for(locale)
    for cover in Cover:
        assert (flat(translate(COVER_TEXTS[cover])) in insured) == (cover in offer.covers), cover


@pytest.mark.each_database
async def test_a_request_keeps_the_version_that_the_customer_saw(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    seen = (await offers(living, token))["kettingzeker-theft"].document_id
    draft = await living.fill(token, FLOW, bike, CHOICE, ACCOUNT)
    newer = b"%PDF-1.7 a newer version"
    await renew(living, "2027-01", newer)
    await living.send(token, draft)
    request = (await living.ask(InsuranceApi).insurance_options(token, bike)).bike.request
    assert request
    assert request.document_id == seen
    latest = (await offers(living, token))["kettingzeker-theft"].document_id
    assert latest != seen
    shown = await living.ask(InsuranceApi).insurance_document(token, seen, "nl")
    assert shown.content == product_information(PACKAGES[0], "nl")
    assert (await living.ask(InsuranceApi).insurance_document(token, latest, "en")).content == newer
    mail = (await living.mails(FLEUR[1]))[0]
    assert f"/files/insurance-documents/{seen}.pdf" in mail.text
    assert f"/files/insurance-documents/{seen}.pdf" in mail.html


async def test_an_insurance_without_a_document_is_not_offered(living: Living) -> None:
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    async with living.context.database.transaction() as session:
        await session.exec(delete(InsuranceDocumentRow).where(col(InsuranceDocumentRow.insurer) == Insurer.FIETSVAST))
    caught = await refusal(living.ask(InsuranceApi).insurance_options(token, bike))
    assert isinstance(caught, Unavailable)
    assert caught.code is Code.INSURANCE_OPTIONS_FAILED
    assert await outcome(living.ask(FlowApi).flow_start(token, FLOW)) == "insurance_options_failed"


@pytest.mark.parametrize(
    ("version", "content", "why"),
    [
        ("2026-01", b"%PDF-1.7 other", "exists with other content"),
        ("2026-02", b"<html>", "is a PDF"),
        (" ", b"%PDF-1.7", "1 to 40 characters"),
        ("v" * 41, b"%PDF-1.7", "1 to 40 characters"),
    ],
)
async def test_a_document_that_cannot_be_kept_is_rejected(
    living: Living, version: str, content: bytes, why: str
) -> None:
    async with living.context.database.transaction() as session:
        with pytest.raises(DocumentRejected, match=why):
            await add_document(
                session, Insurer.KETTINGZEKER, InsuranceType.THEFT, version, content, now=living.clock.now
            )
        rows = (await session.exec(select(InsuranceDocumentRow))).all()
    assert len(rows) == len(PACKAGES)


def test_a_command_adds_a_version_once(
    demonstration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "portal.db").write_bytes((demonstration / "portal.db").read_bytes())
    monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path))
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(b"%PDF-1.7 a newer version")
    command = ["insurance-document", "fietsvast", "theft", "2027-01", str(paper)]
    for said in ("added", "already there"):
        assert main(command) == 0
        assert capsys.readouterr().out == f"insurance-document fietsvast theft 2027-01: {said}\n"
    paper.write_bytes(b"%PDF-1.7 something else")
    assert main(command) == 1
    assert "exists with other content" in capsys.readouterr().err
    assert main([*command[:-1], str(tmp_path / "nothing.pdf")]) == 1
