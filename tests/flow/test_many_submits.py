"""Forty parallel submissions of every flow: one request, one work order, one mail to each."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from portal.contract import registry
from portal.contract.errors import Unavailable
from portal.contract.registry import Provider
from portal.flow.api import Draft, DraftStart, FlowApi, Receipt, Submission
from portal.flow.pages.state import FlowRun
from portal.tables.columns import Table
from tests.flow.submissions import WAYS, Way, answer
from tests.support.form_versions import form_version
from tests.support.furnished import Furnished
from tests.support.pipeline import running_pipeline, signed_in
from tests.support.servers import client_of, counted, mails_sent, served, sessions_of
from tests.support.smtp import MailServer


async def sent_by_all(one: Provider, two: Provider, laptop: str, phone: str, way: Way) -> None:
    """Fill a request in, and send it from two tabs and by the API, ten times each, all at once.

    Args:
        one: a provider; the tabs are connected to it.
        two: another one of the same shop, or the same.
        laptop: session of the customer.
        phone: another session of theirs.
        way: what is answered.
    """
    draft = await one.ask(FlowApi).open_draft(laptop, DraftStart(flow=way.flow.name))
    for step, values in way.answers.items():
        draft = await answer(one, laptop, draft, step, values)
    registry.connect(one)
    form = form_version(draft)
    check, confirmation = way.flow.url(way.flow.check_step), way.flow.confirmation
    async with running_pipeline() as tabs:
        replayed, other = signed_in(tabs.tab("replayed"), laptop), signed_in(tabs.tab("other"), phone)
        answers: list[Any] = await asyncio.gather(
            asyncio.gather(
                *(_sent(one, laptop, draft) for _ in range(10)), *(_sent(two, phone, draft) for _ in range(10))
            ),
            *(replayed.send(FlowRun.send, check, form=form) for _ in range(10)),
            *(other.send(FlowRun.send, check, form=form) for _ in range(10)),
        )
        receipts = answers[0]
        assert receipts == [receipts[0]] * 20
        for tab in (replayed, other):
            await tab.send(FlowRun.enter, confirmation)
            await tab.send(FlowRun.load, confirmation)
            shown = tab.stored(FlowRun).receipt
            assert shown
            assert shown.reference == receipts[0].reference
    assert (await two.ask(FlowApi).draft(phone, draft.draft_id)).receipt == receipts[0]


async def _sent(provider: Provider, token: str, draft: Draft) -> Receipt:
    """Send it, and again while a busy shop does not answer."""
    while True:
        try:
            return await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        except Unavailable:
            await asyncio.sleep(0.1)


# How databases keep the second one out differs; that every flow asks them to does not.
@pytest.mark.each_database
async def test_replays_of_a_tab_two_tabs_and_the_api_on_two_servers_make_one_of_everything(
    loaded_url: str, tmp_path: Path, mail_server: MailServer
) -> None:
    way = WAYS[0]
    laptop, phone = await sessions_of(loaded_url, tmp_path, way.customer, 2)
    before = await counted(loaded_url)
    with (
        served(loaded_url, tmp_path / "one", mail_server.port) as first,
        served(loaded_url, tmp_path / "two", mail_server.port) as second,
    ):
        async with client_of(first) as one, client_of(second) as two:
            await sent_by_all(one, two, laptop, phone, way)
            await mails_sent(loaded_url)
    assert await more_than(before, loaded_url) == way.rows
    # What is delivered again, because a busy server did not note it in time, has the same Message-ID.
    recipients = {mail["Message-ID"]: mail["To"] for mail in mail_server.answers.taken}
    assert len(recipients) == way.rows["outbox_mails"]
    assert [*recipients.values()].count(way.customer[1]) == 1


@pytest.mark.parametrize("way", WAYS[1:], ids=str)
async def test_replays_of_a_tab_two_tabs_and_many_calls_make_one_of_everything(
    furnished: Furnished, loaded_url: str, tmp_path: Path, way: Way
) -> None:
    await furnished.application.open()
    laptop, phone = [await furnished.log_in(way.customer) for _ in range(2)]
    before = await counted(loaded_url)
    await sent_by_all(furnished.provider, furnished.provider, laptop, phone, way)
    await mails_sent(loaded_url)
    assert len(list(tmp_path.glob("mail/*.eml"))) == way.rows["outbox_mails"]
    assert await more_than(before, loaded_url) == way.rows


async def more_than(before: dict[str, int], url: str) -> dict[str, int]:
    """How many rows each table has more than before; tables that have as many are left out."""
    after = await counted(url)
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def test_the_database_allows_one_request_per_draft() -> None:
    kept = {table.name: table.indexes for table in Table.metadata.sorted_tables if "draft_key" in table.columns}
    assert kept.keys() == {"requests", "returns", "insurance_requests", "package_orders"}
    for name, indexes in kept.items():
        assert ["draft_key"] in [list(index.columns.keys()) for index in indexes if index.unique], name
