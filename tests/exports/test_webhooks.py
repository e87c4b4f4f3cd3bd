"""Events leave as Standard Webhooks: signed, in order for each case, retried, and each with one id."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import timedelta
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import col, select
from standardwebhooks import Webhook as Verifier
from standardwebhooks.exceptions import WebhookVerificationError

from portal.backend.backoffice import NotAllowed, TransitionRequest
from portal.backend.mail import Template
from portal.contract.errors import InvalidInput, NotFound
from portal.exports.api import DeliverySearch, Replay, WebhookEntry
from portal.exports.provider import webhooks
from portal.exports.provider.webhooks import WebhookSender
from portal.exports.rules import DETAILS, outgoing_details, schema
from portal.kernel.codes import Code
from portal.tables.bikes import BikeRow
from portal.tables.exchange import ImportedRow, WebhookAttemptRow, WebhookDeliveryRow
from portal.tables.orders import OrderRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.exchange import EVENT_TYPES, DeliveryState
from tests.exports.telling import Telling, telling_on
from tests.support.delivery import work
from tests.support.furnished import Furnished
from tests.support.production import PRODUCTION
from tests.support.receiver import Receiver

OPENED, MOVED, CLOSED = CaseEventType.OPENED, CaseEventType.STATUS_CHANGED, CaseEventType.CLOSED


async def test_an_event_is_signed_and_fits_its_schema(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    await telling.happen("ABCD2345", status="requested")
    await telling.work()
    (request,) = receiver.received
    Verifier(added.secret).verify(request.content, request.headers)
    jsonschema_rs.validate(schema(), request.event)
    assert request.event["type"] == "case.opened"
    assert request.event["data"] == {
        "case": {
            "kind": "repair",
            "reference": "ABCD2345",
            "status": "requested",
            "store": request.event["data"]["case"]["store"],
            "urgent": False,
        },
        "about": {"customer": None, "order": None, "order_number": "", "order_numbers": [], "bike": None},
        "by": "customer",
        "details": {},
    }
    with pytest.raises(WebhookVerificationError):
        Verifier(added.secret).verify(request.content.replace("ABCD2345", "ABCD2346"), request.headers)


@given(st.dictionaries(st.sampled_from([*DETAILS, "note", "name", "text"]), st.text(max_size=100) | st.integers()))
def test_details_leave_only_if_they_are_named_and_short(details: dict[str, str | int]) -> None:
    left = outgoing_details(details)
    assert set(left) <= set(DETAILS)
    assert all(len(str(value)) <= 40 for value in left.values())


async def test_a_webhook_gets_the_types_that_it_wants(telling: Telling, receiver: Receiver) -> None:
    await telling.hook(receiver.url, events=["case.closed"])
    await telling.happen()
    await telling.happen(happened=CLOSED)
    await telling.work()
    assert [request.event["type"] for request in receiver.received] == ["case.closed"]


async def test_an_event_is_tried_again_with_its_id_until_it_is_accepted(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    receiver.statuses, receiver.answer = [500, 429], b"x" * 600
    await telling.happen()
    await telling.work()
    assert len(receiver.received) == 1
    telling.clock.forward(seconds=70)
    await telling.work()
    assert len(receiver.received) == 2
    telling.clock.forward(seconds=70)
    await telling.work()
    assert len(receiver.received) == 2, "the second pause is longer"
    telling.clock.forward(seconds=70)
    await telling.work()
    assert len(receiver.received) == 3
    assert len({request.id for request in receiver.received}) == 1
    (entry,) = (await telling.webhooks.deliveries_of_webhook(telling.administrator, added.id, DeliverySearch())).items
    assert [attempt.status for attempt in entry.attempts] == [500, 429, 204]
    assert entry.attempts[0].answer == "x" * 500
    assert entry.state is DeliveryState.DELIVERED


async def test_the_next_event_of_a_case_waits_for_the_one_before_and_others_do_not(
    telling: Telling, receiver: Receiver
) -> None:
    await telling.hook(receiver.url)
    receiver.refused = {"FIRST222"}
    await telling.happen("FIRST222")
    await telling.happen("FIRST222", MOVED, "planned")
    await telling.happen("OTHER222")
    await telling.work()
    assert sorted(request.reference for request in receiver.received) == ["FIRST222", "OTHER222"]
    receiver.refused = set()
    telling.clock.forward(seconds=70)
    await telling.work()
    of_first = [request for request in receiver.received if request.reference == "FIRST222"]
    assert [request.event["type"] for request in of_first] == ["case.opened", "case.opened", "case.status_changed"]


@pytest.mark.each_database
async def test_two_workers_send_every_event_once_and_in_order(telling: Telling, receiver: Receiver) -> None:
    await telling.hook(receiver.url)
    for number in range(4):
        await telling.happen("FIRST222", OPENED if number == 0 else MOVED, f"status-{number}")
        await telling.happen("OTHER222", OPENED if number == 0 else MOVED, f"status-{number}")
    other = Telling(type(telling.application)(telling.context.settings, clock=telling.clock), telling.clock)
    for _ in range(10):
        await asyncio.gather(telling.work(), other.work())
        telling.clock.forward(seconds=5)
    await other.context.database.close()
    assert len(receiver.received) == len({request.id for request in receiver.received}) == 8
    for reference in ("FIRST222", "OTHER222"):
        statuses = [each.event["data"]["case"]["status"] for each in receiver.received if each.reference == reference]
        assert statuses == [f"status-{number}" for number in range(4)]


@pytest.mark.parametrize("after", [timedelta(), timedelta(days=1, minutes=1)])
async def test_a_secret_signs_beside_its_successor_for_a_day(
    telling: Telling, receiver: Receiver, after: timedelta
) -> None:
    # Receivers accept only what was signed a moment ago.
    await telling.later(seconds=-after.total_seconds())
    old = await telling.hook(receiver.url)
    new = await telling.webhooks.rotate_secret(telling.administrator, old.id)
    assert new.previous_until == telling.clock() + timedelta(days=1)
    await telling.later(seconds=after.total_seconds())
    await telling.happen()
    await telling.work()
    (request,) = receiver.received
    Verifier(new.secret).verify(request.content, request.headers)
    if after:
        with pytest.raises(WebhookVerificationError):
            Verifier(old.secret).verify(request.content, request.headers)
    else:
        Verifier(old.secret).verify(request.content, request.headers)


async def test_a_secret_is_shown_once(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    listed = await telling.webhooks.webhooks(telling.administrator)
    assert added.secret not in str(listed)


async def fail_for(telling: Telling, days: float) -> None:
    for _ in range(int(days * 24 / 2)):
        await telling.later(hours=2)
        await telling.work()


async def test_a_webhook_that_fails_for_three_days_is_paused_and_its_events_wait(
    telling: Telling, receiver: Receiver
) -> None:
    added = await telling.hook(receiver.url, description="ERP")
    receiver.status = 503
    await telling.happen()
    await telling.work()
    await fail_for(telling, 2.9)
    assert (await telling.webhooks.webhooks(telling.administrator))[0].paused_at is None
    await fail_for(telling, 0.3)
    (webhook,) = await telling.webhooks.webhooks(telling.administrator)
    assert webhook.paused_at
    (mail,) = [each for each in await telling.mails() if each.template == Template.WEBHOOK_PAUSED]
    assert mail.recipient == "administrator@shop.example"
    tried = len(receiver.received)
    await telling.happen(happened=MOVED, status="planned")
    await fail_for(telling, 1)
    assert len(receiver.received) == tried
    receiver.status = 200
    assert (await telling.webhooks.resume_webhook(telling.administrator, added.id)).count == 2
    await telling.work()
    assert [request.event["type"] for request in receiver.received[tried:]] == ["case.opened", "case.status_changed"]
    (webhook,) = await telling.webhooks.webhooks(telling.administrator)
    assert (webhook.paused_at, webhook.failing_since, webhook.pending) == (None, None, 0)


async def test_an_event_that_alone_fails_for_three_days_is_given_up_and_can_be_replayed(
    telling: Telling, receiver: Receiver
) -> None:
    added = await telling.hook(receiver.url)
    began = telling.clock()
    receiver.refused = {"FIRST222"}
    await telling.happen("FIRST222")
    for hours in range(0, 80, 2):
        await telling.happen(f"OTHER{hours:03}")
        await fail_for(telling, 1 / 12)
    assert [row.state for row in await telling.deliveries() if "FIRST" in row.subject] == [DeliveryState.FAILED]
    assert (await telling.webhooks.webhooks(telling.administrator))[0].paused_at is None
    receiver.refused = set()
    failed = Replay(since=began, until=telling.clock(), failed_only=True)
    assert (await telling.webhooks.replay(telling.administrator, added.id, failed)).count == 1
    await telling.work()
    assert receiver.received[-1].reference == "FIRST222"
    assert {row.state for row in await telling.deliveries()} == {DeliveryState.DELIVERED}


async def test_a_span_is_replayed_in_its_order(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    moments = []
    for number in range(4):
        await telling.happen(happened=MOVED, status=f"status-{number}")
        await telling.work()
        moments.append(telling.clock())
        telling.clock.forward(minutes=10)
    span = Replay(since=moments[1], until=moments[3])
    assert (await telling.webhooks.replay(telling.administrator, added.id, span)).count == 2
    await telling.work()
    again = [request.event["data"]["case"]["status"] for request in receiver.received[4:]]
    assert again == ["status-1", "status-2"]


async def test_a_replay_needs_an_event_or_a_beginning(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    with pytest.raises(InvalidInput) as refusal:
        await telling.webhooks.replay(telling.administrator, added.id, Replay())
    assert refusal.value.fields == {"since": Code.REQUIRED}
    with pytest.raises(NotFound):
        await telling.webhooks.replay(telling.administrator, added.id, Replay(delivery="msg_other"))


async def test_a_redirect_is_not_followed_and_who_wants_no_more_is_paused_at_once(
    telling: Telling, receiver: Receiver
) -> None:
    await telling.hook(receiver.url)
    receiver.status = 307
    await telling.happen()
    await telling.work()
    assert len(receiver.received) == 1
    assert (await telling.deliveries())[0].state is DeliveryState.WAITING
    receiver.status = 410
    telling.clock.forward(seconds=70)
    await telling.work()
    assert (await telling.webhooks.webhooks(telling.administrator))[0].paused_at == telling.clock()


async def test_a_slow_receiver_and_one_that_is_away_are_failures(telling: Telling, receiver: Receiver) -> None:
    await telling.hook(receiver.url)
    receiver.seconds = 2.5
    await telling.happen()
    await telling.work()
    receiver.stop()
    telling.clock.forward(seconds=70)
    await telling.work()
    attempts = [(each.status, each.answer) for each in await telling.rows(WebhookAttemptRow)]
    assert attempts == [(None, "no answer in time"), (None, "no connection: ConnectError")]


async def test_a_webhook_that_is_switched_off_gets_nothing_until_it_is_on_again(
    telling: Telling, receiver: Receiver
) -> None:
    added = await telling.hook(receiver.url)
    off, on = (WebhookEntry(url=receiver.url, active=active) for active in (False, True))
    await telling.happen()
    await telling.webhooks.change_webhook(telling.administrator, added.id, off)
    await telling.happen(happened=MOVED, status="planned")
    await telling.work()
    assert receiver.received == []
    await telling.webhooks.change_webhook(telling.administrator, added.id, on)
    await telling.work()
    assert receiver.received == [], "both were told while it was off"
    await telling.happen(happened=CLOSED)
    await telling.work()
    assert [request.event["type"] for request in receiver.received] == ["case.closed"]


async def test_a_test_event_reaches_only_its_webhook(telling: Telling, receiver: Receiver) -> None:
    one, _ = await telling.hook(receiver.url, events=["case.closed"]), await telling.hook(receiver.url + "2")
    await telling.webhooks.test_webhook(telling.administrator, one.id)
    await telling.work()
    assert [request.event for request in receiver.received] == [
        {"type": "webhook.test", "timestamp": receiver.received[0].event["timestamp"], "data": {"webhook": one.id}}
    ]
    jsonschema_rs.validate(schema(), receiver.received[0].event)


@pytest.mark.parametrize("url", ["ftp://shop.example/events", "http://", "no url", "https://u:p@shop.example"])
async def test_a_url_that_cannot_be_called_is_refused(telling: Telling, url: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await telling.hook(url, events=["case.sold"])
    assert refusal.value.fields == {"url": Code.INVALID_URL, "events": Code.INVALID_CHOICE}


async def test_production_takes_only_public_hosts_with_https(tables_url: str, tmp_path: Path) -> None:
    async with telling_on(tables_url, tmp_path, **PRODUCTION) as telling:
        for url in ("http://shop.example/events", "https://10.0.0.1/events", "https://localhost/events"):
            with pytest.raises(InvalidInput):
                await telling.hook(url)
        # An address that only the resolver unmasks.
        await telling.hook("https://0x7f.1/events")
        await telling.happen()
        await telling.work()
        (attempt,) = await telling.rows(WebhookAttemptRow)
        assert (attempt.status, attempt.answer) == (None, "refused: a private address")


TEXT = (Path(__file__).resolve().parents[2] / "docs" / "events.md").read_text(encoding="utf-8")


def test_the_documented_schema_is_that_of_the_events() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert json.loads(block) == schema()


def test_every_type_and_every_detail_is_documented() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", TEXT, re.MULTILINE))
    assert rows == {**EVENT_TYPES, **DETAILS}


ORDER = "900000071"


async def move(shop: Furnished, status: str) -> None:
    await shop.application.back_office.move("shipment", ORDER, TransitionRequest(status=status))


async def test_a_new_status_of_a_delivery_is_sent(furnished: Furnished, receiver: Receiver) -> None:
    context = furnished.context
    async with context.database.transaction() as session:
        await webhooks.add(session, context.settings, WebhookEntry(url=receiver.url), context.clock())
    await furnished.change(OrderRow, {"delivery_status": DeliveryStatus.IN_STOCK}, order_number=ORDER)
    await move(furnished, "backorder")
    await move(furnished, "backorder")
    with pytest.raises(NotAllowed):
        await move(furnished, "order_delivered")
    async with context.database.session() as session:
        rows = (await session.exec(select(WebhookDeliveryRow))).all()
    for row in rows:
        await WebhookSender(context).deliver(row.id)
    (request,) = receiver.received
    about = {"customer": None, "order": None, "order_number": ORDER, "order_numbers": [ORDER], "bike": None}
    assert request.event["data"] == {"order": ORDER, "about": about, "before": "in_stock", "status": "backorder"}
    jsonschema_rs.validate(schema(), request.event)


async def test_an_event_names_whom_it_is_about_by_the_ids_of_the_shop(furnished: Furnished, receiver: Receiver) -> None:
    context = furnished.context
    async with context.database.transaction() as session:
        await webhooks.add(session, context.settings, WebhookEntry(url=receiver.url), context.clock())
        query = select(RequestRow, BikeRow).join(BikeRow, col(BikeRow.id) == col(RequestRow.bike_id))
        request, bike = (await session.exec(query.where(RequestRow.status == "in_repair").limit(1))).one()
        order = (await session.exec(select(OrderRow).where(OrderRow.id == bike.order_id))).one()
        keys = {"customers": request.customer_id, "orders": order.id, "bikes": bike.id}
        session.add_all(
            ImportedRow(
                source="erp", kind=kind, external_id=f"{kind[0]}-7", row_id=key or 0, customer_id=request.customer_id,
                fingerprint="", imported_at=context.clock(),
            )
            for kind, key in keys.items()
        )  # fmt: skip
        number, reference = order.order_number, request.reference
    await furnished.application.back_office.move("work-order", reference, TransitionRequest(status="wait_for_parts"))
    await work(context)
    (event,) = [each.event for each in receiver.received if each.event["data"]["case"]["reference"] == reference]
    jsonschema_rs.validate(schema(), event)
    assert event["data"]["about"] == {
        "customer": {"source": "erp", "external_id": "c-7"},
        "order": {"source": "erp", "external_id": "o-7"},
        "order_number": number,
        "order_numbers": [number],
        "bike": {"source": "erp", "external_id": "b-7"},
    }
