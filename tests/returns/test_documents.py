"""The content of label, summary and mails of a return, in both languages (part-2 §4, §8)."""

from pathlib import Path

import pytest

from portal.backend.mail import Template, render
from portal.contract.errors import Unavailable
from portal.contract.models import Locale
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import gettext_for
from portal.kernel.validation import in_groups
from portal.returns.api import ReturnsApi
from portal.tables.messages import OutboxMail
from portal.vocabulary.returns import ReturnStatus
from tests.returns.back_office import move, settled
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.invoices import codes_on, text_of
from tests.support.returning import ACCESSORIES, BUNDLE, EXCHANGE, PARTLY, REASON, accessories, facts, pick_up, send

SENT_BACK = "Bovenbuis Afdeling retouren Vredenburg 40 3511 BD Utrecht"

LABEL: dict[Locale, tuple[str, ...]] = {
    "nl": (
        "Retourlabel {}",
        SENT_BACK,
        "Afzender Roos de Wit",
        "Bestelnummer 900000722",
        "2 × ",
        "Nederland",
        "overdag",
    ),
    "en": ("Return label {}", "Returns department", "Sender Roos de Wit", "Order number 900000722", "during the day"),
}

SUMMARY: dict[Locale, tuple[str, ...]] = {
    "nl": (
        "Retour van accessoires",
        "Retournummer {}",
        "Ongebruikt",
        "We halen het bij je thuis op",
        "Je hoeft nog niet te betalen.",
    ),
    "en": (
        "Return of accessories",
        "Return number {}",
        "Not used",
        "We pick it up from your home",
        "You don’t have to pay yet.",
    ),
}


async def _requested(shop: Furnished) -> tuple[str, str, str]:
    """Request a return with a pick-up; session token, return id and reference."""
    token = await shop.log_in(ROOS)
    steps = {**await accessories(shop.provider, token, f"{PARTLY}-1*2"), "method": {"method": "pick_up"}}
    receipt = await send(shop.provider, token, ACCESSORIES, {**steps, "pickup": await pick_up(shop.provider, token)})
    return token, receipt.summary["return_id"], receipt.reference


async def _mail(shop: Furnished, template: Template, locale: Locale) -> str:
    """Subject and text of the last mail with a template."""
    mail = (await shop.rows(OutboxMail, template=template))[-1]
    written = render(template, locale, shop.context.settings, mail.details | {"code": "end"})
    return f"{written.subject}\n{written.text}"


@pytest.mark.parametrize("locale", ["nl", "en"])
async def test_label_and_summary_list_the_items_and_have_a_readable_qr_code(
    furnished: Furnished, locale: Locale
) -> None:
    token, return_id, reference = await _requested(furnished)
    label = (await furnished.ask(ReturnsApi).return_label(token, return_id, locale)).content
    document = (await furnished.ask(ReturnsApi).return_summary_pdf(token, return_id, locale)).content
    for content, parts in ((label, LABEL[locale]), (document, SUMMARY[locale])):
        text = text_of(content)
        for part in parts:
            assert part.format(in_groups(reference)) in text, part
        assert codes_on(content) == [f"{furnished.context.settings.desk_address}/receive/{reference}"]
    refund = await settled(furnished, reference)
    amount = refund.charge or refund.refund
    assert f"{amount:.2f}".replace(".", "," if locale == "nl" else ".") in text_of(document)


async def test_a_document_that_cannot_be_rendered_shows_the_required_message(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, return_id, _ = await _requested(furnished)
    assert gettext_for("nl")(MESSAGES[Code.PDF_FAILED]) == "PDF kon niet gedownload worden."
    monkeypatch.setattr("portal.backend.pdf.TEMPLATES", tmp_path)
    for attempt in (furnished.ask(ReturnsApi).return_label, furnished.ask(ReturnsApi).return_summary_pdf):
        with pytest.raises(Unavailable) as caught:
            await attempt(token, return_id, "nl")
        assert caught.value.code is Code.PDF_FAILED


@pytest.mark.parametrize(
    ("locale", "present", "absent", "named"),
    [
        ("nl", ("Omruilen", "Omruilnummer"), "je retour", "Inleverbon"),
        ("en", ("Exchange", "Exchange number"), "your return", "Drop-off slip"),
    ],
)
async def test_an_exchange_is_called_an_exchange_in_documents_and_mails(
    furnished: Furnished, locale: Locale, present: tuple[str, str], absent: str, named: str
) -> None:
    token = await furnished.log_in(ROOS)
    store = (await facts(furnished.provider, token, EXCHANGE))["stores"][0]["id"]
    steps = {
        "item": {"item": f"{BUNDLE}-2"},
        "product": {"exchange_type": "same"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "battery": "fine"},
        "method": {"method": "store", "store": store},
    }
    receipt = await send(furnished.provider, token, EXCHANGE, steps)
    document = text_of(
        (await furnished.ask(ReturnsApi).return_summary_pdf(token, receipt.summary["return_id"], locale)).content
    )
    for part in present:
        assert part in document
    assert absent not in document.casefold()
    assert ("Voor dezelfde" if locale == "nl" else "The same one") in document
    label = text_of((await furnished.ask(ReturnsApi).return_label(token, receipt.summary["return_id"], locale)).content)
    assert f"{named} {in_groups(receipt.reference)}" in label
    assert present[1] in label
    for other in ("retourlabel", "retournummer", "return label", "return number"):
        assert other not in label.casefold()
    mails = [await _mail(furnished, Template.RETURN_RECEIVED, locale)]
    for status in (ReturnStatus.RECEIVED, ReturnStatus.CLOSED):
        await move(furnished, receipt.reference, status)
        mails.append(await _mail(furnished, Template.RETURN_MOVED, locale))
    assert all(absent not in mail.casefold() for mail in mails)
    # A return that has arrived has no label.
    assert [named.casefold() in mail.casefold() for mail in mails] == [True, False, False]
    assert in_groups(receipt.reference) in mails[-1]
