"""Two processes on one PostgreSQL, with a real Redis: what they share, and what one of them may lose."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import socketio
from redis.asyncio import Redis

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.reflex_adapter.test_socket import session_of
from tests.support.people import JORIS
from tests.support.polling import fetch
from tests.support.postgres import PostgresCluster
from tests.support.server import PortalServer

NAMESPACE = "/_event"
LOAD_PAGE = "reflex___state____state.hydrate_and_load"
SESSION = "reflex___state____state.portal___frontend___session____session_state"
REPAIR = "S48621851"
"""The repair of Joris that the demonstration shop has going on."""


class Processes:
    """Two processes of a portal, each on its own port."""

    def __init__(self, data_dir: Path, settings: dict[str, str]) -> None:
        self._settings, self._data_dir = settings, data_dir
        self.first, self.second = PortalServer(data_dir, settings), PortalServer(data_dir, settings)
        self.both = (self.first, self.second)
        self.mailbox = self.first.mailbox

    def command(self, *arguments: str) -> None:
        """Run a command of the back office on the same database."""
        environment = {**os.environ, **self._settings, "PORTAL_DATA_DIR": str(self._data_dir)}
        run = [sys.executable, "-m", "portal.provider", *arguments]
        subprocess.run(run, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


class Tab:
    """An open page: what came over its socket."""

    def __init__(self, client: socketio.AsyncClient, path: str) -> None:
        self.client, self.path = client, path
        self.heard: list[Any] = []
        self.new_tokens: list[str] = []
        client.on("event", self._keep, namespace=NAMESPACE)
        client.on("new_token", self._keep_token, namespace=NAMESPACE)

    async def _keep(self, data: Any) -> None:
        self.heard.append(data)

    async def _keep_token(self, data: str) -> None:
        self.new_tokens.append(data)

    async def send(self, name: str) -> None:
        """Send an event of the page."""
        router = {"pathname": self.path, "asPath": self.path, "query": {}}
        await self.client.emit("event", {"name": name, "payload": {}, "router_data": router}, namespace=NAMESPACE)

    async def hears(self, text: str, seconds: float = 60) -> None:
        """Wait until a text has come."""
        until = time.monotonic() + seconds
        while text not in repr(self.heard):
            assert time.monotonic() < until, f"{text} never came"
            await asyncio.sleep(0.02)


@pytest.fixture(scope="module")
def portal(
    built: Build, redis_url: str, postgres_cluster: PostgresCluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Processes]:
    """Two processes with the demonstration shop."""
    assert built
    settings = {
        "PORTAL_REDIS_URL": redis_url,
        "PORTAL_DATABASE_URL": postgres_cluster.create_database(),
        "PORTAL_CODE_WAIT_SECONDS": "0",
        "PORTAL_CODES_PER_ACCOUNT_HOUR": "100000",
        "PORTAL_CODES_PER_ADDRESS_HOUR": "100000",
    }
    processes = Processes(tmp_path_factory.mktemp("processes"), settings)
    # The first fills an empty PostgreSQL with the demonstration shop.
    for server in processes.both:
        server.start(seconds=300)
    yield processes
    for server in processes.both:
        server.stop()


@pytest.fixture(scope="module")
def joris(portal: Processes) -> str:
    """The cookie of the customer whose bike is in repair."""
    return session_of(portal.first, JORIS)


Open = Callable[..., Any]


@pytest.fixture
async def open_tab(joris: str) -> AsyncIterator[Open]:
    """Open a tab of Joris at a process: `open_tab("tab-1", portal.first)`."""
    async with AsyncExitStack() as opened:

        async def opening(token: str, server: PortalServer, path: str = "/maintenance") -> Tab:
            return await opened.enter_async_context(_tab(server, token, joris, path))

        yield opening


@asynccontextmanager
async def _tab(server: PortalServer, token: str, cookie: str, path: str) -> AsyncIterator[Tab]:
    client = socketio.AsyncClient(reconnection=False)
    tab = Tab(client, path)
    await client.connect(
        f"http://127.0.0.1:{server.port}/?token={token}",
        headers={"Cookie": cookie, "Origin": server.base_url},
        socketio_path="/_event",
        namespaces=[NAMESPACE],
        transports=["websocket"],
    )
    try:
        yield tab
    finally:
        with suppress(Exception):
            await client.disconnect()
        if client.eio.http:
            await client.eio.http.close()


async def test_a_change_reaches_the_tabs_of_a_customer_at_both(portal: Processes, open_tab: Open) -> None:
    tabs = [await open_tab("tab-first", portal.first), await open_tab("tab-second", portal.second)]
    for tab in tabs:
        await tab.send(LOAD_PAGE)
        await tab.hears(REPAIR)
        tab.heard.clear()
    await asyncio.sleep(1.5)  # From now on both watch.
    await asyncio.to_thread(portal.command, "work-order", REPAIR, "wait_for_parts")
    for tab in tabs:
        await tab.hears("'news_rx_state_': 1")


@pytest.mark.parametrize("way", ["killed", "drained"])
async def test_a_tab_whose_process_ends_goes_on_at_another_one(portal: Processes, open_tab: Open, way: str) -> None:
    tab = await open_tab(f"tab-{way}", portal.first)
    await tab.send(LOAD_PAGE)
    await tab.hears("'authenticated_rx_state_': True")
    # Not in a thread: the process ends with the thread that started it.
    if way == "killed":
        portal.first.crash()
    else:
        assert portal.first.stop() == 0
        portal.first.start()
    again = await open_tab(f"tab-{way}", portal.second)
    await again.send(f"{SESSION}.load")
    await again.hears("Joris")
    assert again.new_tokens == [], "it is still the same tab"


async def test_new_tabs_work_as_soon_as_a_redis_that_hung_answers(
    portal: Processes, open_tab: Open, redis_url: str
) -> None:
    async with Redis.from_url(redis_url) as redis:
        hung = int((await redis.info("server"))["process_id"])
    os.kill(hung, signal.SIGSTOP)
    try:
        ready = await asyncio.to_thread(fetch, f"{portal.first.base_url}/ready", timeout=60)
    finally:
        os.kill(hung, signal.SIGCONT)
    assert (ready.status_code, ready.json()["redis"]["state"]) == (503, "unreachable")
    for number in range(3):
        tab = await open_tab(f"tab-again-{number}", portal.first)
        await tab.send(LOAD_PAGE)
        await tab.hears(REPAIR, seconds=10)
