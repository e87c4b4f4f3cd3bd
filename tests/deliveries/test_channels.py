"""Page, mailed link, mail, PDF and calendar file say the same about a delivery and about a request for another day."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from html import unescape
from io import BytesIO
from typing import cast

import pytest
from icalendar import Calendar
from pypdf import PdfReader
from sqlmodel import col, update

from portal.backend.letter import subject_line, weekday
from portal.contract.account import Account, LocalizedText
from portal.contract.errors import NotFound
from portal.contract.models import Locale
from portal.deliveries.api import DateChange, DeliveriesApi, OrderStatus
from portal.deliveries.pages.order_status import order_status_view
from portal.kernel.texts import LOCALES
from portal.links.api import LinkEntry, LinksApi
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.links import LinkPurpose
from tests.support.channels import plain
from tests.support.living import BRAM, DAAN, OPEN, Living
from tests.support.mailbox import ReadableMail

S = DateChangeStatus
PARTED = "900000078"


async def speak(living: Living, address: str, locale: Locale) -> None:
    """Store the language of a customer."""
    await living.change(CustomerRow, {"locale": locale}, email=address)


async def alter_order(living: Living, number: str, **values: object) -> None:
    await living.change(OrderRow, {**values}, order_number=number)


def flat(text: str) -> str:
    """The text without blanks; documents and mails break lines where they like, a PDF also after a hyphen."""
    return "".join(text.replace("\N{ZERO WIDTH SPACE}", "").split())


def sentences(account: Account, locale: Locale) -> list[str]:
    """Everything that a channel about a request must say."""
    facts = [text.text(locale) for fact in account.facts for text in (fact.label, *fact.lines)]
    steps = [step.text(locale) for step in account.next_steps]
    return [flat(text) for text in (account.status.text(locale), account.meaning.text(locale), *facts, *steps)]


def assert_says(account: Account, locale: Locale, **channels: str) -> None:
    for name, text in channels.items():
        for sentence in sentences(account, locale):
            assert sentence in flat(text), (name, sentence)


async def _confirmed(living: Living, _change: DateChange) -> None:
    living.clock.forward(minutes=1)
    await living.confirm(await living.end(DAAN[1]))


async def _answered(living: Living, change: DateChange, status: DateChangeStatus) -> None:
    await _confirmed(living, change)
    living.clock.forward(minutes=1)
    await living.move("date-change", change.reference, status.value, note="Bel ons als het niet past.")


async def _expired(living: Living, change: DateChange) -> None:
    over = {"link_expires_at": change.link_expires_at - timedelta(hours=25)}
    async with living.context.database.transaction() as session:
        mine = col(DateChangeRow.reference) == change.reference
        await session.exec(update(DateChangeRow).where(mine).values(**over))


CASES: dict[DateChangeStatus, Callable[[Living, DateChange], Awaitable[None]] | None] = {
    S.WAITING_FOR_CUSTOMER: None,
    S.WAITING_FOR_RETAILER: _confirmed,
    S.ACCEPTED: lambda living, change: _answered(living, change, S.ACCEPTED),
    S.REFUSED: lambda living, change: _answered(living, change, S.REFUSED),
    S.CANCELLED: lambda living, change: _answered(living, change, S.CANCELLED),
    S.EXPIRED: _expired,
}
"""How a request comes to each status."""


def test_channels_of_a_request_cover_every_status() -> None:
    assert set(CASES) == set(S) - {S.UNKNOWN}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("status", CASES, ids=str)
async def test_channels_say_the_same_about_a_request_for_another_day(
    living: Living, status: DateChangeStatus, locale: Locale
) -> None:
    await speak(living, DAAN[1], locale)
    sent = await living.request_day(await living.log_in(DAAN))
    end = await living.end(DAAN[1])
    if act := CASES[status]:
        await act(living, sent.change)
    token = await living.log_in(DAAN)
    order = await living.ask(DeliveriesApi).order_status(token, OPEN)
    change = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
    assert change
    assert order.change
    assert change.status is status
    account = change.account
    assert order.change.account == account
    link = await living.ask(LinksApi).link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))
    if link.about.account:
        assert link.about.account == account
    pdf = await living.ask(DeliveriesApi).delivery_date_pdf(token, OPEN, locale)
    paper = " ".join(page.extract_text() for page in PdfReader(BytesIO(pdf.content)).pages)
    assert flat(account.title.text(locale)) in flat(paper)
    assert_says(account, locale, pdf=paper)
    # Nobody writes when a link expires.
    if status is not S.EXPIRED:
        mail = (await living.mails(DAAN[1]))[0]
        said = [text for text in sentences(account, locale) if text != flat(account.status.text(locale))]
        if status is S.WAITING_FOR_CUSTOMER:
            # The mail has the button of which the page speaks.
            spoken = {flat(text.text(locale)) for text in (account.meaning, account.next_steps[0])}
            said = [text for text in said if text not in spoken]
            subject = {"nl": "Bevestig je nieuwe bezorgdag: ", "en": "Confirm your new delivery day: "}[locale]
            assert mail.subject == subject + plain(weekday(change.new_day, locale))
        else:
            assert mail.subject == f"{account.title.text(locale)}: {OPEN}"
        for body in (mail.text, mail.html):
            assert not [text for text in said if text not in flat(unescape(body))]


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_account_of_a_request_says_when_it_was_asked_for_and_when_the_answer_comes(
    living: Living, locale: Locale
) -> None:
    token = await living.log_in(DAAN)
    await living.request_day(token)
    await living.confirm(await living.end(DAAN[1]))
    change = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
    assert change
    row = await living.one(DateChangeRow, reference=change.reference)
    asked = local(row.created_at, locale)
    facts = {fact.label.text(locale): fact.lines[0].text(locale) for fact in change.account.facts}
    assert facts["Aangevraagd op" if locale == "nl" else "Requested on"] == asked
    assert row.confirmed_at
    assert local(row.confirmed_at + timedelta(hours=48), locale) in change.account.next_steps[0].text(locale)


def local(moment: object, locale: Locale) -> str:
    """A moment as people read it, written by another library than the portal uses."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    here = cast(datetime, moment).astimezone(ZoneInfo("Europe/Amsterdam"))
    months = {
        "nl": "januari februari maart april mei juni juli augustus september oktober november december",
        "en": "January February March April May June July August September October November December",
    }[locale].split()
    word = "om" if locale == "nl" else "at"
    return f"{here.day}\u00a0{months[here.month - 1]} {here.year} {word} {here:%H:%M}"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "status", [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN], ids=str
)
async def test_channels_say_the_same_about_a_delivery(living: Living, status: DeliveryStatus, locale: Locale) -> None:
    number = str(900_000_701 + [entry for entry in DeliveryStatus if entry is not DeliveryStatus.UNKNOWN].index(status))
    day = date.today() + timedelta(days=9)
    await alter_order(living, number, scheduled_day=day, scheduled_from="", scheduled_until="")
    order, mail = await _written(living, BRAM, number, number, status, locale)
    account = order.account
    assert mail.subject.strip() == subject_line(account.meaning, LocalizedText.same(number)).text(locale)
    assert account.handover
    when = account.handover.when.text(locale)
    without_day = status in {
        DeliveryStatus.ORDER_DELIVERED, DeliveryStatus.ORDER_PICKED_UP, DeliveryStatus.ORDER_CANCELLED,
        DeliveryStatus.ORDER_REFUSED_AT_DOOR, DeliveryStatus.BACKORDER, DeliveryStatus.ORDER_NOT_DELIVERED,
        DeliveryStatus.CUSTOMER_NOT_AT_HOME,
    }  # fmt: skip
    assert without_day == (when == "")
    for body in (mail.text, mail.html):
        said = [text for text in sentences(account, locale) if text != flat(account.status.text(locale))]
        assert not [text for text in (*said, flat(when)) if text not in flat(unescape(body))]
    view = order_status_view(order)
    assert view.account == account
    assert bool(view.scheduled) != without_day
    asked = living.ask(DeliveriesApi).delivery_calendar(await living.log_in(BRAM), number, locale)
    if without_day:
        with pytest.raises(NotFound):
            await asked
    else:
        assert "09:00" in when, "without hours, any time of the day"
        assert "20:00" in when
        calendar = Calendar.from_ical((await asked).content.decode())
        event = calendar.walk("VEVENT")[0]
        assert when in str(event["description"])
        assert str(event["location"]) == ", ".join(account.handover.place)
        assert "09:00" in str(event["summary"])
        assert str(event["url"]).endswith(f"/order-status/{number}" + {"nl": "", "en": "?lang=en"}[locale])
        assert str(event["url"]) in str(event["description"])


