"""Two workers on one port, with a real Redis and a real PostgreSQL: what they share, and what one of them may lose."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import socketio

from portal.launch import ROOT
from portal.reflex_adapter.build import Build
from tests.reflex_adapter.test_socket import session_of
from tests.support.people import AMBER, EVA, JORIS, MAX, NOOR, PIETER, SANNE
from tests.support.postgres import PostgresCluster
from tests.support.server import PortalServer

NAMESPACE = "/_event"
LOAD_PAGE = "reflex___state____state.hydrate_and_load"
SESSION = "reflex___state____state.portal___frontend___session____session_state"
MOST_CODES = 12
REPAIR = "S48621851"
"""The repair of Joris that the demonstration shop has going on."""


class TwoWorkers(PortalServer):
    """A portal with two workers."""

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        assert self._process
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return [int(child) for child in children]

    def command(self, *arguments: str) -> None:
        """Run a command of the back office on the same database."""
        environment = {**os.environ, **self._settings, "PORTAL_DATA_DIR": str(self.data_dir), "PORTAL_WORKERS": "1"}
        run = [sys.executable, "-m", "portal.provider", *arguments]
        subprocess.run(run, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


class Tab:
    """An open page: its worker, and what came over its socket."""

    def __init__(self, client: socketio.AsyncClient, worker: int, path: str) -> None:
        self.client, self.worker, self.path = client, worker, path
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
) -> Iterator[TwoWorkers]:
    """A portal with two workers and the demonstration shop."""
    assert built
    settings = {
        "PORTAL_WORKERS": "2",
        "PORTAL_REDIS_URL": redis_url,
        "PORTAL_DATABASE_URL": postgres_cluster.create_database(),
        "PORTAL_CODE_WAIT_SECONDS": "0",
        "PORTAL_CODES_PER_ACCOUNT_HOUR": "100000",
        "PORTAL_CODES_PER_ADDRESS_HOUR": str(MOST_CODES),
    }
    server = TwoWorkers(tmp_path_factory.mktemp("workers"), settings)
    # It first fills an empty PostgreSQL with the demonstration shop.
    server.start(seconds=300)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def joris(portal: TwoWorkers) -> str:
    """The cookie of the customer whose bike is in repair."""
    return session_of(portal, JORIS)


Open = Callable[..., Any]


@pytest.fixture
async def open_tab(portal: TwoWorkers, joris: str) -> AsyncIterator[Open]:
    """Open a tab of Joris: `open_tab("tab-1", on=pid)`; without `on`, on whichever worker takes it."""
    async with AsyncExitStack() as opened:

        async def opening(token: str, *, on: int = 0, path: str = "/maintenance") -> Tab:
            while True:
                tab = await opened.enter_async_context(_tab(portal, token, joris, path))
                if on in {0, tab.worker}:
                    return tab
                await tab.client.disconnect()

        yield opening


@asynccontextmanager
async def _tab(portal: TwoWorkers, token: str, cookie: str, path: str) -> AsyncIterator[Tab]:
    before = _sockets(portal)
    client = socketio.AsyncClient(reconnection=False)
    tab = Tab(client, 0, path)
    await client.connect(
        f"http://127.0.0.1:{portal.port}/?token={token}",
        headers={"Cookie": cookie, "Origin": portal.base_url},
        socketio_path="/_event",
        namespaces=[NAMESPACE],
        transports=["websocket"],
    )
    more = _sockets(portal) - before
    [(tab.worker, _)] = more.most_common(1)
    try:
        yield tab
    finally:
        with suppress(Exception):
            await client.disconnect()
        if client.eio.http:
            await client.eio.http.close()


def _sockets(portal: TwoWorkers) -> Counter[int]:
    """How many connections on the port each worker has."""
    open_now: Counter[int] = Counter()
    port = f":{portal.port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {parts[9] for parts in lines if parts[1].endswith(port) and parts[3] == "01"}
    for worker in portal.workers():
        for link in Path(f"/proc/{worker}/fd").iterdir():
            with suppress(OSError):
                open_now[worker] += os.readlink(link)[8:-1] in inodes
    return open_now


async def test_a_change_reaches_the_tabs_of_a_customer_on_both_workers(portal: TwoWorkers, open_tab: Open) -> None:
    first, second = portal.workers()
    tabs = [await open_tab("tab-first", on=first), await open_tab("tab-second", on=second)]
    for tab in tabs:
        await tab.send(LOAD_PAGE)
        await tab.hears(REPAIR)
        tab.heard.clear()
    await asyncio.sleep(1.5)  # From now on both watch.
    await asyncio.to_thread(portal.command, "work-order", REPAIR, "wait_for_parts")
    for tab in tabs:
        await tab.hears("'news_rx_state_': 1")


async def test_a_tab_whose_worker_is_killed_goes_on_at_another_one(portal: TwoWorkers, open_tab: Open) -> None:
    first, second = portal.workers()
    tab, other = await open_tab("tab-killed", on=first), await open_tab("tab-other", on=second)
    for each in (tab, other):
        await each.send(LOAD_PAGE)
        await each.hears("'authenticated_rx_state_': True")
    other.heard.clear()
    os.kill(first, signal.SIGKILL)
    started = time.monotonic()
    again = await open_tab("tab-killed")
    assert time.monotonic() - started < 20
    await again.send(f"{SESSION}.load")
    await again.hears("Joris")
    assert again.new_tokens == [], "it is still the same tab"
    await other.send(f"{SESSION}.load")
    await other.hears("Joris")
    until = time.monotonic() + 60
    while len(portal.workers()) < 2 or first in portal.workers():
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


async def test_a_job_runs_once_whichever_worker_has_it(portal: TwoWorkers) -> None:
    people = [SANNE, AMBER, NOOR, PIETER, MAX, EVA]
    headers = {"origin": portal.base_url}

    async def ask(person: tuple[str, str]) -> int:
        async with httpx.AsyncClient(base_url=portal.base_url, headers=headers) as client:
            answer = await client.post("/auth/code", json={"order_number": person[0], "email": person[1]})
            return answer.status_code

    before = {person: len(portal.mailbox.mails_to(person[1])) for person in people}
    assert await asyncio.gather(*map(ask, people)) == [200] * len(people)
    for person in people:
        await asyncio.to_thread(portal.mailbox.wait_for, person[1], after=before[person])
    await asyncio.sleep(2)
    assert [len(portal.mailbox.mails_to(person[1])) - before[person] for person in people] == [1] * len(people)


async def test_the_limits_of_both_workers_count_together(portal: TwoWorkers) -> None:
    headers = {"origin": portal.base_url}
    answers = []
    for _ in range(MOST_CODES + 2):
        # Each request has a connection of its own, so both workers answer some of them.
        async with httpx.AsyncClient(base_url=portal.base_url, headers=headers) as client:
            body = {"order_number": SANNE[0], "email": SANNE[1]}
            answers.append((await client.post("/auth/code", json=body)).status_code)
    assert answers[-1] == 429
    assert answers.count(200) < MOST_CODES, "Joris has logged in with one"
