"""A worker that is killed while an event is told loses nothing: its mail and its webhook leave once."""

import asyncio
from pathlib import Path

from portal.backend import cases
from portal.backend.backoffice import TransitionRequest
from portal.backend.cases import CaseFacts
from portal.backend.mail import Template
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.orders import PartnerRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.exports.telling import Telling, furnish
from tests.support.application import Clock
from tests.support.customers import JORIS
from tests.support.fragile import deaths
from tests.support.furnished import Furnished
from tests.support.receiver import Receiver
from tests.support.servers import read, served
from tests.support.smtp import MailServer
from tests.support.waiting import until
from tests.work_orders.history import reference_of


async def test_a_killed_worker_tells_of_a_case_once(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, receiver: Receiver
) -> None:
    application = Application(Settings(database_url=loaded_url, data_dir=tmp_path))
    context = application.context
    telling = Telling(application, Clock(), await furnish(context))
    await telling.hook(receiver.url)
    (store,) = [row for row in await telling.rows(PartnerRow) if row.email == "utrecht@shop.example"]
    work_order = await reference_of(Furnished(application), JORIS, status=WorkOrderStatus.IN_REPAIR)
    moments = {f"{what}:{when}" for what in ("event", "webhook") for when in ("before", "after")}
    with served(loaded_url, tmp_path, mail_server.port, sorted(moments)):
        move = TransitionRequest(status="wait_for_parts", note="De cassette is besteld.")
        await application.back_office.move("work-order", work_order, move)
        facts = CaseFacts(CaseKind.REPAIR, "ZQKILLED", None, "requested", partner_id=store.id)
        async with context.database.transaction() as session:
            await cases.record(session, facts, CaseEventType.OPENED, context.clock(), by_customer=True)
            await cases.record(session, facts, CaseEventType.PLANNED, context.clock())
        await until(lambda: deaths(tmp_path) == moments, 90)
        async with asyncio.timeout(60):
            while await read(loaded_url, "SELECT 1 FROM jobs WHERE kind IN ('case event', 'mail', 'webhook')"):
                await asyncio.sleep(0.05)
    await context.database.close()
    assert _once(receiver, work_order) == ["case.status_changed"]
    assert _once(receiver, "ZQKILLED") == ["case.opened", "case.planned"]
    for template, recipient in ((Template.WORK_ORDER_STATUS, JORIS[1]), (Template.CASE_NEWS, "utrecht@shop.example")):
        query = "SELECT message_id FROM outbox_mails WHERE template = :name"
        (written,) = await read(loaded_url, query, name=template.value)
        arrived = [mail for mail in mail_server.answers.taken if mail["Message-ID"] == written[0]]
        assert arrived, "a mail that arrived twice has the same Message-ID"
        assert {mail["To"] for mail in arrived} == {recipient}
    assert len({mail["Message-ID"] for mail in mail_server.answers.taken}) == 2


def _once(receiver: Receiver, reference: str) -> list[str]:
    """The types that arrived about a case, as a receiver counts them: by `webhook-id`."""
    distinct = {each.id: each for each in receiver.received if each.reference == reference}
    return [request.event["type"] for request in distinct.values()]
