"""Starts servers quickly: a process that has loaded all modules forks each of them.

`python -m tests.support.worker_pool` loads the modules of the provider and does nothing else: no thread, loop, socket
or connection is made before the fork, so a forked server has as little from others as one that was started anew. It
leads a process group of its own.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy.orm import configure_mappers

from portal.contract.models import PREFIX
from portal.contract.registry import Provider
from portal.locations.rules import places
from portal.provider.api import create_api
from portal.settings import Settings

LOADED = (
    "anyio._backends._asyncio",
    "granian._loops",
    "portal.provider.__main__",
    "portal.provider.application",
    "portal.provider.api",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "tests.support.fragile",
    "uvloop",
)
"""Modules that a server loads until its first response."""

_ROOT = Path(__file__).resolve().parents[2]


class Forked:
    """A forked server."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._watch: int | None = None
        with suppress(ProcessLookupError):
            self._watch = os.pidfd_open(process)

    def ended(self, seconds: float = 0) -> bool:
        """Whether it has ended, or ends within this time."""
        return self._watch is None or bool(select.select([self._watch], [], [], seconds)[0])

    def stop(self, seconds: float = 15) -> None:
        """Ask it to stop. Kill it if it does not."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGTERM)
        if not self.ended(seconds):
            self.kill()

    def kill(self) -> None:
        """Kill it, with what it forked."""
        with suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)
        self.ended(15)


class WorkerPool:
    """The process that forks."""

    def __init__(self) -> None:
        """Start the process that loads all modules."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.worker_pool"],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def fork(self, module: str, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Forked:
        """Fork a process.

        Args:
            module: module whose `main` is called.
            arguments: arguments of `main`.
            environment: the whole environment of the process.
            log: file to which its output is appended.
        """
        assert self._process.stdin
        assert self._process.stdout
        order = {"module": module, "arguments": list(arguments), "environment": dict(environment), "log": str(log)}
        self._process.stdin.write(json.dumps(order) + "\n")
        return Forked(int(self._process.stdout.readline()))

    def close(self) -> None:
        """End the forking process."""
        self._process.kill()
        self._process.wait()


@cache
def worker_pool() -> WorkerPool:
    """The pool of this test process."""
    made = WorkerPool()
    atexit.register(made.close)
    return made


def wait_for(address: str, process: Forked | None = None) -> None:
    """Wait until a server responds.

    Raises:
        AssertionError: it did not respond in time.
    """
    until = time.monotonic() + 60
    while time.monotonic() < until and not (process and process.ended()):
        # Asked often, so without all that a client prepares.
        with suppress(OSError, HTTPException), closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as asking:
            asking.request("GET", f"{PREFIX}/session")
            asking.getresponse()
            return
        time.sleep(0.01)
    raise AssertionError("the provider does not answer")


def _become(module: str, arguments: Sequence[str], environment: Mapping[str, str], log: str) -> int:
    """Run a program in the forked process and return its exit status."""
    os.setpgrp()
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream, replacement in enumerate((os.open(os.devnull, os.O_RDONLY), output, output)):
        os.dup2(replacement, stream)
    os.environ.clear()
    os.environ.update(environment)
    try:
        return importlib.import_module(module).main(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1


def _nobody() -> Provider:
    raise AssertionError("this app is never asked")


def _serve() -> None:
    for name in LOADED:
        importlib.import_module(name)
    configure_mappers()
    places.load()
    # Thrown away; it leaves the operations looked through, which each server would do at its start.
    create_api(_nobody, Settings())
    # Otherwise each server would look through everything, and so copy it.
    gc.freeze()
    for line in sys.stdin:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        assert len(os.listdir("/proc/self/task")) == 1, "something runs already, which a fork would tear apart"
        process = os.fork()
        if not process:
            status = _become(**json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        print(process, flush=True)


if __name__ == "__main__":
    _serve()
