"""The server is killed at every step and between commit and answer: nothing acknowledged is lost, nothing is twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from portal.client.provider import HttpProvider
from portal.contract.drafts import Answer, Draft, DraftStart, StepEntry, Submission
from portal.contract.errors import Unavailable
from portal.contract.locations import LocationSearch
from portal.contract.provider import Provider
from portal.domain.locations import LocationType
from tests.contract.filling import FLOW, MAINTENANCE, PARTS, TEXT, photographed, placed, shown
from tests.provider.account.customers import NOOR
from tests.provider.account.servers import client_of, read, served, sessions_of, wait_for
from tests.provider.login.smtp import MailServer, until
from tests.support.fragile import deaths

STEPS: Mapping[str, Mapping[str, Answer]] = {"step-1": {}, "step-2": PARTS, "step-3": MAINTENANCE}
_OPERATIONS = ("open_draft", *(f"save_step/step-{number}" for number in range(1, 8)), "submit_draft")
CLAIM: Mapping[str, Mapping[str, Answer]] = {
    "step-1": {},
    "step-2": {"parts": ["frame", "wheels"]},
    "step-3": {"insurer": "Fietspolis Direct", "policy_number": "FP 2044.881"},
    "step-4": {"cause": TEXT},
    "step-5": {"handling": "now"},
    "step-6": {},
    "step-7": {"method": "account", "account_holder": "N. Haddad", "iban": "NL91 ABNA 0417 1643 00"},
}
SERVICE: Mapping[str, Mapping[str, Answer]] = {
    "step-1": {},
    "step-2": {"job": "2"},
    "step-3": {"address": "known", "phone": "06 12345678"},
    "step-4": {"handover": "bring"},
}
OTHERS = {
    "claim-request": (CLAIM, ("step-1", "step-6", "step-7")),
    "service-request": (SERVICE, ("step-4",)),
}
"""The other flows of part 1: answers by step (bike, photo and location are looked up), and the steps that are saved in
another way than those of a repair."""
# One walk meets several ends, each at another operation: every one costs a start of the server.
KILLS = {
    "begin:before": [f"{operation}:before" for operation in _OPERATIONS[:5]],
    "begin:after": [f"{operation}:after" for operation in _OPERATIONS[:5]],
    "end:before": [f"{operation}:before" for operation in _OPERATIONS[5:]],
    "end:after": [f"{operation}:after" for operation in _OPERATIONS[5:]],
    "mail:before": ["mail:before"],
    "mail:after": ["mail:after"],
}


class Persistent:
    """A provider as somebody asks it who sees that something did not work, and does it again."""

    def __init__(self, provider: HttpProvider, address: str) -> None:
        self._provider, self._address = provider, address
        self.interrupted = 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        operation = getattr(self._provider, name)

        async def again(*arguments: Any) -> Any:
            try:
                return await operation(*arguments)
            except Unavailable:
                self.interrupted += 1
                await asyncio.to_thread(wait_for, self._address)
                return await again(*arguments)

        return again


@pytest.mark.parametrize("loaded_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("flow", OTHERS)
async def test_the_other_flows_lose_nothing_either(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, flow: str
) -> None:
    (token,) = await sessions_of(loaded_url, tmp_path, NOOR)
    steps, hit = OTHERS[flow]
    kills = [*(f"save_step/{step}:after" for step in hit), "submit_draft:before", "submit_draft:after"]
    with served(loaded_url, tmp_path, mail_server.port, kills) as address:
        async with client_of(address) as provider:
            customer = cast(Provider, persistent := Persistent(provider, address))
            draft = await customer.open_draft(token, DraftStart(flow=flow))
            for step, answers in steps.items():
                saved = dict(draft.answers)
                known = await _looked_up(customer, token, draft, step)
                entry = StepEntry(step=step, answers={**answers, **known}, version=draft.version)
                draft = await customer.save_step(token, draft.draft_id, entry)
                assert saved.items() <= draft.answers.items()
            receipt = await customer.submit_draft(token, draft.draft_id, Submission(key=draft.key))
            assert (await customer.draft(token, draft.draft_id)).receipt == receipt
            await until(lambda: len(mail_server.answers.taken) >= 1, 30)
            await asyncio.sleep(1.5)
    assert deaths(tmp_path) == set(kills)
    assert persistent.interrupted == len(kills)
    assert len({mail["Message-ID"] for mail in mail_server.answers.taken}) == 1
    sent = await read(loaded_url, "SELECT reference FROM requests WHERE draft_key IS NOT NULL")
    assert [row[0] for row in sent] == [receipt.reference]
    assert len(await read(loaded_url, "SELECT id FROM outbox_mails WHERE template = 'request_confirmation'")) == 1
    assert len(await read(loaded_url, "SELECT id FROM drafts")) == 1


async def _looked_up(provider: Provider, token: str, draft: Draft, step: str) -> dict[str, Answer]:
    """The answers of a step that only the shop knows."""
    if step == "step-1":
        return {"bike": next(bike["id"] for bike in draft.facts["bikes"] if not bike["refusal"] and not bike["pin"])}
    if (draft.flow, step) == ("claim-request", "step-6"):
        return {"photos": [(await shown(provider, token, draft)).upload_id]}
    if (draft.flow, step) == ("service-request", "step-4"):
        near = await provider.service_locations(token, LocationSearch(text="3511 LX", types=[LocationType.OWN_STORE]))
        return {"location": near.items[0].location_id}
    return {}


@pytest.mark.parametrize("moments", KILLS)
async def test_a_killed_server_loses_nothing_and_does_nothing_twice(
    loaded_url: str, tmp_path: Path, mail_server: MailServer, moments: str
) -> None:
    (token,) = await sessions_of(loaded_url, tmp_path, NOOR)
    with served(loaded_url, tmp_path, mail_server.port, KILLS[moments]) as address:
        async with client_of(address) as provider:
            customer = Persistent(provider, address)
            draft = await customer.open_draft(token, DraftStart(flow=FLOW))
            bikes = [entry for entry in draft.facts["bikes"] if not entry["refusal"] and not entry["pin"]]
            for step, answers in STEPS.items():
                saved = dict(draft.answers)
                entry = StepEntry(step=step, answers=dict(answers or {"bike": bikes[0]["id"]}), version=draft.version)
                draft = await customer.save_step(token, draft.draft_id, entry)
                assert saved.items() <= draft.answers.items()
            draft = await photographed(cast(Provider, customer), token, draft)
            draft = await placed(cast(Provider, customer), token, draft)
            submission = Submission(key=draft.key)
            receipt = await customer.submit_draft(token, draft.draft_id, submission)
            assert await customer.submit_draft(token, draft.draft_id, submission) == receipt
            # Killed at the mail, the customer notices nothing.
            assert customer.interrupted == (0 if moments.startswith("mail") else len(KILLS[moments]))
            wanted = 2 if moments == "mail:after" else 1
            await until(lambda: len(mail_server.answers.taken) >= wanted, 30)
            await asyncio.sleep(1.5)
            assert deaths(tmp_path) == set(KILLS[moments])
            assert [entry.reference for entry in (await provider.service_requests(token)).items].count(
                receipt.reference
            ) == 1
    # A mail server that had said OK gets it again, as the same message; any other gets it once.
    assert len(mail_server.answers.taken) == wanted
    assert len({mail["Message-ID"] for mail in mail_server.answers.taken}) == 1
    assert len(await read(loaded_url, "SELECT id FROM requests WHERE draft_key IS NOT NULL")) == 1
    sent = await read(loaded_url, "SELECT sent_at FROM outbox_mails WHERE template = 'request_confirmation'")
    assert len(sent) == 1
    assert sent[0][0] is not None
    assert await read(loaded_url, "SELECT id FROM jobs") == []
    assert len(await read(loaded_url, "SELECT id FROM drafts")) == 1
    files = await read(loaded_url, "SELECT public_id FROM uploads WHERE state = 'complete' AND request_key IS NOT NULL")
    assert len(files) == 1
