"""Which socket speaks for a tab when two workers share their state in a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from uuid import uuid4

import pytest
import redis.asyncio

from portal.reflex_adapter.state import StateUpdate
from portal.reflex_adapter.tokens import SharedTakeoverTokenManager
from portal.web.cookies import session_token
from tests.support.waiting import until


class Worker:
    """A worker: its sockets, what it closed, what it was asked to pass on to its browsers."""

    def __init__(self, address: str) -> None:
        self.cookies: dict[str, str] = {}
        self.closed: list[str] = []
        self.passed_on: list[str] = []
        self.manager = SharedTakeoverTokenManager(
            redis.asyncio.Redis.from_url(address),
            lambda sid: self.cookies.get(sid, ""),
            self._close,
            partial(session_token, secure=False),
        )
        self.manager.ensure_lost_and_found_task(self._emit)

    async def connect(self, token: str, cookie: str = "") -> tuple[str, str]:
        """Open a socket; its id, and the token that it speaks for."""
        sid = uuid4().hex
        self.cookies[sid] = cookie
        return sid, await self.manager.link_token_to_sid(token, sid) or token

    def speaks_for(self, sid: str) -> str | None:
        """The tab a socket of this worker speaks for."""
        return self.manager.sid_to_token.get(sid)

    async def _close(self, sid: str) -> None:
        self.closed.append(sid)

    async def _emit(self, update: StateUpdate, token: str) -> None:
        self.passed_on.append(token)


async def subscribers(server: redis.asyncio.Redis) -> set[str]:
    """Ids of the connections that are subscribed to patterns."""
    connections = await server.client_list(_type="pubsub")
    return {connection["id"] for connection in connections if connection["psub"] != "0"}


@pytest.fixture
async def workers(redis_url: str) -> AsyncIterator[tuple[Worker, Worker]]:
    async with redis.asyncio.Redis.from_url(redis_url) as server:
        before = await subscribers(server)
        first, second = Worker(redis_url), Worker(redis_url)
        for worker in (first, second):
            worker.manager._ensure_socket_record_task()
        # Each hears what becomes of sockets, and what is passed on.
        while len(await subscribers(server) - before) < 4:
            await asyncio.sleep(0.01)
    yield first, second
    for worker in (first, second):
        await worker.manager.close()


@pytest.fixture
def tab() -> str:
    return f"tab-{uuid4().hex}"


async def test_a_tab_that_reconnects_to_another_worker_keeps_its_state(
    workers: tuple[Worker, Worker], tab: str
) -> None:
    first, second = workers
    old, _ = await first.connect(tab, "session=a")
    new, given = await second.connect(tab, "session=a")
    assert given == tab
    assert second.speaks_for(new) == tab
    await until(lambda: first.closed == [old])
    assert first.speaks_for(old) is None
    await first.manager.disconnect_token(tab, old)
    assert await second.manager.is_token_connected(tab), "the late farewell of the old socket changes nothing"


async def test_within_one_worker_the_newest_socket_speaks(workers: tuple[Worker, Worker], tab: str) -> None:
    first, _ = workers
    old, _ = await first.connect(tab, "session=a")
    new, given = await first.connect(tab, "session=a")
    assert given == tab
    await until(lambda: first.closed == [old])
    assert (first.speaks_for(old), first.speaks_for(new)) == (None, tab)


async def test_what_the_old_worker_still_computes_reaches_the_new_socket(
    workers: tuple[Worker, Worker], tab: str
) -> None:
    first, second = workers
    old, _ = await first.connect(tab, "session=a")
    await second.connect(tab, "session=a")
    await until(lambda: first.closed == [old])
    assert await first.manager.emit_lost_and_found(tab, StateUpdate())
    await until(lambda: second.passed_on == [tab])


@pytest.mark.parametrize("cookie", ["", "session=b", "__Host-session=a"])
@pytest.mark.parametrize("leaves", [False, True])
async def test_a_stolen_tab_token_gets_another_tab(
    workers: tuple[Worker, Worker], tab: str, cookie: str, leaves: bool
) -> None:
    first, second = workers
    owner, _ = await first.connect(tab, "session=a")
    if leaves:
        await first.manager.disconnect_token(tab, owner)
    thief, given = await second.connect(tab, cookie)
    assert given != tab
    assert second.speaks_for(thief) == given
    assert first.closed == []
    assert first.speaks_for(owner) == (None if leaves else tab)
    _, back = await second.connect(tab, "session=a")
    assert back == tab


async def test_a_tab_opened_before_the_login_cannot_listen_afterwards(workers: tuple[Worker, Worker], tab: str) -> None:
    first, second = workers
    await first.connect(tab)
    _, given = await second.connect(tab, "session=a")
    assert given != tab


async def test_a_visitor_who_logs_in_keeps_the_tab(workers: tuple[Worker, Worker], tab: str) -> None:
    first, second = workers
    before, _ = await first.connect(tab)
    await first.manager.disconnect_token(tab, before)
    _, given = await second.connect(tab, "session=a")
    assert given == tab


async def test_two_sessions_at_the_same_moment_never_share_a_tab(workers: tuple[Worker, Worker], tab: str) -> None:
    first, second = workers
    given = await asyncio.gather(
        *(worker.connect(tab, f"session={name}") for name in "abcd" for worker in (first, second))
    )
    holders = {name for (_, token), name in zip(given, "aabbccdd", strict=True) if token == tab}
    assert len(holders) == 1
