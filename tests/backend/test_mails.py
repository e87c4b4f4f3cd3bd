"""What a mail says, in both languages, and what it is made of."""

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from portal.backend.mail import MailContent, Template, compose, deliverable, render
from portal.login.api import EmailChange
from portal.settings import Settings
from tests.support.application import TestApplication, code_in
from tests.support.mail_values import OF_A_REQUEST, OF_A_WORK_ORDER, PLAIN, VALUES
from tests.support.mailbox import list_messages, read_message


async def test_the_code_stands_in_both_bodies_and_in_the_preview_but_not_in_the_subject(
    sqlite_application: TestApplication,
) -> None:
    await sqlite_application.ask()
    (mail,) = await sqlite_application.mails("sanne@example.com")
    code = code_in(mail.text)
    assert mail.html.count(code) == 2
    assert code not in mail.subject


async def test_the_mail_about_another_address_is_in_the_language_of_the_customer(
    sqlite_application: TestApplication,
) -> None:
    token = await sqlite_application.logged_in()
    await sqlite_application.login.request_email_change(token, EmailChange(email="new@example.org"))
    assert (await sqlite_application.mails("sanne@example.com"))[0].subject == "Bevestig je nieuwe e-mailadres"


@pytest.mark.parametrize("template", PLAIN)
def test_every_mail_is_complete_in_both_languages(template: Template) -> None:
    dutch, english = (render(template, locale, Settings(), VALUES) for locale in ("nl", "en"))
    for content in (dutch, english):
        assert "{" not in content.text
        assert "{{" not in content.html
        assert content.subject in content.html
        assert "Bovenbuis, Vredenburg 40, 3511 BD Utrecht" in content.text
    assert dutch.subject != english.subject or dutch.subject in (VALUES["subject"], VALUES["account"]["subject"])
    same = set(dutch.text.splitlines()) & set(english.text.splitlines())
    allowed = {"", "--", "042137", "sanne@example.org", "Bovenbuis, Vredenburg 40, 3511 BD Utrecht"}
    allowed |= {f"{place}. {step}" for place, step in enumerate(VALUES["steps"], 1)} | {*VALUES["phones"]}
    allowed |= {f"- {line}" for line in VALUES["lines"]} | {f"{Settings().address}{VALUES['path']}/042137"}
    # What others say stands there as it is; the pages have the same addresses in both languages.
    allowed |= {
        *map(str, VALUES.values()),
        VALUES["account"]["subject"],
        VALUES["account"]["title"],
        "1. Later.",
        "€: € 1",
        "€: € 2",
        "€: € 4",
        # The facts of an account whose label and lines are the same in both languages.
        "€:",
        "- €",
        "-  ",
        "- 1",
        "Utrecht",
        "Kettingzeker: Diefstal",
    }
    assert {line for line in same if not line.startswith(f"{Settings().address}/")} <= allowed


@pytest.mark.parametrize("template", Template)
def test_a_mail_loads_nothing_from_elsewhere_and_its_styles_stand_on_the_elements(template: Template) -> None:
    html = render(template, "nl", Settings(), {**VALUES, **OF_A_REQUEST, **OF_A_WORK_ORDER}).html
    for forbidden in ("<img", "<script", "url(", "@import", "<link", "<svg", "http-equiv"):
        assert forbidden not in html
    assert 'style="' in html
    assert '<html lang="nl"' in html
    assert 'role="presentation"' in html


@pytest.mark.parametrize("template", Template)
def test_a_mail_greets_says_who_writes_has_a_dark_version_and_buttons(template: Template) -> None:
    values = {**VALUES, **OF_A_REQUEST, **OF_A_WORK_ORDER, "greeted": "Sanne"}
    for locale, greeting, sender in (
        ("nl", "Hoi Sanne,", "Het team van Bovenbuis"),
        ("en", "Hi Sanne,", "The team of"),
    ):
        content = render(template, "nl" if locale == "nl" else "en", Settings(), values)
        assert greeting in content.text
        assert greeting in content.html
        assert sender in content.text
        assert sender in content.html
        assert "@media (prefers-color-scheme: dark)" in content.html
        links = re.findall(r"<a ([^>]*)>", content.html)
        pages = [link for link in links if re.search(rf'href="{Settings().address}/(?!files/)', link)]
        assert [link for link in pages if 'class="act"' not in link and template is not Template.CASES_OVERDUE] == []


