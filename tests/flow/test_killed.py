"""The server is killed at every step and between commit and response: nothing is lost, and nothing happens twice."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import update

from portal.client.remote import HttpProvider
from portal.contract.errors import Unavailable
from portal.contract.registry import Provider
from portal.flow.api import Draft, DraftStart, FlowApi, Receipt, Submission
from portal.kernel.days import now
from portal.returns.flow.kinds import EXCHANGE
from portal.tables.messages import JobRow
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi
from portal.work_orders.flow.repair import REPAIR
from tests.flow.submissions import WAYS, Way, answer
from tests.support.customers import ROOS
from tests.support.doubles import Altered, Method
from tests.support.fragile import deaths
from tests.support.returning import BUNDLE
from tests.support.servers import client_of, counted, mails_sent, read, reading, served, sessions_of
from tests.support.smtp import MailServer
from tests.support.waiting import until
from tests.support.worker_pool import wait_for

LONGEST = (REPAIR, EXCHANGE)
"""The longest flow of those that become a request, and of those that become a return: all share one engine."""


class Persistent(Altered):
    """A provider as somebody asks it who sees that something did not work, and does it again."""

    def __init__(self, provider: HttpProvider, address: str) -> None:
        super().__init__(provider, self._again)
        self._address = address
        self.interrupted = 0

    def _again(self, _name: str, method: Method) -> Method:
        async def again(*arguments: Any) -> Any:
            try:
                return await method(*arguments)
            except Unavailable:
                self.interrupted += 1
                await asyncio.to_thread(wait_for, self._address)
                return await again(*arguments)

        return again


async def filled(customer: Provider, token: str, way: Way) -> Draft:
    """A request that only has to be sent. What was saved once stays."""
    draft = await customer.ask(FlowApi).open_draft(token, DraftStart(flow=way.flow.name))
    for step, values in way.answers.items():
        saved = dict(draft.answers)
        draft = await answer(customer, token, draft, step, values)
        assert saved.items() <= draft.answers.items()
    return draft


async def sent(customer: Provider, token: str, draft: Draft) -> Receipt:
    """Send it, and send it again."""
    submission = Submission(key=draft.key)
    receipt = await customer.ask(FlowApi).submit_draft(token, draft.draft_id, submission)
    assert await customer.ask(FlowApi).submit_draft(token, draft.draft_id, submission) == receipt
    assert (await customer.ask(FlowApi).draft(token, draft.draft_id)).receipt == receipt
    return receipt


async def delivered(url: str) -> Sequence[str]:
    """The names of all mails, once nothing is left to be sent."""
    await mails_sent(url)
    mails = await read(url, "SELECT message_id, sent_at FROM outbox_mails ORDER BY id")
    assert all(sent_at for _, sent_at in mails)
    return [name for name, _ in mails]


@pytest.mark.parametrize("way", [way for way in WAYS if way.flow in LONGEST], ids=str)
async def test_a_killed_server_loses_nothing_and_does_nothing_twice(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, way: Way
) -> None:
    # Every step once, before or after its commit in turn; sending, which is more than one row, at both.
    moments = [f"{each}:{('before', 'after')[place % 2]}" for place, each in enumerate(way.operations[:-1])]
    moments += [f"{way.operations[-1]}:{when}" for when in ("before", "after")]
    (token,) = await sessions_of(loaded_url, tmp_path, way.customer)
    before = await counted(loaded_url)
    with served(loaded_url, tmp_path, mail_server.port, moments) as address:
        async with client_of(address) as provider:
            persistent = Persistent(provider, address)
            await sent(persistent, token, await filled(persistent, token, way))
            # Each of them was noticed by whoever asked, and by nobody else.
            assert (persistent.interrupted, deaths(tmp_path)) == (len(moments), set(moments))
        mails = await delivered(loaded_url)
    after = await counted(loaded_url)
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == way.rows
    # In any order: a mail whose worker died waits until its lease runs out.
    assert sorted(mail["Message-ID"] for mail in mail_server.answers.taken) == sorted(mails[before["outbox_mails"] :])


@pytest.mark.each_database
async def test_an_interrupted_withdrawal_that_is_repeated_is_declared_once(
    loaded_url: str, tmp_path: Path, mail_server: MailServer
) -> None:
    moments = ["withdraw:before", "withdraw:after"]
    (token,) = await sessions_of(loaded_url, tmp_path, ROOS)
    before = await counted(loaded_url)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="declared-again")
    with served(loaded_url, tmp_path, mail_server.port, moments) as address:
        async with client_of(address) as provider:
            persistent = Persistent(provider, address)
            receipt = await persistent.ask(WithdrawalsApi).withdraw(token, entry)
            assert (persistent.interrupted, deaths(tmp_path)) == (len(moments), set(moments))
            assert await provider.ask(WithdrawalsApi).withdraw(token, entry) == receipt
        mails = await delivered(loaded_url)
    after = await counted(loaded_url)
    assert after["returns"] == before["returns"] + 1
    # In any order: a mail whose worker died waits until its lease runs out.
    assert sorted(mail["Message-ID"] for mail in mail_server.answers.taken) == sorted(mails[before["outbox_mails"] :])
    assert len(mails) == before["outbox_mails"] + 2  # to the customer and to the warehouse


async def test_a_server_killed_while_mailing_repeats_the_same_message(
    loaded_url: str, tmp_path: Path, mail_server: MailServer
) -> None:
    moments = ["mail:before", "mail:after"]
    way = next(way for way in WAYS if way.rows["outbox_mails"] == 1)
    (token,) = await sessions_of(loaded_url, tmp_path, way.customer)
    with served(loaded_url, tmp_path, mail_server.port, moments) as address:
        async with client_of(address) as provider:
            await sent(provider, token, await filled(provider, token, way))
            for number in range(1, len(moments) + 1):
                await until(lambda: len(deaths(tmp_path)) >= number)  # noqa: B023 - called at once
                await _leases_run_out(loaded_url)
            mails = await delivered(loaded_url)
    # A mail server that had said OK gets it again, as the same message.
    assert [mail["Message-ID"] for mail in mail_server.answers.taken] == [mails[-1]] * 2


async def _leases_run_out(url: str) -> None:
    """What a worker that died was at, the next one may take."""
    async with reading(url) as database, database.transaction() as session:
        await session.exec(update(JobRow).values(leased_until=now()))
