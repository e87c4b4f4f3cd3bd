"""A server that is killed during a request or confirmation leaves one request, one place and one mail of each kind."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from email import message_from_bytes, policy
from email.message import Message
from pathlib import Path
from typing import Any

from portal.backend.mail import Template
from portal.contract.errors import Unavailable
from portal.deliveries.api import DateChoice, DeliveriesApi
from portal.links.api import LinkEntry, LinksApi
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState
from tests.support.application import outcome
from tests.support.fragile import deaths
from tests.support.living import DAAN, OPEN
from tests.support.mailbox import text_of
from tests.support.servers import client_of, read, served, sessions_of
from tests.support.smtp import MailServer
from tests.support.waiting import until


async def again(operation: Callable[[], Awaitable[Any]]) -> Any:
    """Repeat the operation until the provider answers, as a customer would."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await operation()
            except Unavailable:
                await asyncio.sleep(0.2)


def of_customer(mail_server: MailServer) -> list[Message]:
    """The mails that the customer got; the shop is told, too."""
    return [mail for mail in mail_server.answers.taken if DAAN[1] in str(mail["To"])]


def message_ids(mail_server: MailServer) -> set[str]:
    """The ids of the mails that the customer got. A server that dies after handing one over sends it again, same id."""
    return {mail["Message-ID"] for mail in of_customer(mail_server)}


async def test_a_killed_server_keeps_one_request_and_takes_one_place(
    loaded_url: str, tmp_path: Path, mail_server: MailServer
) -> None:
    moments = {f"{what}:{when}" for what in ("request_delivery_date", "confirm_link") for when in ("before", "after")}
    (token,) = await sessions_of(loaded_url, tmp_path, DAAN)
    with served(loaded_url, tmp_path, mail_server.port, sorted(moments)) as address:
        async with client_of(address) as customer:
            dates = await customer.ask(DeliveriesApi).delivery_dates(token, OPEN)
            day = [entry.day for week in dates.weeks for entry in week.days if entry.free][-1]
            how = await outcome(
                again(lambda: customer.ask(DeliveriesApi).request_delivery_date(token, OPEN, DateChoice(day=str(day))))
            )
            assert how == "date_change_pending", "the answer was lost and not the request: it waits"
            await until(lambda: bool(of_customer(mail_server)))
            first = message_from_bytes(of_customer(mail_server)[0].as_bytes(), policy=policy.default)
            link = re.search(rf"{PATHS[LinkPurpose.DELIVERY_DATE]}/(\S+)", text_of(first))
            assert link
            entry = LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=link.group(1))
            view = await again(lambda: customer.ask(LinksApi).confirm_link(entry))
            assert view.state is LinkState.USED
            await until(lambda: len(message_ids(mail_server)) >= 2)
            change = (await customer.ask(DeliveriesApi).delivery_dates(token, OPEN)).change
            assert change
            assert (change.status, change.new_day) == ("waiting_for_retailer", day)
            assert deaths(tmp_path) == moments
    requests = "SELECT new_day FROM date_changes WHERE order_id = (SELECT id FROM orders WHERE order_number = :number)"
    assert len(await read(loaded_url, requests, number=OPEN)) == 1
    assert [row[0] for row in await read(loaded_url, "SELECT taken FROM delivery_days WHERE day = :day", day=day)] == [
        1
    ]
    for template in (Template.CONFIRM_DELIVERY_DATE, Template.DELIVERY_DATE_STATUS):
        sent = await read(loaded_url, "SELECT id FROM outbox_mails WHERE template = :name", name=template.value)
        assert len(sent) == 1, template
    assert len(message_ids(mail_server)) == 2
