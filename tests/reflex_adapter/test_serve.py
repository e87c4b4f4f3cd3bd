"""The server process: what it does when the worker dies, and while the shop is being made ready."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.launch import ROOT
from tests.support.polling import fetch
from tests.support.ports import free_port

_SERVE = """
import sys
from portal.reflex_adapter.worker import Preparation, serve
import tests.reflex_adapter.test_serve as served

preparation = Preparation(getattr(served, sys.argv[3])) if sys.argv[3] else None
sys.exit(serve(sys.argv[1], "127.0.0.1", int(sys.argv[2]), preparation=preparation, workers=int(sys.argv[4])))
"""

_READY = "PORTAL_TEST_READY"

Serve = Callable[..., tuple[subprocess.Popen[bytes], str]]


def who() -> ASGIApp:
    """Answer every request with the number of the process."""
    return _answering(lambda: str(os.getpid()).encode())


def who_and_loader() -> ASGIApp:
    """Answer every request with the number of the process, and of the one that called this function."""
    loader = os.getpid()
    return _answering(lambda: f"{os.getpid()} {loader}".encode())


def whether_ready() -> ASGIApp:
    """Answer every request with what the preparation left."""
    return _answering(lambda: Path(os.environ[_READY]).read_bytes())


def what_a_program_inherits() -> ASGIApp:
    """Answer every request with the descriptors of a program that the worker starts."""

    async def descriptors() -> bytes:
        program = await asyncio.create_subprocess_shell("ls -l /proc/$$/fd", stdout=asyncio.subprocess.PIPE)
        return (await program.communicate())[0]

    return _answering(descriptors)


def _answering(body: Callable[[], bytes | Awaitable[bytes]]) -> ASGIApp:
    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            found = body()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": found if isinstance(found, bytes) else await found})

    return app


def slowly() -> int:
    """Prepare what the application above needs, long after it was loaded."""
    time.sleep(1.5)
    Path(os.environ[_READY]).write_text("ready")
    return 0


def in_vain() -> int:
    """Fail while the worker waits."""
    time.sleep(0.5)
    return 3


def for_ever() -> int:
    """Say which process this is, and go on."""
    print(os.getpid(), flush=True)
    time.sleep(600)
    return 0


def killed() -> int:
    """End as if the machine had no memory left."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve an application of this file, after a preparation, with so many workers: `serve("who", "slowly", 1)`."""
    started: list[subprocess.Popen[bytes]] = []

    def serving(name: str, preparation: str = "", workers: int = 1) -> tuple[subprocess.Popen[bytes], str]:
        port = free_port()
        server = subprocess.Popen(
            [sys.executable, "-c", _SERVE, f"{__name__}:{name}", str(port), preparation, str(workers)],
            cwd=ROOT,
            env={**os.environ, _READY: str(tmp_path / "ready")},
            stdout=subprocess.PIPE,
        )
        started.append(server)
        return server, f"http://127.0.0.1:{port}"

    yield serving
    for server in started:
        server.terminate()
        server.communicate(timeout=60)


def _worker(address: str, *, other_than: int = 0) -> int:
    """Number of the process that answers, once one does."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            pid = int(fetch(address, timeout=60).text.split()[0])
        except httpx.TransportError:
            time.sleep(0.02)
            continue
        if pid != other_than:
            return pid
    raise AssertionError("no worker answered")


def _answers(address: str) -> str:
    """The answer of a server that has just been started."""
    until = time.monotonic() + 60
    while True:
        try:
            return fetch(address, timeout=60).text
        except httpx.TransportError:
            assert time.monotonic() < until, "no worker answered"
            time.sleep(0.02)


def test_a_worker_that_dies_is_replaced_four_times_a_minute_and_not_a_fifth_time(serve: Serve) -> None:
    server, address = serve("who")
    pid = _worker(address)
    for _ in range(4):
        os.kill(pid, signal.SIGKILL)
        pid = _worker(address, other_than=pid)
    os.kill(pid, signal.SIGKILL)
    assert server.wait(60) == 1
    assert server.stdout
    assert b"giving up" in server.stdout.read()


def test_the_worker_that_replaces_a_dead_one_is_forked_from_what_is_loaded(serve: Serve) -> None:
    server, address = serve("who_and_loader")
    pid = _worker(address)
    os.kill(pid, signal.SIGKILL)
    replaced = fetch(address, timeout=60).text.split()
    assert replaced[0] != str(pid)
    assert replaced[1] == str(server.pid), "it has loaded nothing itself"


def test_a_program_that_a_worker_starts_does_not_inherit_the_port(serve: Serve) -> None:
    _, address = serve("what_a_program_inherits")
    port = int(address.rpartition(":")[2])
    found = _answers(address)
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = {row[9] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}
    assert listening
    assert not [inode for inode in listening if f"socket:[{inode}]" in found], found


def test_a_dead_worker_of_two_is_replaced_while_the_other_goes_on(serve: Serve) -> None:
    server, address = serve("who", workers=2)
    _worker(address)
    first, other = _children(server.pid)
    os.kill(first, signal.SIGKILL)
    until = time.monotonic() + 60
    while (found := _children(server.pid)) == [first, other] or len(found) < 2:
        assert time.monotonic() < until, "it was not replaced"
        time.sleep(0.01)
    assert other in found
    assert {_worker(address) for _ in range(40)} <= set(found)


def test_an_application_that_cannot_be_loaded_ends_the_server(serve: Serve) -> None:
    server, _ = serve("nothing_of_that_name")
    assert server.wait(60) == 1


def test_nobody_is_answered_before_the_shop_is_ready(serve: Serve) -> None:
    server, address = serve("whether_ready", "slowly")
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            answer = fetch(address, timeout=60)
        except httpx.ConnectError:  # It does not listen yet.
            time.sleep(0.02)
            continue
        assert answer.text == "ready"
        assert len(_children(server.pid)) == 1, "the process that prepared is gone"
        return
    raise AssertionError("no worker answered")


@pytest.mark.parametrize(("preparation", "code"), [("in_vain", 3), ("killed", 1)])
def test_a_shop_that_cannot_be_made_ready_ends_the_server(serve: Serve, preparation: str, code: int) -> None:
    server, _ = serve("who", preparation)
    assert server.wait(60) == code


def test_a_server_that_is_stopped_while_the_shop_is_made_ready_leaves_nothing_behind(serve: Serve) -> None:
    server, _ = serve("who", "for_ever")
    assert server.stdout
    preparing = int(server.stdout.readline())
    while len(_children(server.pid)) < 2:
        time.sleep(0.02)
    waiting = _children(server.pid)
    server.terminate()
    assert server.wait(60) == 0
    assert preparing in waiting
    assert not [pid for pid in waiting if Path(f"/proc/{pid}").exists()]


def test_a_worker_ends_with_a_server_that_was_killed(serve: Serve) -> None:
    server, address = serve("who")
    pid = _worker(address)
    server.kill()
    server.wait(60)
    until = time.monotonic() + 60
    while (
        Path(f"/proc/{pid}/stat").exists()
        and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    ):
        assert time.monotonic() < until, "the worker goes on"
        time.sleep(0.02)


_BUILD = """
import time
from portal.reflex_adapter.worker import Preparation
import tests.reflex_adapter.test_serve as served

Preparation(served.in_vain)
time.sleep(600)
"""


def test_a_shop_that_cannot_be_made_ready_ends_the_start_while_pages_are_built() -> None:
    start = subprocess.run([sys.executable, "-c", _BUILD], cwd=ROOT, timeout=60, check=False)
    assert start.returncode == 3


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
