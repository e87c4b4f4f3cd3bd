"""How long a start takes, and a command of the back office.

The start is compared with that of an empty app on the same framework and server, in turn: what counts is the ratio.

    python -m bench.start [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from bench.harness import ROOT, Row, free_port, median, report, running

_LIMIT = 60
_PAGE = "/"
_ALIVE = "/ping"
_CONFIGURATION = """
import reflex as rx

config = rx.Config(app_name="empty", disable_plugins=[rx.plugins.SitemapPlugin], telemetry_enabled=False)
"""
_APP = """
import reflex as rx

app = rx.App()
app.add_page(rx.fragment, route="/")
"""
_SERVE = """
import sys

from granian import Granian
from granian.constants import Interfaces, Loops

if __name__ == "__main__":
    Granian(
        "empty.empty:app", port=int(sys.argv[1]), interface=Interfaces.ASGI, loop=Loops.uvloop, factory=True
    ).serve()
"""
_COMMAND = ("portal.provider", "shipment", "900000071", "ready_for_transport")
_TIMES = 3
"""Commands."""

_SETTLED = 3
"""Seconds after which a server that started has nothing to do: the process that draws its pages is warm."""


def empty_app(folder: Path) -> None:
    """Write an app with one empty page."""
    (folder / "empty").mkdir()
    for path, content in {
        "rxconfig.py": _CONFIGURATION,
        "empty/__init__.py": "",
        "empty/empty.py": _APP,
        "serve.py": _SERVE,
    }.items():
        (folder / path).write_text(content, encoding="utf-8")


def first_answer(
    command: Sequence[str], port: int, folder: Path, environment: dict[str, str], path: str = _PAGE
) -> float:
    """Seconds from spawning a server to its first answer, in a process that is ended after that."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_answer(port, process, path)
        return time.perf_counter() - started
    finally:
        process.terminate()
        process.wait(20)


def wait_for_answer(port: int, process: subprocess.Popen[bytes] | None = None, path: str = _PAGE) -> None:
    """Wait until a page is served.

    Raises:
        RuntimeError: the process ended, or it took too long.
    """
    limit = time.monotonic() + _LIMIT
    while time.monotonic() < limit and (process is None or process.poll() is None):
        with suppress(OSError, HTTPException), closing(HTTPConnection("127.0.0.1", port, timeout=30)) as asking:
            asking.request("GET", path)
            if asking.getresponse().status == 200:
                return
        time.sleep(0.002)
    raise RuntimeError("the server does not answer")


def processes_of(server: int) -> list[int]:
    """A server and everything it has started."""
    started = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return [server, *(process for child in started for process in processes_of(int(child)))]


def proportional_memory(processes: Iterable[int]) -> float:
    """MiB of processes; a page that several share counts once."""
    parts = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in processes]
    lines = [line for part in parts for line in part.splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in lines) / 1024


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="starts of each")
    rounds = parser.parse_args().rounds
    # A second start has compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as name:
        folder = Path(name)
        empty_app(folder)
        shop = folder / "shop"
        shop.mkdir()
        bare_environment = {
            **os.environ,
            "__REFLEX_SKIP_COMPILE": "true",
            "REFLEX_ENV_MODE": "prod",
            "REFLEX_STATE_MANAGER_MODE": "memory",
        }
        with running(shop=shop):  # Builds the pages, makes the shop and compiles the modules.
            pass
        bare, portal = [], []
        for _ in range(rounds + 1):
            port = free_port()
            bare.append(first_answer([sys.executable, "serve.py", str(port)], port, folder, bare_environment, _ALIVE))
            port = free_port()
            own = {**os.environ, "PORT": str(port), "PORTAL_DATA_DIR": str(shop), "PORTAL_DESK": "false"}
            portal.append(first_answer([sys.executable, "-m", "portal"], port, ROOT, own))
        with running(shop=shop) as server:
            memory = proportional_memory([server.pid])
            commands = []
            environment = {**os.environ, "PORTAL_DATA_DIR": str(shop)}
            for _ in range(_TIMES):
                time.sleep(_SETTLED)
                started = time.perf_counter()
                subprocess.run([sys.executable, "-m", *_COMMAND], cwd=ROOT, env=environment, check=True)
                commands.append(time.perf_counter() - started)
    # The first round fills the caches of the machine.
    ratios = [ours / theirs for ours, theirs in zip(portal[1:], bare[1:], strict=True)]
    return report(
        "start",
        [
            Row("start of the portal / of an empty app", median(ratios), "x", 2.5),
            Row("start of the portal", median(portal[1:]), "s"),
            Row("start of an empty app", median(bare[1:]), "s"),
            Row("one command of the back office", median(commands), "s", 1),
            Row("memory of the process", memory, "MiB"),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