def test_the_parts_of_a_mail_about_a_work_order_stand_apart() -> None:
    text = render(Template.WORK_ORDER_STATUS, "nl", Settings(), VALUES | OF_A_WORK_ORDER).text
    _, greeting, _, note, covered, steps, handover, location, way, *_ = text.split("\n\n")
    assert greeting == "Hoi,"
    assert note == "Bericht van de werkplaats\nDe cassette is besteld."
    assert covered.startswith("Je fiets valt nu")
    assert steps == "WAT ER NU GEBEURT\n1. We gaan aan de slag zodra de onderdelen er zijn."
    assert handover.splitlines()[-1] == "Wanneer: vrijdag 12 juni 2026"
    assert location == "Servicelocatie: Bovenbuis Amsterdam, +31 20 200 1236"
    assert way.startswith("Bekijk hoe het met je aanvraag gaat\nhttp://")


@pytest.mark.parametrize("template", Template)
def test_an_address_to_copy_never_makes_a_mail_wider_than_a_phone(template: Template) -> None:
    html = render(template, "nl", Settings(), {**VALUES, **OF_A_REQUEST, **OF_A_WORK_ORDER}).html
    copied = re.findall(r"<p([^>]*)>[^<]*<br>http", html)
    assert all("overflow-wrap: anywhere" in style for style in copied)
    assert bool(copied) is ("/042137</p>" in html)


def test_what_customers_typed_is_text_in_a_mail() -> None:
    hostile = '<img src=http://192.0.2.1>"{{ 7*7 }}{code}'
    content = render(Template.EMAIL_CHANGE_CODE, "nl", Settings(), {"code": "042137", "new_email": hostile})
    assert "<img" not in content.html
    assert "&lt;img src=http://192.0.2.1&gt;" in content.html
    assert hostile in content.text


def _composed(recipient: str = "sanne@example.com", **changes: str) -> EmailMessage:
    content = MailContent(
        **({"subject": "Groeten uit Ålesund – € 3", "text": "tekst é\n", "html": "<p>é</p>"} | changes)
    )
    raw = compose(
        "Winkel <noreply@bovenbuis.example>",
        recipient,
        content,
        "nl",
        "<1@bovenbuis.example>",
        datetime(2026, 3, 1, tzinfo=UTC),
        reply_to="utrecht@bovenbuis.example",
    )
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_message_has_every_header_it_should() -> None:
    message = _composed()
    assert str(message["From"]) == "Winkel <noreply@bovenbuis.example>"
    assert message["Reply-To"] == "utrecht@bovenbuis.example"
    assert str(message["To"]) == "sanne@example.com"
    assert message["Subject"] == "Groeten uit Ålesund – € 3"
    assert message["Date"] == "Sun, 01 Mar 2026 00:00:00 +0000"
    assert message["Message-ID"] == "<1@bovenbuis.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Content-Language"] == "nl"
    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]


@pytest.mark.parametrize(
    "recipient",
    [
        "a@example.com, b@example.com",
        "a@example.com\r\nBcc: b@example.com",
        "a@example.com＠example.org",
        "<a@example.com>",
        "",
    ],
)
def test_a_message_has_one_recipient_and_no_header_of_a_subject_or_is_not_made(recipient: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        _composed(recipient)
    with pytest.raises(ValueError, match="line"):
        _composed(subject="Hallo\r\nBcc: b@example.com")


def test_a_domain_with_special_letters_is_mailed_in_its_plain_form() -> None:
    assert deliverable("jan@büro.de") == "jan@xn--bro-hoa.de"


async def test_the_demonstration_writes_its_mails_as_files(sqlite_application: TestApplication) -> None:
    await sqlite_application.ask()
    await sqlite_application.deliver()
    sqlite_application.clock.forward(minutes=1)
    await sqlite_application.ask(locale="en")
    await sqlite_application.deliver()
    listed = list_messages(sqlite_application.data_dir)
    assert [mail.language for mail in listed] == ["en", "nl"]
    assert read_message(sqlite_application.data_dir, listed[0].name).html.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("template", PLAIN)
def test_the_links_of_a_mail_open_in_its_language(template: Template) -> None:
    settings = Settings()
    pages = re.compile(rf"{re.escape(settings.address)}/[^\s\"<]+")
    dutch, english = (render(template, locale, settings, VALUES) for locale in ("nl", "en"))
    for body, translated in ((dutch.text, english.text), (dutch.html, english.html)):
        links = pages.findall(body)
        assert pages.findall(translated) == [f"{link}?lang=en" for link in links]
    assert template is not Template.CONFIRM_RETURN or pages.search(english.text)
