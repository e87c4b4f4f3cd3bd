"""A worker that is killed while an event is told loses nothing: its mail and its webhook leave once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from portal.backend import cases
from portal.backend.cases import CaseFacts
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.orders import PartnerRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from tests.exports.telling import Telling, furnish
from tests.support.application import Clock
from tests.support.fragile import deaths
from tests.support.receiver import Receiver
from tests.support.servers import read, served
from tests.support.smtp import MailServer, until


async def test_a_killed_worker_tells_of_a_case_once(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, receiver: Receiver
) -> None:
    application = Application(Settings(database_url=loaded_url, data_dir=tmp_path))
    context = application.context
    telling = Telling(application, Clock(), await furnish(context))
    await telling.hook(receiver.url)
    (store,) = [row for row in await telling.rows(PartnerRow) if row.email == "utrecht@shop.example"]
    moments = {f"{what}:{when}" for what in ("event", "mail", "webhook") for when in ("before", "after")}
    with served(loaded_url, tmp_path, mail_server.port, sorted(moments)):
        facts = CaseFacts(CaseKind.REPAIR, "ZQKILLED", None, "requested", partner_id=store.id)
        async with context.database.transaction() as session:
            await cases.record(session, facts, CaseEventType.OPENED, context.clock(), by_customer=True)
            await cases.record(session, facts, CaseEventType.PLANNED, context.clock())
        await until(lambda: deaths(tmp_path) == moments, 60)
        async with asyncio.timeout(60):
            while await read(loaded_url, "SELECT 1 FROM jobs WHERE kind IN ('case event', 'mail', 'webhook')"):
                await asyncio.sleep(0.05)
    assert _once(receiver) == ["case.opened", "case.planned"]
    await context.database.close()
    told = await read(loaded_url, "SELECT id FROM outbox_mails WHERE template = 'case_news'")
    assert len(told) == 1
    assert len({mail["Message-ID"] for mail in mail_server.answers.taken}) == 1
    delivered = await read(loaded_url, "SELECT state FROM webhook_deliveries")
    assert [row[0] for row in delivered] == ["delivered", "delivered"]


def _once(receiver: Receiver) -> list[str]:
    """The types that arrived, as a receiver counts them: by `webhook-id`."""
    return [request.event["type"] for request in {each.id: each for each in receiver.received}.values()]
