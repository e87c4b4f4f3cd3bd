"""PDF and calendar file of a request, called directly and over HTTP."""

from __future__ import annotations

import asyncio
from datetime import date
from email.message import EmailMessage

import pytest
from icalendar import Calendar

from portal.contract.errors import NotAuthenticated, NotFound
from portal.contract.session import LocaleChoice
from portal.contract.session_api import SessionApi
from portal.flow.api import FlowApi, Receipt, Submission
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.filling import SERVICE_FLOW, TEXT, bikes_of, clear, filled, service_filled
from tests.support.invoices import codes_on, text_of
from tests.support.mailbox import text_of as body_of
from tests.support.people import MAX, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def sent(shop: Shop, customer: tuple[str, str]) -> tuple[str, Receipt]:
    """Send a repair, after closing the work orders of earlier calls so that their bikes are free again."""
    token = await shop.token(*customer)
    await shop.alter("UPDATE requests SET status = 'done' WHERE draft_key IS NOT NULL")
    await clear(shop, token)
    bike = next(entry["id"] for entry in await bikes_of(shop, token) if not entry["refusal"] and not entry["pin"])
    draft = await filled(shop, token, bike)
    return token, await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))


async def confirmation_mail(shop: Shop, address: str, reference: str) -> EmailMessage:
    """Wait for the mail about a request. The limit is generous, because rendering is slow on a busy machine."""
    grouped = f"{reference[:4]} {reference[4:]}"
    for _ in range(1200):
        if found := [mail for mail in shop.mailbox.mails_to(address) if grouped in body_of(mail)]:
            (mail,) = found
            return mail
        await asyncio.sleep(0.05)
    raise AssertionError("no confirmation came")


async def test_the_receipt_says_where_the_confirmation_went_and_there_it_is(shop_each_way: Shop) -> None:
    await shop_each_way.ask(SessionApi).change_locale(await shop_each_way.token(*NOOR), LocaleChoice(locale="nl"))
    _, receipt = await sent(shop_each_way, NOOR)
    assert receipt.email == NOOR[1]
    mail = await confirmation_mail(shop_each_way, NOOR[1], receipt.reference)
    assert mail["Subject"] == "Je reparatie is aangemeld: Lindegracht Klassiek 7"
    assert mail["Content-Language"] == "nl"
    text = body_of(mail)
    assert TEXT in text
    assert "binnen 3 werkdagen" in text
    (paper,) = mail.iter_attachments()
    assert (paper.get_content_type(), paper.get_filename()) == (
        "application/pdf",
        f"reparatie-{receipt.reference}.pdf",
    )
    content = paper.get_content()
    assert codes_on(content) == [receipt.reference]
    assert TEXT in text_of(content)


async def test_an_appointment_exists_once_the_work_is_planned(shop_each_way: Shop) -> None:
    token, receipt = await sent(shop_each_way, NOOR)
    with pytest.raises(NotFound):
        await shop_each_way.ask(WorkOrdersApi).request_calendar(token, receipt.reference, "nl")
    await shop_each_way.alter("UPDATE requests SET planned_date = '2027-03-04' WHERE reference = ?", receipt.reference)
    document = await shop_each_way.ask(WorkOrdersApi).request_calendar(token, receipt.reference, "nl")
    assert (document.name, document.media_type) == (f"reparatie-{receipt.reference}-afspraak.ics", "text/calendar")
    (event,) = Calendar.from_ical(document.content.decode()).walk("VEVENT")
    assert event.decoded("dtstart") == date(2027, 3, 4)
    paper = await shop_each_way.ask(WorkOrdersApi).request_document(token, receipt.reference, "nl")
    assert "Wanneer donderdag 4 maart 2027" in text_of(paper.content)


async def test_documents_of_somebody_else_are_not_there(shop_each_way: Shop) -> None:
    _, receipt = await sent(shop_each_way, NOOR)
    await shop_each_way.alter("UPDATE requests SET planned_date = '2027-03-04' WHERE reference = ?", receipt.reference)
    for customer in (SANNE, MAX):
        stranger = await shop_each_way.token(*customer)
        for ask in (
            shop_each_way.ask(WorkOrdersApi).request_document,
            shop_each_way.ask(WorkOrdersApi).request_calendar,
        ):
            with pytest.raises(NotFound):
                await ask(stranger, receipt.reference, "nl")
    for ask in (shop_each_way.ask(WorkOrdersApi).request_document, shop_each_way.ask(WorkOrdersApi).request_calendar):
        for nothing in ("", "X", "../etc", "' OR 1=1", "a" * 300):
            with pytest.raises(NotFound):
                await ask(await shop_each_way.token(*NOOR), nothing, "nl")
        with pytest.raises(NotAuthenticated):
            await ask("ended", receipt.reference, "nl")


async def test_the_document_of_a_service_tells_job_place_and_the_costs_that_were_shown(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    await shop_each_way.alter("UPDATE requests SET status = 'done' WHERE draft_key IS NOT NULL")
    await clear(shop_each_way, token, SERVICE_FLOW)
    bike = next(
        entry["id"] for entry in await bikes_of(shop_each_way, token) if not entry["refusal"] and not entry["pin"]
    )
    draft = await service_filled(shop_each_way, token, bike)
    receipt = await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    mail = await confirmation_mail(shop_each_way, NOOR[1], receipt.reference)
    assert mail["Subject"] == "Je servicebeurt is aangevraagd: Lindegracht Klassiek 7"
    paper = await shop_each_way.ask(WorkOrdersApi).request_document(token, receipt.reference, "nl")
    assert receipt.account
    assert receipt.account.handover
    total = receipt.account.money.total
    assert total > 60
    for text in (body_of(mail), text_of(paper.content)):
        written = " ".join(text.split())
        for part in (
            "Servicelocatie",
            *receipt.account.handover.place,
            "neemt contact met je op voor een afspraak.",
            "+31 6 12345678",
            receipt.account.handover.how.nl,
            "€ 60,00",
            f"€ {total:.2f}".replace(".", ","),
        ):
            assert part in written, part
