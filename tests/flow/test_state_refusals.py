"""Refusals of a flow: the customer reads the reason on the page and in the notification."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from portal.contract import registry
from portal.contract.errors import Refused
from portal.flow import Step
from portal.flow.api import DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.frontend.toasts import Toasts
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import both
from portal.reflex_adapter.events import FIRST_EVENT
from portal.work_orders.flow.repair import BIKE_STEP, REPAIR
from tests.support.connections import Shop
from tests.support.doubles import replaced
from tests.support.filling import FLOW, clear
from tests.support.form_versions import form_version
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")


@contextmanager
def refusing(shop: Shop, code: Code) -> Iterator[None]:
    """A provider that refuses to save or send."""

    async def refuse(*_: Any) -> None:
        raise Refused(code)

    registry.connect(replaced(shop.provider, save_step=refuse, submit_draft=refuse))
    try:
        yield
    finally:
        registry.connect(shop.provider)


async def begun(tabs: Pipeline, shop: Shop, name: str) -> tuple[Tab, dict[str, str]]:
    """A tab with a new repair, and the hidden fields of its forms."""
    token = await shop.token(*SANNE)
    await clear(shop, token)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    return signed_in(tabs.tab(name), token), form_version(draft)


async def refused(tabs: Pipeline, shop: Shop, code: Code, event: Any, step: Step) -> dict[str, Any]:
    """The notification in a tab in which this event was refused."""
    tab, form = await begun(tabs, shop, f"{step.name}-{code}")
    await tab.send(FlowRun.enter, REPAIR.path)
    with refusing(shop, code):
        await tab.send(event, REPAIR.url(step), form=form)
    assert tab.shown(FlowRun, "refusal") == code
    (toast,) = tab.shown(Toasts, "items")
    assert toast["quiet"], "the page announces it"
    assert toast["kind"] == "error"
    return toast


async def test_the_reason_for_a_refusal_is_on_the_page_and_in_the_notification(tabs: Pipeline, shop: Shop) -> None:
    code = Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE
    step = await refused(tabs, shop, code, FlowRun.next, BIKE_STEP)
    assert step["title"] == both(MESSAGES[code])
    whole = await refused(tabs, shop, code, FlowRun.send, REPAIR.check_step)
    assert (whole["title"], whole["text"]) == (both(REPAIR.failure), both(MESSAGES[code]))


async def test_a_refusal_that_comes_while_the_page_still_loads_stays(tabs: Pipeline, shop: Shop) -> None:
    tab, form = await begun(tabs, shop, "loading")
    path = REPAIR.url(BIKE_STEP)
    with refusing(shop, Code.UNRESOLVED_FILES):
        # Next was pressed before the socket was there: its event stands right behind the first one.
        await asyncio.gather(tab.send(FIRST_EVENT, path), tab.send(FlowRun.next, path, form=form))
    run = tab.stored(FlowRun)
    assert (run.attempt, run.refusal) == (1, Code.UNRESOLVED_FILES)
    await tab.send(FIRST_EVENT, path)
    assert tab.stored(FlowRun).refusal == "", "the page was opened again"
