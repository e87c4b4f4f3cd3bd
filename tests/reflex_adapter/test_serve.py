"""The server process: how it is drained, how it ends, and what it does not pass on."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from portal.launch import ROOT
from portal.reflex_adapter.worker import is_free
from tests.support.polling import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_until

_SERVE = """
import sys
from portal.reflex_adapter import worker
worker._STOP_SECONDS = 1
worker.leave(worker.serve(sys.argv[1], "127.0.0.1", int(sys.argv[2])))
"""

Serve = Callable[[str], tuple[subprocess.Popen[bytes], str]]


def application() -> Starlette:
    """Answers after so many seconds, or with the descriptors of a program that it starts."""

    async def after(request: Request) -> Response:
        print("asked", flush=True)
        await asyncio.sleep(float(request.path_params["seconds"]))
        return PlainTextResponse("done")

    async def descriptors(_request: Request) -> Response:
        program = await asyncio.create_subprocess_shell("ls -l /proc/$$/fd", stdout=asyncio.subprocess.PIPE)
        return Response((await program.communicate())[0])

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        print("closed", flush=True)

    return Starlette(routes=[Route("/after/{seconds}", after), Route("/fd", descriptors)], lifespan=lifespan)


def failing() -> Starlette:
    """Cannot open its database, say."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        raise RuntimeError("no database")
        yield

    return Starlette(lifespan=lifespan)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve an application of this file."""
    started: list[subprocess.Popen[bytes]] = []

    def serving(name: str) -> tuple[subprocess.Popen[bytes], str]:
        port = free_port()
        command = [sys.executable, "-c", _SERVE, f"{__name__}:{name}", str(port)]
        started.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE))
        return started[-1], f"http://127.0.0.1:{port}"

    yield serving
    for server in started:
        server.kill()
        server.communicate(timeout=60)


def _serves(address: str) -> bool:
    try:
        return fetch(f"{address}/after/0", timeout=60).text == "done"
    except httpx.TransportError:
        return False


@pytest.mark.parametrize(
    ("seconds", "signals", "outcome"),
    [
        pytest.param(2, [signal.SIGTERM], b"done", id="drained"),
        pytest.param(0.5, [signal.SIGINT], b"done", id="interrupted"),
        pytest.param(600, [signal.SIGINT], b"", id="interrupted, and the request takes too long"),
        pytest.param(600, [signal.SIGTERM, signal.SIGTERM], b"", id="drained, and then ended"),
    ],
)
def test_a_process_ends_after_its_requests(
    serve: Serve, seconds: float, signals: list[signal.Signals], outcome: bytes
) -> None:
    server, address = serve("application")
    wait_until(lambda: _serves(address))
    with subprocess.Popen(["curl", "-s", f"{address}/after/{seconds}"], stdout=subprocess.PIPE) as request:
        assert server.stdout
        server.stdout.readline()
        server.stdout.readline()
        for number in signals:
            os.kill(server.pid, number)
            wait_until(lambda: is_free("127.0.0.1", int(address.rpartition(":")[2])))
        assert request.communicate(timeout=60)[0] == outcome
    assert server.wait(60) == 0
    assert server.stdout.read() == (b"closed\n" if outcome else b"")


def test_an_application_that_cannot_start_ends_the_server(serve: Serve) -> None:
    server, _ = serve("failing")
    assert server.wait(60) == 1


def test_a_program_that_the_server_starts_does_not_inherit_the_port(serve: Serve) -> None:
    _, address = serve("application")
    wait_until(lambda: _serves(address))
    found = fetch(f"{address}/fd", timeout=60).text
    port = int(address.rpartition(":")[2])
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = {row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}
    assert listening
    assert not [inode for inode in listening if f"socket:[{inode}]" in found], found