async def test_no_channel_names_a_delivery_day_that_has_gone_by(living: Living) -> None:
    number = str(900_000_701 + list(DeliveryStatus).index(DeliveryStatus.READY_FOR_TRANSPORT))
    await alter_order(living, number, scheduled_day=date.today() - timedelta(days=1))
    order, mail = await _written(living, BRAM, number, number, DeliveryStatus.READY_FOR_TRANSPORT, "nl")
    assert order.account.handover
    assert (order.account.handover.when.nl, order.scheduled, order.change_refusal) == ("", None, "delivery_not_planned")
    assert "Zodra de bezorgdag bekend is" in plain(mail.text)


@pytest.mark.parametrize("locale", LOCALES)
async def test_channels_count_the_items_of_a_part_alike(living: Living, locale: Locale) -> None:
    await living.move("shipment", f"{PARTED}-1", "ready_for_transport")
    order, mail = await _written(living, DAAN, PARTED, f"{PARTED}-1", DeliveryStatus.READY_FOR_TRANSPORT, locale)
    bike = order.shipments[0].account
    assert order_status_view(order).shipments[0].account.meaning == bike.meaning
    for text in sentences(bike, locale)[1:]:
        assert text in flat(mail.text)
    assert "Kettingslot" not in mail.text, "the locks are in another part"
    assert "2 × Kettingslot ART 3, 110 cm" in [line.nl for fact in order.account.facts for line in fact.lines]


async def test_a_store_pick_up_never_leads_to_the_customers_home(living: Living) -> None:
    number = next(str(900_000_701 + place) for place, one in enumerate(DeliveryStatus) if "ready_for_pickup" in one)
    await alter_order(living, number, scheduled_day=date.today() + timedelta(days=3))
    token = await living.log_in(BRAM)
    order = await living.ask(DeliveriesApi).order_status(token, number)
    calendar = (await living.ask(DeliveriesApi).delivery_calendar(token, number, "nl")).content.decode()
    assert order.account.handover
    assert order.account.handover.place == [order.shipments[0].carrier]
    assert "Grote Markt" not in calendar
    assert order.shipments[0].carrier in calendar


async def _written(
    living: Living, who: tuple[str, str], number: str, reference: str, status: DeliveryStatus, locale: Locale
) -> tuple[OrderStatus, ReadableMail]:
    """The order and the mail that is sent when staff add a note to its current status."""
    await speak(living, who[1], locale)
    await living.move("shipment", reference, status.value, note="Even geduld.")
    order = await living.ask(DeliveriesApi).order_status(await living.log_in(who), number)
    return order, (await living.mails(who[1]))[0]
