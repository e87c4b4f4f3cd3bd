"""Forty submits at once, however they come: one request, one work order, one mail."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from portal.contract import street
from portal.contract.drafts import DraftStart, StepEntry, Submission
from portal.flows.repair import REPAIR
from portal.states.flow import FlowRun
from tests.contract.filling import FLOW, MAINTENANCE, PARTS, photographed, placed
from tests.portal.conftest import signed_in
from tests.provider.account.customers import NOOR
from tests.provider.account.servers import client_of, mails_sent, read, served, sessions_of
from tests.provider.login.smtp import MailServer
from tests.support.pipeline import running_pipeline


async def filled(provider: Any, token: str) -> tuple[str, str]:
    """A repair that only has to be sent: its id and key."""
    draft = await provider.open_draft(token, DraftStart(flow=FLOW, anew=True))
    bike = next(entry["id"] for entry in draft.facts["bikes"] if not entry["refusal"] and not entry["pin"])
    for step, answers in (("step-1", {"bike": bike}), ("step-2", PARTS), ("step-3", MAINTENANCE)):
        entry = StepEntry(step=step, answers=dict(answers), version=draft.version)
        draft = await provider.save_step(token, draft.draft_id, entry)
    draft = await photographed(provider, token, draft)
    draft = await placed(provider, token, draft)
    return draft.draft_id, draft.key


async def test_replays_of_a_tab_two_tabs_and_the_api_on_two_servers_make_one_of_everything(
    loaded_url: str, tmp_path: Path, mail_server: MailServer
) -> None:
    laptop, phone = await sessions_of(loaded_url, tmp_path, NOOR, 2)
    before = len(await read(loaded_url, "SELECT id FROM requests"))
    with (
        served(loaded_url, tmp_path / "one", mail_server.port) as first,
        served(loaded_url, tmp_path / "two", mail_server.port) as second,
    ):
        async with client_of(first) as one, client_of(second) as two, running_pipeline() as tabs:
            draft_id, key = await filled(one, laptop)
            street.connect(one)
            form = {"draft-id": draft_id, "draft-version": "8"}
            replayed, other = signed_in(tabs.tab("replayed"), laptop), signed_in(tabs.tab("other"), phone)
            check = REPAIR.url(REPAIR.check)
            receipts, *_ = await asyncio.gather(
                asyncio.gather(
                    *(one.submit_draft(laptop, draft_id, Submission(key=key)) for _ in range(10)),
                    *(two.submit_draft(phone, draft_id, Submission(key=key)) for _ in range(10)),
                ),
                *(replayed.send(FlowRun.send, check, form=form) for _ in range(10)),
                *(other.send(FlowRun.send, check, form=form) for _ in range(10)),
            )
            (reference,) = {receipt.reference for receipt in receipts}
            for tab in (replayed, other):
                await tab.send(FlowRun.enter, REPAIR.confirmation)
                await tab.send(FlowRun.load, REPAIR.confirmation)
            assert (await two.draft(phone, draft_id)).receipt == receipts[0]
            await mails_sent(loaded_url)
    requests = await read(loaded_url, "SELECT reference, status FROM requests WHERE draft_key = :key", key=key)
    assert [tuple(row) for row in requests] == [(reference, "new")]
    assert len(await read(loaded_url, "SELECT id FROM requests")) == before + 1
    outbox = await read(loaded_url, "SELECT message_id FROM outbox_mails WHERE template = 'request_confirmation'")
    assert len(outbox) == 1
    assert [mail["Message-ID"] for mail in mail_server.answers.taken] == [outbox[0][0]]
    assert mail_server.answers.envelopes[0][1] == [NOOR[1]]
