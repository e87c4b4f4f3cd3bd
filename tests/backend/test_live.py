"""Who waits for a change hears of it within two seconds, whoever made it, and of nobody else's."""

import asyncio
import time
from collections.abc import Collection
from datetime import timedelta

import pytest

from portal.backend import live
from portal.backend.backoffice import TransitionRequest
from portal.contract.common_api import MAX_WAIT_SECONDS, Changes, ChangesApi, SessionApi, Watch
from portal.contract.errors import NotAuthenticated
from portal.provider.application import Application
from portal.settings import Settings
from portal.tables.customers import SessionRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.support.customers import EVA, EVERYBODY, JORIS, SANNE
from tests.support.furnished import Furnished
from tests.support.waiting import until
from tests.work_orders.history import reference_of

TOPICS = [Topic.REQUESTS]


async def ask(shop: Furnished, token: str, since: int = -1, wait: int = 0) -> Changes:
    return await shop.ask(ChangesApi).changes(token, Watch(topics=TOPICS, since=since, wait_seconds=wait))


async def elsewhere(url: str, reference: str, status: str) -> None:
    """What another process does."""
    application = Application(Settings(database_url=url))
    await application.back_office.move("work-order", reference, TransitionRequest(status=status))
    await application.context.database.close()


@pytest.mark.each_database
async def test_a_change_of_another_process_is_heard_at_once(furnished: Furnished, loaded_url: str) -> None:
    token = await furnished.log_in(JORIS)
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    first = await ask(furnished, token)
    assert not first.recent
    waiting = asyncio.create_task(ask(furnished, token, first.mark, 20))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await elsewhere(loaded_url, reference, "wait_for_parts")
    moved_at = time.monotonic()
    answer = await waiting
    assert time.monotonic() - moved_at < 10
    assert (answer.mark, answer.recent) == (first.mark + 1, True)
    assert (await ask(furnished, token)).recent, "somebody who loaded the page just now has to look again"
    assert (await ask(furnished, token, first.mark, 20)).mark == answer.mark, "what was missed is answered at once"


async def test_nobody_hears_of_what_concerns_others(every: float, furnished: Furnished, loaded_url: str) -> None:
    assert every < 1
    reference = await reference_of(furnished, JORIS, status=WorkOrderStatus.IN_REPAIR)
    theirs = await furnished.log_in(SANNE)
    first = await ask(furnished, theirs)
    waiting = asyncio.create_task(ask(furnished, theirs, first.mark, 1))
    await asyncio.sleep(0.2)
    await elsewhere(loaded_url, reference, "wait_for_parts")
    answer = await waiting
    assert (answer.mark, answer.recent) == (first.mark, False)


async def test_somebody_without_any_request_waits_as_well(furnished: Furnished) -> None:
    token = await furnished.log_in(EVA)
    assert (await ask(furnished, token)).mark == 0
    started = time.monotonic()
    assert (await ask(furnished, token, 0, 1)).mark == 0
    assert 0.9 <= time.monotonic() - started < 10


@pytest.fixture
def every(monkeypatch: pytest.MonkeyPatch) -> float:
    """The database is asked more often than an application does: what is counted is not how long a second is."""
    monkeypatch.setattr(live, "EVERY_SECONDS", 0.25)
    return live.EVERY_SECONDS


async def _all_wait(shop: Furnished, asked: Collection[asyncio.Task[Changes]]) -> None:
    """Everybody was looked up; a busy machine takes a while for that, and some may have been told something already."""
    service = shop.application.services._services[ChangesApi]
    assert isinstance(service, live.ChangesService)
    waiting = service._hub._waiters
    await until(lambda: len(waiting) == sum(not task.done() for task in asked))
    assert len(waiting) > len(asked) / 2


async def test_however_many_wait_the_database_is_asked_once_a_round(every: float, furnished: Furnished) -> None:
    tokens = [await furnished.log_in(customer) for customer in EVERYBODY if customer[0]]
    marks = [(await ask(furnished, token)).mark for token in tokens]
    waiting = [
        asyncio.create_task(ask(furnished, token, mark, MAX_WAIT_SECONDS))
        for token, mark in zip(tokens, marks, strict=True)
        for _tab in range(4)
    ]
    await _all_wait(furnished, waiting)
    started = time.monotonic()
    with furnished.statements() as sent:
        await until(lambda: len(sent) >= 3)
    assert len(sent) < (time.monotonic() - started) / every + 2
    assert all("FROM changes" in statement for statement in sent)
    await furnished.application.close()
    started = time.monotonic()
    await asyncio.gather(*waiting)
    assert time.monotonic() - started < MAX_WAIT_SECONDS / 2, "an application that closes lets nobody wait"


async def test_nobody_waits_nothing_is_asked(every: float, furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    mark = (await ask(furnished, token)).mark
    waiting = asyncio.create_task(ask(furnished, token, mark, MAX_WAIT_SECONDS))
    await asyncio.sleep(0.2)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.sleep(2 * every)
    with furnished.statements() as sent:
        await asyncio.sleep(3 * every)
    assert sent == []


async def test_waiting_does_not_keep_a_session_alive(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    long_ago = furnished.context.clock() - timedelta(minutes=20)
    await furnished.change(SessionRow, {"last_used_at": long_ago}, order_number=JORIS[0])
    await ask(furnished, token)
    kept = await furnished.one(SessionRow, order_number=JORIS[0])
    assert kept.last_used_at == long_ago
    await furnished.ask(SessionApi).check_session(token)
    kept = await furnished.one(SessionRow, order_number=JORIS[0])
    assert kept.last_used_at > long_ago, "what a person does, does"
    await furnished.change(SessionRow, {"last_used_at": furnished.context.clock() - timedelta(minutes=31)})
    with pytest.raises(NotAuthenticated):
        await ask(furnished, token)
