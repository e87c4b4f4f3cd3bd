"""Text messages leave through the gateway of the settings; without one nothing is planned."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import HttpUrl, SecretStr, ValidationError
from sqlmodel import select
from structlog.testing import capture_logs

from portal.backend.context import Context
from portal.backend.text_messages import LATE, TextMessages, TextTemplate
from portal.provider.application import BackgroundWorker
from portal.setting_groups import TextGateway
from portal.settings import Settings
from portal.tables.customers import CustomerRow
from portal.tables.messages import JobRow, TextMessageRow
from tests.support.application import TestApplication
from tests.support.production import PRODUCTION
from tests.support.text_gateway import TOKEN, Gateway
from tests.support.waiting import until

PHONE = "+31612345611"
DETAILS = {"from": "09:00", "until": "12:00", "reference": "26NW DY8K"}


def _with(application: TestApplication, gateway: TextGateway) -> Context:
    settings = application.context.settings.model_copy(update={"text_gateway": gateway})
    return replace(application.context, settings=settings)


async def _plan(context: Context, *, hours: float = 0) -> None:
    async with context.database.transaction() as session:
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.public_id == "SANNE"))).one()
        await TextMessages(context).plan(
            session,
            TextTemplate.PICKUP_TOMORROW,
            phone=PHONE,
            locale="nl",
            subject="return/26NWDY8K",
            due_at=context.clock() + timedelta(hours=hours),
            customer_id=customer.id,
            details=DETAILS,
        )


async def _rows(context: Context) -> list[TextMessageRow]:
    async with context.database.session() as session:
        return list((await session.exec(select(TextMessageRow))).all())


async def _jobs(context: Context) -> list[JobRow]:
    async with context.database.session() as session:
        return list((await session.exec(select(JobRow))).all())


async def _tried(context: Context, times: int) -> None:
    """Wait until the only job was tried this often and waits again."""

    async def waits() -> bool:
        return any(job.tries == times and not job.leased_until for job in await _jobs(context))

    await until(waits, 10)


async def _finished(context: Context) -> TextMessageRow:
    """Wait until there is no job, and return the only message."""

    async def is_empty() -> bool:
        return not await _jobs(context)

    await until(is_empty, 10)
    (row,) = await _rows(context)
    return row


async def test_a_text_message_is_handed_to_the_gateway_as_documented(
    application: TestApplication, text_gateway: Gateway
) -> None:
    context = _with(application, text_gateway.settings(sender="Fietsen"))
    work = BackgroundWorker(context)
    await work.start()
    with capture_logs() as logs:
        await _plan(context)
        row = await _finished(context)
        await work.stop()
    assert (row.sent_at, row.dropped_at, row.details) == (application.clock(), None, {})
    (request,) = text_gateway.received
    assert request["path"] == "/messages"
    assert request["headers"]["authorization"] == f"Bearer {TOKEN}"
    assert request["headers"]["content-type"] == "application/json"
    content = request["content"]
    assert content == {
        "id": request["headers"]["idempotency-key"],
        "from": "Fietsen",
        "to": PHONE,
        "text": "Bovenbuis: morgen tussen 09:00 en 12:00 uur halen we je artikelen op (26NW DY8K). "
        "Vragen? +31 30 200 1234",
    }
    assert PHONE not in str(logs)
    assert "26NW" not in str(logs)


@pytest.mark.parametrize(
    "answer",
    [{"status": 500}, {"status": 429}, {"status": 408}, {"status": 401}, {"status": 302, "location": "/elsewhere"},
     {"seconds": 3}],
    ids=str,
)  # fmt: skip
async def test_a_text_message_is_tried_again_with_the_same_identifier(
    sqlite_application: TestApplication, text_gateway: Gateway, answer: dict[str, Any]
) -> None:
    context = _with(sqlite_application, text_gateway.settings(timeout_seconds=0.5))
    text_gateway.answers += [answer, answer]
    work = BackgroundWorker(context)
    await work.start()
    await _plan(context)
    for tries in (1, 2):
        await _tried(context, tries)
        assert (await _rows(context))[0].sent_at is None
        sqlite_application.clock.forward(minutes=3)
    assert (await _finished(context)).sent_at
    await work.stop()
    requests = text_gateway.received
    assert [request["path"] for request in requests] == ["/messages"] * 3
    assert len({request["content"]["id"] for request in requests}) == 1


@pytest.mark.parametrize("answer", [{"status": 409}, {"status": 200, "endless": True}], ids=str)
async def test_a_text_message_that_the_gateway_has_counts_as_sent(
    sqlite_application: TestApplication, text_gateway: Gateway, answer: dict[str, Any]
) -> None:
    context = _with(sqlite_application, text_gateway.settings())
    text_gateway.answers.append(answer)
    work = BackgroundWorker(context)
    await work.start()
    await _plan(context)
    assert (await _finished(context)).sent_at
    await work.stop()


@pytest.mark.parametrize("status", [400, 422])
async def test_a_text_message_that_is_refused_for_good_is_not_tried_again(
    sqlite_application: TestApplication, text_gateway: Gateway, status: int
) -> None:
    context = _with(sqlite_application, text_gateway.settings())
    text_gateway.answers.append({"status": status})
    work = BackgroundWorker(context)
    await work.start()
    with capture_logs() as logs:
        await _plan(context)
        row = await _finished(context)
        await work.stop()
    assert row.dropped_at
    assert (row.sent_at, row.details) == (None, {})
    (given_up,) = [line for line in logs if line["event"] == "job given up"]
    assert given_up["reason"] == str(status)
    assert len(text_gateway.received) == 1


async def test_a_text_message_that_is_too_late_is_not_sent(
    sqlite_application: TestApplication, text_gateway: Gateway
) -> None:
    context = _with(sqlite_application, text_gateway.settings())
    await _plan(context)
    sqlite_application.clock.forward(seconds=LATE.total_seconds())
    await TextMessages(context).deliver((await _rows(context))[0].id)
    (row,) = await _rows(context)
    assert (row.sent_at, row.dropped_at, row.details) == (None, sqlite_application.clock(), {})
    assert text_gateway.received == []


async def test_no_text_message_is_planned_without_a_gateway(sqlite_application: TestApplication) -> None:
    context = _with(sqlite_application, TextGateway())
    await _plan(context)
    assert not await _rows(context)
    assert not await _jobs(context)


async def test_a_planned_text_message_is_dropped_when_its_gateway_is_gone(
    sqlite_application: TestApplication, text_gateway: Gateway
) -> None:
    await _plan(_with(sqlite_application, text_gateway.settings()))
    without = _with(sqlite_application, TextGateway())
    await TextMessages(without).deliver((await _rows(without))[0].id)
    assert (await _rows(without))[0].dropped_at


def test_a_gateway_needs_a_token_and_a_valid_sender() -> None:
    url = HttpUrl("https://gateway.example/messages")
    with pytest.raises(ValidationError, match="PORTAL_TEXT_GATEWAY__TOKEN"):
        TextGateway(url=url)
    for sender in ("", "Bovenbuis fietsen", "Bøvenbuis"):
        with pytest.raises(ValidationError):
            TextGateway(url=url, token=SecretStr(TOKEN), sender=sender)


def test_production_sends_no_token_over_plain_http() -> None:
    plain, encrypted = (
        TextGateway(url=HttpUrl(f"{scheme}://gateway.example/messages"), token=SecretStr(TOKEN), sender="Wielhuis")
        for scheme in ("http", "https")
    )
    with pytest.raises(ValidationError, match="PORTAL_TEXT_GATEWAY__URL"):
        Settings(**PRODUCTION, text_gateway=plain)
    assert Settings(**PRODUCTION, text_gateway=encrypted).sends_text_messages
    assert not Settings(**PRODUCTION).sends_text_messages
