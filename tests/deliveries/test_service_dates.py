"""Another delivery day: request, confirmation by link, answer of the retailer (edge-cases 43-52)."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from io import BytesIO

import pytest
from pypdf import PdfReader

from portal.backend.backoffice import NotAllowed
from portal.backend.letter import weekday
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.rules import is_working_day
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.links.api import LinkEntry, LinksApi
from portal.tables.deliveries import DeliveryDayRow
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.application import outcome, refusal
from tests.support.channels import plain
from tests.support.living import CONFIRMED, DAAN, OPEN, PENDING, Living

S = DateChangeStatus


async def _taken(shop: Living, day: date) -> int:
    async with shop.context.database.session() as session:
        row = await session.get(DeliveryDayRow, (Country.NL, day))
        return row.taken if row else 0


async def test_weeks_hold_working_days_only_each_once_and_none_is_chosen_for_the_customer(living: Living) -> None:
    dates = await living.ask(DeliveriesApi).delivery_dates(await living.log_in(DAAN), OPEN)
    days = [entry.day for week in dates.weeks for entry in week.days]
    assert len(days) == len(set(days)) >= 20
    assert days == sorted(days)
    for week in dates.weeks:
        assert (week.monday.isoweekday(), week.sunday - week.monday) == (1, timedelta(days=6))
        for entry in week.days:
            assert week.monday <= entry.day <= week.sunday
            assert is_working_day(entry.day, Country.NL)
    assert dates.scheduled
    assert dates.scheduled.day not in days


@pytest.mark.each_database
async def test_from_the_request_to_the_new_day(living: Living) -> None:
    token = await living.log_in(DAAN)
    before = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    assert before
    sent = await living.request_day(token)
    assert sent.change.status is S.WAITING_FOR_CUSTOMER
    assert sent.mail.expires_at - sent.change.requested_at == timedelta(hours=24)
    assert (sent.change.from_time, sent.change.until_time) == ("17:30", "20:00"), "an evening stays an evening"
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled == before, "nothing has changed yet"

    end = await living.end(DAAN[1])
    look = await living.ask(LinksApi).link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))
    assert (look.state, look.about["account"]) == (LinkState.VALID, sent.change.account.model_dump(mode="json"))
    assert (await living.confirm(end)).state is LinkState.CONFIRMED
    assert (await living.confirm(end)).state is LinkState.USED
    waiting = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
    assert waiting
    assert waiting.status is S.WAITING_FOR_RETAILER
    assert waiting.answer_by == living.clock.now + timedelta(hours=48)

    moved = await living.move("date-change", sent.change.reference, "accepted")
    assert (moved.before, moved.changed) == ("waiting_for_retailer", True)
    assert not (await living.move("date-change", sent.change.reference, "accepted")).changed
    after = await living.ask(DeliveriesApi).order_status(token, OPEN)
    assert after.scheduled
    assert (after.scheduled.day, after.scheduled.from_time) == (sent.change.new_day, "17:30")
    assert after.change
    assert after.change.status is S.ACCEPTED
    subjects = {message.subject.partition(":")[0] for message in await living.mails(DAAN[1])}
    assert {"Je nieuwe bezorgdag staat vast", "We kijken of je nieuwe dag lukt"} <= subjects


async def test_the_day_is_the_same_on_page_mail_document_and_in_the_calendar(living: Living) -> None:
    token = await living.log_in(DAAN)
    sent = await living.request_day(token)
    day = sent.change.new_day
    assert weekday(day, "nl") in (await living.mails(DAAN[1]))[0].text
    for language in ("nl", "en"):
        document = PdfReader(
            BytesIO((await living.ask(DeliveriesApi).delivery_date_pdf(token, OPEN, language)).content)
        )
        assert plain(weekday(day, language)) in plain(" ".join(page.extract_text() for page in document.pages))
    await living.confirm(await living.end(DAAN[1]))
    await living.move("date-change", sent.change.reference, "accepted")
    calendar = (await living.ask(DeliveriesApi).delivery_calendar(token, OPEN, "en")).content.decode()
    assert f"DTSTART;VALUE=DATE:{day:%Y%m%d}" in calendar, "a day, not a moment"
    assert "17:30" in calendar


async def test_a_pending_request_blocks_another_one_and_an_expired_one_does_not(living: Living) -> None:
    token = await living.log_in(DAAN)
    for number in (PENDING, CONFIRMED):
        dates = await living.ask(DeliveriesApi).delivery_dates(token, number)
        assert (dates.refusal, dates.weeks) == (Code.DATE_CHANGE_PENDING, [])
        caught = await refusal(living.request_day(token, number, await living.free_day(token, OPEN)))
        assert isinstance(caught, Conflict)
        assert caught.code is Code.DATE_CHANGE_PENDING
    await living.request_day(token)
    old = await living.end(DAAN[1])
    living.clock.forward(hours=24)
    token = await living.log_in(DAAN)
    dates = await living.ask(DeliveriesApi).delivery_dates(token, OPEN)
    assert dates.refusal is None
    assert dates.change
    assert dates.change.status is S.EXPIRED
    assert (await living.confirm(old)).state is LinkState.EXPIRED
    again = await living.request_day(token)
    assert again.change.status is S.WAITING_FOR_CUSTOMER


@pytest.mark.each_database
async def test_of_many_requests_at_once_one_is_kept(living: Living) -> None:
    token = await living.log_in(DAAN)
    day = await living.free_day(token, OPEN)
    outcomes = await asyncio.gather(*(outcome(living.request_day(token, OPEN, day)) for _ in range(8)))
    assert sorted(outcomes) == ["date_change_pending"] * 7 + ["ok"]
    assert len([mail for mail in await living.mails(DAAN[1]) if "/delivery-date/confirm/" in mail.text]) == 1


@pytest.mark.each_database
async def test_two_customers_cannot_take_the_last_place(living: Living) -> None:
    token = await living.log_in(DAAN)
    day = await living.free_day(token, OPEN, -2)
    async with living.context.database.transaction() as session:
        session.add(DeliveryDayRow(country_code=Country.NL, day=day, capacity=1, taken=0))
    ends = []
    for number in (OPEN, "900000075", "900000076"):
        await living.request_day(token, number, day)
        ends.append(await living.end(DAAN[1]))
        living.clock.forward(seconds=1)
    outcomes = await asyncio.gather(*(outcome(living.confirm(end)) for end in ends))
    assert sorted(outcomes) == ["delivery_day_taken", "delivery_day_taken", "ok"]
    assert await _taken(living, day) == 1
    loser = next(number for number, how in zip((OPEN, "900000075", "900000076"), outcomes, strict=True) if how != "ok")
    # The loser can choose again before the link expires. The full day is shown but cannot be chosen.
    dates = await living.ask(DeliveriesApi).delivery_dates(token, loser)
    assert dates.refusal is None
    assert [entry.free for week in dates.weeks for entry in week.days if entry.day == day] == [False]
    caught = await refusal(living.request_day(token, loser, day))
    assert isinstance(caught, InvalidInput)
    assert caught.fields == {"day": Code.DELIVERY_DAY_TAKEN}
    assert (await living.request_day(token, loser)).change.status is S.WAITING_FOR_CUSTOMER


@pytest.mark.each_database
async def test_a_day_past_the_cut_off_when_the_link_is_used_is_refused(living: Living) -> None:
    token = await living.log_in(DAAN)
    first = await living.free_day(token, OPEN, 0)
    await living.request_day(token, OPEN, first)
    end = await living.end(DAAN[1])
    living.clock.forward(hours=23, minutes=59)
    async with living.context.database.transaction() as session:
        from portal.tables.deliveries import DateChangeRow

        row = (await session.exec(_newest(DateChangeRow))).first()
        assert row
        row.new_day = living.clock.now.date()
    caught = await refusal(living.confirm(end))
    assert isinstance(caught, Refused)
    assert caught.code is Code.DELIVERY_DAY_TAKEN


def _newest(table):
    from sqlmodel import col, select

    return select(table).order_by(col(table.id).desc()).limit(1)


async def test_it_is_too_late_once_the_carrier_has_it_also_for_a_link_that_is_used_later(living: Living) -> None:
    token = await living.log_in(DAAN)
    assert (await living.ask(DeliveriesApi).delivery_dates(token, "900000077")).refusal is Code.ALREADY_HANDED_OVER
    assert (
        await outcome(living.request_day(token, "900000077", await living.free_day(token, OPEN)))
        == "already_handed_over"
    )
    sent = await living.request_day(token)
    end = await living.end(DAAN[1])
    await living.move("shipment", OPEN, "ready_for_transport")
    await living.move("shipment", OPEN, "handover_to_parcel_service")
    caught = await refusal(living.confirm(end))
    assert isinstance(caught, Refused)
    assert caught.code is Code.ALREADY_HANDED_OVER
    status = await living.ask(DeliveriesApi).order_status(token, OPEN)
    assert status.change
    assert (status.change.reference, status.change.status) == (sent.change.reference, S.CANCELLED)
    assert status.change_refusal is Code.ALREADY_HANDED_OVER


async def test_what_was_confirmed_gives_its_place_back_when_it_is_refused(living: Living) -> None:
    token = await living.log_in(DAAN)
    sent = await living.request_day(token)
    before = await _taken(living, sent.change.new_day)
    await living.confirm(await living.end(DAAN[1]))
    assert await _taken(living, sent.change.new_day) == before + 1
    await living.move("date-change", sent.change.reference, "refused", note="Geen bus in je regio.")
    assert await _taken(living, sent.change.new_day) == before
    pending = (await living.ask(DeliveriesApi).order_status(token, OPEN)).change
    assert pending
    assert (pending.status, pending.note) == (S.REFUSED, "Geen bus in je regio.")
    with pytest.raises(NotAllowed):
        await living.move("date-change", sent.change.reference, "accepted")
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).refusal is None


@pytest.mark.each_database
async def test_a_request_can_be_taken_back_and_its_link_is_worthless_then(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.request_day(token)
    end = await living.end(DAAN[1])
    assert (await living.ask(DeliveriesApi).cancel_delivery_date(token, OPEN)).status is S.CANCELLED
    assert await outcome(living.confirm(end)) == "invalid_hash"
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).cancel_delivery_date(token, OPEN)
    await living.request_day(token)


async def test_the_link_can_be_mailed_again(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.request_day(token)
    first = await living.end(DAAN[1])
    living.clock.forward(minutes=2)
    sent = await living.ask(DeliveriesApi).resend_delivery_date(token, OPEN)
    assert sent.change.status is S.WAITING_FOR_CUSTOMER
    second = await living.end(DAAN[1])
    assert first != second
    await living.confirm(second)
    assert (await living.confirm(first)).state is LinkState.USED
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).resend_delivery_date(token, OPEN)
