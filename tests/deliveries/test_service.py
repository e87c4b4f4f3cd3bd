"""Order status, and another delivery day: request, confirmation by link, answer of the retailer."""

import asyncio
from datetime import date, timedelta

import pytest
from sqlmodel import col, select

from portal.backend.backoffice import NotAllowed
from portal.contract.common_api import ChangesApi, Watch
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.deliveries.api import DeliveriesApi
from portal.kernel.address import Country
from portal.kernel.codes import Code
from portal.links.api import LinkEntry, LinksApi
from portal.tables.deliveries import DateChangeRow, DeliveryDayRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import DateChangeStatus, DeliveryStatus
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.application import outcome, refusal
from tests.support.living import CONFIRMED, DAAN, OPEN, PENDING, Living

S = DeliveryStatus
PARTED, COMING = "900000078", "900000077"


async def test_an_order_in_parts_is_shown_part_by_part(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), PARTED)
    bike, rest = status.shipments
    assert (bike.part, bike.status, [item.quantity for item in bike.items]) == (1, S.ORDER_ASSEMBLED, [1])
    assert bike.scheduled
    assert (rest.status, rest.tracking_url.startswith("https://")) == (S.ORDER_DELIVERED, True)
    assert [(item.name, item.quantity) for item in status.unshipped] == [("Kettingslot ART 3, 110 cm", 1)]
    assert status.partly_shipped
    assert status.status is S.ORDER_ASSEMBLED, "the order is as far as its last part"
    assert [event.status for event in status.events if event.part == 2] == [
        S.HANDOVER_TO_PARCEL_SERVICE,
        S.ORDER_DELIVERED,
    ]


async def test_an_order_in_one_parcel_holds_everything(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), COMING)
    assert [item.name for item in status.shipments[0].items] == ["Fietshelm Kruin", "Dubbele fietstas Kade, 28 liter"]
    assert (status.unshipped, status.partly_shipped) == ([], False)
    assert status.shipments[0].scheduled


async def test_an_order_without_a_parcel_is_still_to_come_as_a_whole(living: Living) -> None:
    status = await living.ask(DeliveriesApi).order_status(await living.log_in(DAAN), OPEN)
    assert (status.shipments, status.partly_shipped) == ([], False)
    assert [(item.name, item.quantity) for item in status.unshipped] == [
        ("Duinroos Zilt Comfort", 1),
        ("Kettingslot ART 3, 110 cm", 1),
    ]


@pytest.mark.each_database
async def test_a_delivery_moves_along_its_graph_with_a_mail_and_pages_hear_of_it(living: Living) -> None:
    token = await living.log_in(DAAN)
    mark = (await living.ask(ChangesApi).changes(token, Watch(topics=[Topic.DELIVERIES]))).mark
    with pytest.raises(NotAllowed):
        await living.move("shipment", OPEN, "order_delivered")
    assert isinstance(await refusal(living.move("shipment", OPEN, "lost")), InvalidInput)
    for status in ("ready_for_transport", "driver_on_the_way", "order_delivered"):
        assert (await living.move("shipment", OPEN, status, partner="Kwiekpost")).status == status
    assert (await living.ask(ChangesApi).changes(token, Watch(topics=[Topic.DELIVERIES]))).mark == mark + 3
    order = await living.ask(DeliveriesApi).order_status(token, OPEN)
    assert order.status is S.ORDER_DELIVERED
    assert [event.status for event in order.events][-3:] == [
        S.READY_FOR_TRANSPORT,
        S.DRIVER_ON_THE_WAY,
        S.ORDER_DELIVERED,
    ]
    assert (order.shipments[0].carrier, bool(order.shipments[0].delivered_at)) == ("Kwiekpost", True)
    subjects = {mail.subject for mail in await living.mails(DAAN[1])}
    assert subjects == {f"Je bestelling is {status}: {OPEN}" for status in ("onderweg", "bezorgd")}


