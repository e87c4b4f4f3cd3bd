"""The server process: loads the application, forks the workers from itself, and forks another when one dies.

So a worker that dies is replaced by one that is warm: nothing is imported again, and the memory of what was loaded is
shared. The port stays open in the meantime. A separate process prepares the tables and the demonstration shop.
Decision 0020 says why.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, NoReturn

from granian.constants import Interfaces, Loops
from granian.log import LogLevels, logger
from granian.net import SocketSpec
from granian.server.mp import MPServer

from portal.kernel.processes import end_with

_FORK = multiprocessing.get_context("fork")
"""Forked processes share what is loaded. The parent's only other threads wait for processes, so forking is safe."""
_WAIT_SECONDS = 0.25
_STOP_SECONDS = 5
_CONNECTIONS = 4096
MOST_DEATHS = 5
_DEATHS_SECONDS = 60
_ENDING = (signal.SIGTERM, signal.SIGINT)


class Preparation:
    """Work in a separate process that must finish before the first request is served.

    Each worker waits for it. If it fails, the worker asks the server to stop, and `serve` returns its status.
    """

    def __init__(self, work: Callable[[], int]) -> None:
        """Start the process."""
        self._done = _FORK.Event()
        self._process = _FORK.Process(target=self._run, args=(work, os.getpid()), daemon=True)
        self._process.start()
        self._awaited = False
        # Without a join the ended process would stay a zombie until the server ends.
        self._ended = Thread(target=self._join, daemon=True)
        self._ended.start()

    def _run(self, work: Callable[[], int], server: int) -> None:
        end_when_asked()
        end_with(server)
        status = work()
        if status == 0:
            self._done.set()
        sys.exit(status)

    def _join(self) -> None:
        """If the work fails before anything waits for it, such as during a build of the pages, end this process."""
        self._process.join()
        if not (self._awaited or self._done.is_set()):
            leave(self._status())

    def awaited(self) -> None:
        """From here on, a worker or `end` finds out whether the work failed."""
        self._awaited = True

    def wait(self) -> None:
        """Wait in a worker until the work is done. If it fails or the server has ended, the worker ends."""
        server = os.getppid()
        while not self._done.wait(0) and os.getppid() == server:
            if wait([self._process.sentinel], _WAIT_SECONDS) and not self._done.is_set():
                os.kill(server, signal.SIGTERM)
                signal.pause()
        if not self._done.is_set():
            sys.exit(1)

    def end(self) -> int:
        """Terminate the work if it is still running."""
        self.awaited()
        if not wait([self._process.sentinel], 0) and not self._done.is_set():
            self._process.terminate()
            self._ended.join()
            return 0
        self._ended.join()
        return self._status()

    def _status(self) -> int:
        status = self._process.exitcode or 0
        return 1 if status < 0 else status  # a negative status means that a signal ended it


class SharedPort:
    """A port that stays bound until this process ends, across restarts of the worker."""

    def __init__(self, address: str, port: int) -> None:
        """Bind the port. Clients cannot connect until a worker listens."""
        self.holder: Any = SocketSpec(address, port, 2048).build()


