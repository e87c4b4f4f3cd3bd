"""Refusals of a flow: for every code, the customer reads the reason on the page and in the notification."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.contract.session import SessionCheck
from portal.flow import Step
from portal.flow.api import Draft
from portal.flow.pages.state import FlowRun
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import catalogue
from portal.reflex_adapter.events import FIRST_EVENT
from portal.work_orders.flow.repair import BIKE_STEP, REPAIR
from tests.client.fault_server import Behaviour, Received, answers, fault_server, refuses
from tests.kernel.test_codes import SPECIFIED
from tests.support.form_versions import form_version
from tests.support.pipeline import Tab, running_pipeline, signed_in

REFUSALS = {
    **{Code(code): 422 for topic in ("repair", "files", "service") for code in SPECIFIED[topic]},
    Code.REPAIR_REQUEST_INVALID_HASH: 403,
    Code.REPAIR_REQUEST_INVALID_STATUS: 409,
    Code.EXPIRED_REPAIR_REQUEST: 403,
    Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE: 403,
    Code.REPAIR_REQUEST_LINE_NOT_FOUND: 403,
    Code.OPEN_WORK_ORDER_EXISTS: 403,
    Code.FRAME_NUMBER_UNKNOWN: 403,
    Code.GENERAL_ERROR: 500,
    Code.NETWORK_ERROR: 503,
}
"""Codes that may answer the sending of a repair, with a status that another provider could choose for it."""

ON_THE_WAY = (
    Code.EXPIRED_REPAIR_REQUEST,
    Code.REPAIR_REQUEST_LINE_NOT_FOUND,
    Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE,
    Code.UNRESOLVED_FILES,
    Code.OPEN_WORK_ORDER_EXISTS,
    Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID,
    Code.SERVICE_REQUEST_NOT_VALID,
)
"""Those that may answer a step, too."""

DRAFT = Draft(
    draft_id="ABCDEFGH23",
    key="key",
    flow=REPAIR.name,
    subject="",
    answers={},
    completed=[],
    facts={"bikes": []},
    version=3,
    expires_at=datetime(2031, 1, 1, tzinfo=UTC),
)


SESSION = SessionCheck.model_validate(
    {
        "customer": "ABCDEFGH23",
        "locale": "nl",
        "country": "NL",
        "expires_at": "2031-01-01T00:00:00Z",
        "idle_until": "2031-01-01T00:00:00Z",
    }
)


def provider_that_refuses(code: Code) -> Behaviour:
    """It knows the session and the draft, and refuses to save or take it."""

    async def behave(request: Received, writer: asyncio.StreamWriter) -> None:
        if request.path.endswith(("/submit", "/step")):
            await refuses(code.value, REFUSALS[code])(request, writer)
        else:
            known = DRAFT if "/drafts/" in request.path else SESSION
            await answers({"success": True, "data": known.model_dump(mode="json")})(request, writer)

    return behave


async def refused(code: Code, event: Any, step: Step) -> Tab:
    """A tab that knows the request, and in which this event was refused."""
    path, form = REPAIR.url(step), form_version(DRAFT)
    async with fault_server(provider_that_refuses(code)) as server, running_pipeline() as tabs:
        client = HttpProvider(server.address)
        registry.connect(client)
        try:
            tab = signed_in(tabs.tab(f"tab-{code}"), f"token-{code}")
            await tab.send(FlowRun.enter, REPAIR.path)
            await tab.send(event, path, form=form)
        finally:
            await client.close()
    assert tab.shown(FlowRun, "refusal") == code
    return tab


@pytest.mark.parametrize("code", ON_THE_WAY)
async def test_the_reason_for_a_refused_step_is_on_the_page_and_in_the_notification(code: Code) -> None:
    tab = await refused(code, FlowRun.next, BIKE_STEP)
    (toast,) = tab.shown(Toasts, "items")
    assert toast["quiet"], "the page announces it"
    assert (toast["kind"], toast["title"]["en"]) == ("error", MESSAGES[code])
    assert toast["title"]["nl"] == catalogue("nl").gettext(MESSAGES[code]) != MESSAGES[code]


@pytest.mark.parametrize("code", REFUSALS)
async def test_the_reason_for_a_refused_repair_is_on_the_page_and_in_the_notification(code: Code) -> None:
    tab = await refused(code, FlowRun.send, REPAIR.check_step)
    (toast,) = tab.shown(Toasts, "items")
    assert toast["quiet"], "the page announces it"
    assert toast["kind"] == "error"
    assert toast["title"]["nl"] == "Reparatie kon niet worden aangemeld."
    assert toast["title"]["en"] == REPAIR.failure
    assert toast["text"] == {
        "nl": catalogue("nl").gettext(MESSAGES[code]),
        "en": catalogue("en").gettext(MESSAGES[code]),
    }
    assert toast["text"]["nl"] != toast["text"]["en"]


async def test_a_refusal_that_comes_while_the_page_still_loads_stays() -> None:
    code, path = Code.UNRESOLVED_FILES, REPAIR.url(BIKE_STEP)
    async with fault_server(provider_that_refuses(code)) as server, running_pipeline() as tabs:
        client = HttpProvider(server.address)
        registry.connect(client)
        try:
            tab = signed_in(tabs.tab(), "token")
            form = form_version(DRAFT)
            # Next was pressed before the socket was there: its event stands right behind the first one.
            await asyncio.gather(tab.send(FIRST_EVENT, path), tab.send(FlowRun.next, path, form=form))
            run = tab.stored(FlowRun)
            assert (run.attempt, run.refusal) == (1, code)
            await tab.send(FIRST_EVENT, path)
            assert tab.stored(FlowRun).refusal == "", "the page was opened again"
        finally:
            await client.close()