async def test_a_part_moves_on_its_own_and_the_order_follows_the_last_one(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.move("shipment", f"{PARTED}-1", "ready_for_transport")
    await living.move("shipment", f"{PARTED}-1", "handover_to_parcel_service")
    status = await living.ask(DeliveriesApi).order_status(token, PARTED)
    assert status.status is S.HANDOVER_TO_PARCEL_SERVICE
    assert [event.part for event in status.events][-2:] == [1, 1]
    assert [part.status for part in status.shipments] == [S.HANDOVER_TO_PARCEL_SERVICE, S.ORDER_DELIVERED]
    for unknown in (f"{PARTED}-3", f"{PARTED}-0", "900009999", "x"):
        with pytest.raises(NotFound):
            await living.application.back_office.current_status("shipment", unknown)


async def _taken(shop: Living, day: date) -> int:
    async with shop.context.database.session() as session:
        row = await session.get(DeliveryDayRow, (Country.NL, day))
        return row.taken if row else 0


@pytest.mark.each_database
async def test_from_the_request_to_the_new_day(living: Living) -> None:
    token = await living.log_in(DAAN)
    before = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled
    assert before
    sent = await living.request_day(token)
    assert sent.change.status is DateChangeStatus.WAITING_FOR_CUSTOMER
    assert sent.mail.expires_at - living.clock.now == timedelta(hours=24)
    assert (sent.change.from_time, sent.change.until_time) == ("17:30", "20:00"), "an evening stays an evening"
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).scheduled == before, "nothing has changed yet"

    end = await living.end(DAAN[1])
    look = await living.ask(LinksApi).link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))
    assert (look.state, look.about.account) == (LinkState.VALID, sent.change.account)
    assert (await living.confirm(end)).state is LinkState.CONFIRMED
    assert (await living.confirm(end)).state is LinkState.USED
    waiting = (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
    assert waiting
    assert waiting.status is DateChangeStatus.WAITING_FOR_RETAILER

    moved = await living.move("date-change", sent.change.reference, "accepted")
    assert (moved.before, moved.changed) == ("waiting_for_retailer", True)
    assert not (await living.move("date-change", sent.change.reference, "accepted")).changed
    after = await living.ask(DeliveriesApi).order_status(token, OPEN)
    assert after.scheduled
    assert (after.scheduled.day, after.scheduled.from_time) == (sent.change.new_day, "17:30")
    assert after.change
    assert after.change.status is DateChangeStatus.ACCEPTED
    subjects = {message.subject.partition(":")[0] for message in await living.mails(DAAN[1])}
    assert {"Je nieuwe bezorgdag staat vast", "We kijken of je nieuwe dag lukt"} <= subjects


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
    assert dates.change.status is DateChangeStatus.EXPIRED
    assert (await living.confirm(old)).state is LinkState.EXPIRED
    again = await living.request_day(token)
    assert again.change.status is DateChangeStatus.WAITING_FOR_CUSTOMER


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
    assert (await living.request_day(token, loser)).change.status is DateChangeStatus.WAITING_FOR_CUSTOMER


@pytest.mark.each_database
async def test_a_day_past_the_cut_off_when_the_link_is_used_is_refused(living: Living) -> None:
    token = await living.log_in(DAAN)
    first = await living.free_day(token, OPEN, 0)
    await living.request_day(token, OPEN, first)
    end = await living.end(DAAN[1])
    living.clock.forward(hours=23, minutes=59)
    async with living.context.database.transaction() as session:
        newest = select(DateChangeRow).order_by(col(DateChangeRow.id).desc()).limit(1)
        (await session.exec(newest)).one().new_day = living.clock.now.date()
    caught = await refusal(living.confirm(end))
    assert isinstance(caught, Refused)
    assert caught.code is Code.DELIVERY_DAY_TAKEN


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
    assert (status.change.reference, status.change.status) == (sent.change.reference, DateChangeStatus.CANCELLED)
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
    assert (pending.status, pending.note) == (DateChangeStatus.REFUSED, "Geen bus in je regio.")
    with pytest.raises(NotAllowed):
        await living.move("date-change", sent.change.reference, "accepted")
    assert (await living.ask(DeliveriesApi).delivery_dates(token, OPEN)).refusal is None


@pytest.mark.each_database
async def test_a_request_can_be_taken_back_and_its_link_is_worthless_then(living: Living) -> None:
    token = await living.log_in(DAAN)
    await living.request_day(token)
    end = await living.end(DAAN[1])
    assert (await living.ask(DeliveriesApi).cancel_delivery_date(token, OPEN)).status is DateChangeStatus.CANCELLED
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
    assert sent.change.status is DateChangeStatus.WAITING_FOR_CUSTOMER
    second = await living.end(DAAN[1])
    assert first != second
    await living.confirm(second)
    assert (await living.confirm(first)).state is LinkState.USED
    with pytest.raises(NotFound):
        await living.ask(DeliveriesApi).resend_delivery_date(token, OPEN)
