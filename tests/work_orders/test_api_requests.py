"""One request and its live updates, called directly and over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio
from pydantic import ValidationError

from portal.backend.backoffice import TransitionRequest
from portal.contract.common_api import LONGEST_WAIT, ChangesApi, SessionApi, Watch
from portal.contract.errors import NotAuthenticated, NotFound
from portal.overview.api import OverviewApi
from portal.provider.application import Application
from portal.settings import Settings
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.people import EVA, JORIS, MAX, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOPICS = [Topic.REQUESTS]
WAIT_IN_VAIN = 4
"""In seconds: much longer than anything else here takes, even on a busy machine."""


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop_each_way: Shop) -> AsyncIterator[Application]:
    """The back office, as if it ran in a separate process."""
    application = Application(Settings.model_validate({"data_dir": shop_each_way.data_dir}))
    yield application
    await application.context.database.close()


async def test_a_request_holds_what_its_entry_in_the_list_says(shop_each_way: Shop) -> None:
    for customer in (JORIS, MAX):
        token = await shop_each_way.token(*customer)
        for entry in (await shop_each_way.ask(WorkOrdersApi).service_requests(token)).items:
            whole = await shop_each_way.ask(WorkOrdersApi).service_request(token, entry.reference)
            assert whole.model_dump(include=set(type(entry).model_fields)) == entry.model_dump()
            assert (whole.partner.name if whole.partner else "") == entry.partner_name
            first, last = whole.events[0], whole.events[-1]
            assert (first.status, first.happened_at) == (WorkOrderStatus.NEW, whole.created_at)
            assert last.status is whole.status
            moments = [event.happened_at for event in whole.events]
            assert moments == sorted(moments)
            assert all(moment.utcoffset() == timedelta(0) for moment in moments)


async def test_a_request_of_somebody_else_is_not_found(shop_each_way: Shop) -> None:
    hers, his = await shop_each_way.token(*SANNE), await shop_each_way.token(*JORIS)
    foreign = (await shop_each_way.ask(WorkOrdersApi).service_requests(his)).items[0].reference
    for reference in (foreign, "S00000000", "", "..", "a/b", "' OR 1=1 --", "x" * 41, "é"):
        with pytest.raises(NotFound):
            await shop_each_way.ask(WorkOrdersApi).service_request(hers, reference)
        with pytest.raises(NotAuthenticated):
            await shop_each_way.ask(WorkOrdersApi).service_request("never.given.out", reference)


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


async def test_who_waits_in_vain_is_answered_in_time_and_holds_up_nobody(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*EVA)
    mark = (await shop_each_way.ask(ChangesApi).changes(token, Watch(topics=TOPICS))).mark
    question = Watch(topics=TOPICS, since=mark, wait_seconds=WAIT_IN_VAIN)
    started = time.monotonic()
    # More than the connection pool of a remote provider holds: waiting calls use separate connections.
    waiting = [asyncio.create_task(shop_each_way.ask(ChangesApi).changes(token, question)) for _tab in range(150)]
    await asyncio.sleep(0.5)
    await shop_each_way.ask(SessionApi).check_session(token)
    assert not any(one.done() for one in waiting), "the other question was answered only after one who waits"
    assert {answer.mark for answer in await asyncio.gather(*waiting)} == {mark}
    assert WAIT_IN_VAIN <= time.monotonic() - started < WAIT_IN_VAIN + 10


@pytest.mark.parametrize("wrong", [{"topics": []}, {"topics": ["orders"]}, {"wait_seconds": 31}, {"since": -2}])
async def test_what_cannot_be_watched_cannot_be_asked(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Watch.model_validate({"topics": TOPICS, **wrong})
