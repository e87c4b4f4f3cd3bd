"""Confirmation mails, as received by a real mail server."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser
from typing import Any

from icalendar import Calendar

from portal.backend.mail import compose
from portal.backend.transports import OutgoingMessage, SmtpTransport
from portal.contract.models import Locale
from portal.settings import Settings, Smtp
from portal.work_orders.provider.confirmation import calendar_document, confirmation_document, mail_of
from tests.support.confirmations import SENT, confirmation, planned
from tests.support.smtp import MailServer

SETTINGS = Settings(public_url="https://mijn.bovenbuis.example")


async def arrived(locale: Locale, **changes: Any) -> EmailMessage:
    """Return a mail that was sent over SMTP."""
    told = confirmation(locale, **changes)
    papers = [await confirmation_document(told, SETTINGS)]
    if told.appointment:
        papers.append(calendar_document(told, SETTINGS))
    content = mail_of(told, SETTINGS)
    message = compose(SETTINGS.mail_from, "lukasz@example.com", content, locale, "<a@b.example>", SENT, papers)
    server = MailServer()
    server.start()
    try:
        options = SETTINGS.model_copy(
            update={"smtp": Smtp(host="127.0.0.1", port=server.port, security="none", timeout_seconds=5)}
        )
        await SmtpTransport(options).send(OutgoingMessage("<a@b.example>", "lukasz@example.com", message, SENT))
    finally:
        server.stop()
    (taken,) = server.answers.taken
    found = message_from_bytes(taken.as_bytes(), policy=default)
    assert isinstance(found, EmailMessage)
    return found


async def test_both_files_arrive_as_they_were_made() -> None:
    mail = await arrived("nl", **planned())
    assert mail.get_content_type() == "multipart/mixed"
    paper, appointment = mail.iter_attachments()
    assert paper.get_filename() == "reparatie-K7M3P9RT.pdf"
    told = confirmation("nl", **planned())
    assert paper.get_content() == (await confirmation_document(told, SETTINGS)).content
    assert appointment.get_filename() == "reparatie-K7M3P9RT-afspraak.ics"
    assert appointment["Content-Type"].params["method"] == "PUBLISH"
    content = appointment.get_content()
    (event,) = Calendar.from_ical(content).walk("VEVENT")
    assert str(event["location"]).startswith("Fietsplaats; Jansen")


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _words(html: str) -> str:
    reader = _Text()
    reader.feed(html)
    return "".join(reader.words)


def test_what_a_customer_wrote_is_never_markup() -> None:
    evil = '<img src=x onerror="alert(1)"> {{ 7*7 }} {reference}'
    content = mail_of(confirmation("nl", {"parts": ["chain"], "details_chain": evil}), SETTINGS)
    assert "<img src=x" not in content.html
    assert "&lt;img src=x" in content.html
    assert evil in content.text


def test_without_files_costs_and_a_day_their_headings_are_not_there() -> None:
    content = mail_of(confirmation("nl", files=[], costs=()), SETTINGS)
    for word in ("Foto", "Kosten", "Wanneer:"):
        assert word.upper() not in content.text.upper()
        assert word not in _words(content.html)
