"""One request and its live updates, called directly and over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from portal.backend.backoffice import TransitionRequest
from portal.contract.changes import LONGEST_WAIT, ChangesApi, Watch
from portal.overview.api import OverviewApi
from portal.provider.application import Application
from portal.settings import Settings
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.people import MAX

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOPICS = [Topic.REQUESTS]


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop_each_way: Shop) -> AsyncIterator[Application]:
    """The back office, as if it ran in a separate process."""
    application = Application(Settings.model_validate({"data_dir": shop_each_way.data_dir}))
    yield application
    await application.context.database.close()


async def test_a_change_of_the_back_office_is_heard_and_seen(shop_each_way: Shop, office: Application) -> None:
    token = await shop_each_way.token(*MAX)
    requests = (await shop_each_way.ask(WorkOrdersApi).service_requests(token)).items
    waiting_for = next(entry for entry in requests if entry.status is WorkOrderStatus.NEW)
    first = await shop_each_way.ask(ChangesApi).changes(token, Watch(topics=TOPICS))
    question = Watch(topics=TOPICS, since=first.mark, wait_seconds=LONGEST_WAIT)
    waiting = asyncio.create_task(shop_each_way.ask(ChangesApi).changes(token, question))
    await asyncio.sleep(0.3)
    await office.back_office.move(
        "work-order", waiting_for.reference, TransitionRequest(status="accepted", note="Tot snel.")
    )
    moved_at = time.monotonic()
    answer = await waiting
    assert time.monotonic() - moved_at < 10
    assert answer.mark > first.mark
    whole = await shop_each_way.ask(WorkOrdersApi).service_request(token, waiting_for.reference)
    assert whole.status is WorkOrderStatus.ACCEPTED
    assert whole.events[-1].note == "Tot snel."
    shown = await shop_each_way.ask(OverviewApi).dashboard(token)
    assert WorkOrderStatus.ACCEPTED in {entry.work_order_status for entry in shown.ongoing}
