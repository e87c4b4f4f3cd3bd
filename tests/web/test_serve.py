"""The server process: what it does when the worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from portal.web.launch import ROOT
from tests.support.ports import free_port

_SERVE = """
import sys
from granian.constants import Interfaces
from portal.web.serve import PatientServer

PatientServer(sys.argv[1], address="127.0.0.1", port=int(sys.argv[2]), interface=Interfaces.ASGI,
              respawn_failed_workers=True, workers_kill_timeout=5).serve()
"""

Serve = Callable[[str], tuple[subprocess.Popen[bytes], str]]


async def who(scope: dict[str, object], _receive: object, send: Callable[..., object]) -> None:
    """Answer every request with the number of the process."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[misc]
        await send({"type": "http.response.body", "body": str(os.getpid()).encode()})  # type: ignore[misc]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve an application of this file: `serve("who")`."""
    started: list[subprocess.Popen[bytes]] = []

    def serving(name: str) -> tuple[subprocess.Popen[bytes], str]:
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-c", _SERVE, f"{__name__}:{name}", str(port)], cwd=ROOT, stdout=subprocess.PIPE
        )
        started.append(server)
        return server, f"http://127.0.0.1:{port}"

    yield serving
    for server in started:
        server.kill() if server.poll() is None else None
        server.communicate()


def _worker(address: str, *, other_than: int = 0) -> int:
    """Number of the process that answers, once one does."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            pid = int(httpx.get(address, timeout=20).text)
        except httpx.TransportError:
            time.sleep(0.02)
            continue
        if pid != other_than:
            return pid
    raise AssertionError("no worker answered")


def test_a_worker_that_dies_is_replaced_four_times_a_minute_and_not_a_fifth_time(serve: Serve) -> None:
    server, address = serve("who")
    pid = _worker(address)
    for _ in range(4):
        os.kill(pid, signal.SIGKILL)
        pid = _worker(address, other_than=pid)
    os.kill(pid, signal.SIGKILL)
    assert server.wait(20) == 1
    assert server.stdout
    assert b"giving up" in server.stdout.read()


def test_an_application_that_cannot_be_loaded_ends_the_server(serve: Serve) -> None:
    server, _ = serve("nothing_of_that_name")
    assert server.wait(30) == 1
