"""PDF and calendar file of a request, called directly and over HTTP."""

from __future__ import annotations

import asyncio
from datetime import date
from email.message import EmailMessage

import pytest
from icalendar import Calendar

from portal.contract.errors import NotFound
from portal.contract.session import LocaleChoice
from portal.contract.session_api import SessionApi
from portal.flow.api import FlowApi, Receipt, Submission
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.filling import TEXT, bikes_of, clear, filled
from tests.support.invoices import codes_on, text_of
from tests.support.mailbox import text_of as body_of
from tests.support.people import NOOR

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
    assert (paper.get_content_type(), paper.get_filename()) == ("application/pdf", f"reparatie-{receipt.reference}.pdf")
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