class PortServer(MPServer):
    """A granian server on a port that is bound already, which replaces every worker that dies.

    Reaches: of `MPServer`, the method `_init_shared_socket` with the fields `_ssp`, `_shd`, `_sso` and `_sfd`, the
        method `_respawn_workers` with `respawned_wrks`, `interrupt_children` and `main_loop_interrupt`, and
        `signal_handler_interrupt` and `interrupt_signal`, which `serve` and its workers use; `granian.net.SocketSpec`.
    Why: on Linux each granian worker binds the port itself, and there is no option to pass a socket; and it gives up
        when a worker dies a second time within 5.5 seconds.
    Gain: while a worker is replaced, requests wait less than 0.2 s (measurements M39) instead of being refused.
    Test: test_granian_still_shares_a_socket_in_these_fields, test_granian_still_replaces_workers_in_this_method,
        test_a_request_to_stop_is_known_by_a_public_name (tests/reflex_adapter/test_worker.py),
        test_a_worker_that_dies_is_replaced_four_times_a_minute_and_not_a_fifth_time
        (tests/reflex_adapter/test_serve.py).
    """

    def __init__(self, *arguments: Any, shared: SharedPort, most_deaths: int, **options: Any) -> None:
        super().__init__(*arguments, respawn_failed_workers=True, **options)
        self._shared = shared
        self._deaths = deque[float](maxlen=most_deaths)

    def _init_shared_socket(self) -> None:
        self._ssp, self._shd = None, self._shared.holder
        # Duplicated, because the server closes its socket when it ends and the next server needs the port. Workers are
        # forked and so have it; programs that they start must not.
        self._sso = socket.socket(fileno=os.dup(self._shared.holder.get_fd()))
        self._sfd = self._sso.fileno()

    def _respawn_workers(self, workers: Sequence[int], spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        """Replace workers that died. After too many deaths, end the server with status 1."""
        self._deaths.extend([time.monotonic()] * len(workers))
        if len(self._deaths) == self._deaths.maxlen and self._deaths[-1] - self._deaths[0] < _DEATHS_SECONDS:
            logger.error("Workers died %d times within %d seconds; giving up", self._deaths.maxlen, _DEATHS_SECONDS)
            self.shutdown(1)
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()
        if self.interrupt_children:  # Another one died while granian was forgetting the first.
            self.main_loop_interrupt.set()


def is_free(address: str, port: int) -> bool:
    """Whether the port is free. Otherwise two servers could share it and each get half of the requests."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True


_BELOW_EPHEMERAL = range(20_000, 32_768)


def free_port() -> int:
    """A loopback port that nothing listens on, below those that the system gives to connections."""
    return next(port for port in random.sample(_BELOW_EPHEMERAL, len(_BELOW_EPHEMERAL)) if is_free("127.0.0.1", port))


def serve(
    application: str,
    address: str,
    port: int,
    *,
    workers: int = 1,
    preparation: Preparation | None = None,
    websockets: bool = True,
    most_deaths: int = MOST_DEATHS,
) -> int:
    """Serve an application until this process is asked to stop.

    A worker that dies is replaced at once. After `most_deaths` deaths within a minute the server ends with status 1:
    replacing does not help then, and the operator must know.
    """
    multiprocessing.set_start_method("fork", force=True)  # Workers share the preparation and what is loaded.
    if preparation:
        preparation.awaited()
    shared = SharedPort(address, port)
    asked_to_stop: list[Any] = []
    for number in _ENDING:
        signal.signal(number, lambda *got: asked_to_stop.append(got[0]))  # until granian takes over
    app = _load(application)
    server = PortServer(
        application,
        address=address,
        port=port,
        workers=workers,
        shared=shared,
        most_deaths=most_deaths,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        workers_kill_timeout=_STOP_SECONDS,
        backpressure=_CONNECTIONS,
        websockets=websockets,
        log_level=LogLevels.warning,
    )
    server.on_startup(lambda: server.signal_handler_interrupt() if asked_to_stop else None)
    status = 0
    try:
        server.serve(target_loader=partial(_ready, server, app, preparation, os.getpid()), wrap_loader=False)
    except SystemExit:  # Too many workers died.
        status = 0 if server.interrupt_signal else 1
    return (preparation.end() if preparation else 0) or status


def _load(application: str) -> Any:
    """Create the application, in a way that workers share its memory.

    A garbage collection writes to every object, so a page of memory that it touches is shared no longer.
    """
    gc.disable()  # Imports leave next to no garbage; a collection would take 0.4 s.
    module, _, name = application.partition(":")
    app = getattr(import_module(module), name)()
    gc.freeze()
    return app


def _ready(server: MPServer, app: Any, preparation: Preparation | None, parent: int) -> Any:
    end_with(parent)
    end_when_asked()  # Applies until the worker's event loop installs its own handlers.
    if server.interrupt_signal:
        sys.exit(0)  # The stop request came before the fork.
    gc.enable()
    if preparation:
        preparation.wait()
    return app


def leave(status: int) -> NoReturn:
    """End this process without taking apart what it loaded, of which Reflex' pages would complain one by one."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def end_when_asked() -> None:
    """Make a forked process end at once on SIGTERM or SIGINT, instead of using the server's signal handlers."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
