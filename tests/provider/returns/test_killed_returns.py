"""The server is killed while a return is filled in and sent: it is made once, with one mail and one text message."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from portal.contract.drafts import Submission
from portal.contract.provider import Provider
from tests.provider.account.customers import ROOS
from tests.provider.account.servers import client_of, read, served, sessions_of
from tests.provider.account.test_killed import Persistent
from tests.provider.login.smtp import MailServer, until
from tests.support.fragile import deaths
from tests.support.returning import ACCESSORIES, PARTLY, accessories, begin, fill, pick_up

_STEPS = ("step-1", "step-2", "step-3", "step-4")


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_killed_server_makes_one_return_of_one(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, when: str
) -> None:
    moments = [f"save_step/{step}:{when}" for step in _STEPS] + [f"submit_draft:{when}"]
    (token,) = await sessions_of(loaded_url, tmp_path, ROOS)
    held = len(await read(loaded_url, "SELECT id FROM return_units"))
    with served(loaded_url, tmp_path, mail_server.port, moments) as address:
        async with client_of(address) as provider:
            customer = Persistent(provider, address)
            shop = cast(Provider, customer)
            steps = {
                **await accessories(provider, token, f"{PARTLY}-1*2"),
                "step-3": {"method": "pick_up"},
                "step-4": await pick_up(provider, token),
            }
            draft = await begin(provider, token, ACCESSORIES)
            for step in _STEPS:
                saved = dict(draft.answers)
                draft = await fill(shop, token, draft, {step: steps[step]})
                assert saved.items() <= draft.answers.items()
            preview = await provider.refund_preview(token, draft.draft_id)
            submission = Submission(key=draft.key)
            receipt = await customer.submit_draft(token, draft.draft_id, submission)
            assert await customer.submit_draft(token, draft.draft_id, submission) == receipt
            assert (await provider.return_detail(token, receipt.summary["return_id"])).settlement == preview
            await until(lambda: bool(mail_server.answers.taken), 30)
            await asyncio.sleep(1)
            assert (customer.interrupted, deaths(tmp_path)) == (len(moments), set(moments))
    assert len(mail_server.answers.taken) == 1
    assert len(await read(loaded_url, "SELECT id FROM return_units")) == held + 2
    assert len(await read(loaded_url, "SELECT id FROM returns WHERE draft_key = :key", key=draft.key)) == 1
    assert len(await read(loaded_url, "SELECT id FROM outbox_mails WHERE template = 'return_received'")) == 1
    assert len(await read(loaded_url, "SELECT id FROM text_messages")) == 1
