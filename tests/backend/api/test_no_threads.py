"""Ordinary calls run in the event loop: none is handed to a pool of threads, neither embedded nor over the API.

SQLite has a thread for each connection, and files, PDFs and passwords have threads of their own.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio.to_thread
import pytest

from portal.bikes.api import BikesApi
from portal.contract.errors import InvalidInput, NotFound
from portal.flow.api import DraftStart, FlowApi, StepEntry, SubjectSearch
from portal.insurance.api import InsuranceApi
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.work_orders.api import WorkOrdersApi
from portal.work_orders.flow.repair import REPAIR
from tests.support.connections import Shop
from tests.support.people import SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


class _Recording(ThreadPoolExecutor):
    """The pool that `asyncio.to_thread` uses; it records what it is given."""

    def __init__(self, hops: list[str]) -> None:
        super().__init__()
        self._hops = hops

    # pyrefly: ignore[bad-override]  # the original has type parameters
    def submit(self, fn: Any, /, *arguments: Any, **named: Any) -> Any:
        """Record and run a function."""
        self._hops.append(repr(fn))
        return super().submit(fn, *arguments, **named)


async def test_calls_do_not_hop_through_threads(shop_each_way: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    token, ask = await shop_each_way.token(*SANNE), shop_each_way.ask
    hops: list[str] = []
    to_thread = anyio.to_thread.run_sync

    async def in_thread(function: Any, *arguments: Any, **named: Any) -> Any:
        hops.append(repr(function))
        return await to_thread(function, *arguments, **named)

    asyncio.get_running_loop().set_default_executor(_Recording(hops))
    monkeypatch.setattr(anyio.to_thread, "run_sync", in_thread)
    bikes = (await ask(BikesApi).bikes(token)).items
    await ask(OverviewApi).dashboard(token)
    await ask(OverviewApi).bike_home(token, bikes[0].bike_id)
    await ask(OrdersApi).orders(token, 1)
    await ask(WorkOrdersApi).service_requests(token, 1)
    await ask(InsuranceApi).insurance_bikes(token)
    await ask(FlowApi).find_subjects(token, "repair-request", SubjectSearch(text="a"))
    draft = await ask(FlowApi).open_draft(token, DraftStart(flow="repair-request", anew=True))
    unanswered = StepEntry(step=REPAIR.address("bike"), version=draft.version)
    with pytest.raises(InvalidInput):
        await ask(FlowApi).save_step(token, draft.draft_id, unanswered)
    with pytest.raises(NotFound):
        await ask(BikesApi).bike(token, "ABCDEFGH23")
    await ask(FlowApi).discard_draft(token, draft.draft_id)
    found = [*hops]
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
    assert found == []
