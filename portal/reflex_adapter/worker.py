"""The server process: supervises one worker, restarts it when it dies, and keeps the port open in the meantime.

A separate process prepares the tables and the demonstration shop while the server builds or loads the pages.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing.connection import wait
from threading import Thread
from typing import Any

from granian.constants import Interfaces, Loops
from granian.log import LogLevels, logger
from granian.net import SocketSpec  # pyright: ignore[reportPrivateImportUsage]
from granian.server.mp import MPServer

_FORK = multiprocessing.get_context("fork")
"""Forked processes share the loaded modules. The parent's only other threads wait for processes, so forking is safe."""
_WAIT_SECONDS = 0.25
_STOP_SECONDS = 5
_CONNECTIONS = 4096
MOST_DEATHS = 5
_DEATHS_SECONDS = 60


class Preparation:
    """Work in a separate process that must finish before the first request is served.

    Each worker waits for it. If it fails, the worker asks the server to stop, and `serve` returns its status.
    """

    def __init__(self, work: Callable[[], int]) -> None:
        """Start the process.

        Args:
            work: returns 0, or the exit status of the server if it failed.
        """
        self._done = _FORK.Event()
        self._process = _FORK.Process(target=self._run, args=(work,), daemon=True)
        self._process.start()
        # Without a join the ended process would stay a zombie until the server ends.
        self._ended = Thread(target=self._process.join, daemon=True)
        self._ended.start()

    def _run(self, work: Callable[[], int]) -> None:
        end_when_asked()
        status = work()
        if status == 0:
            self._done.set()
        sys.exit(status)

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
        """Terminate the work if it is still running.

        Returns:
            Its exit status; 1 if a signal ended it; 0 if it was terminated here.
        """
        if not wait([self._process.sentinel], 0) and not self._done.is_set():
            self._process.terminate()
            self._ended.join()
            return 0
        self._ended.join()
        status = self._process.exitcode or 0
        return 1 if status < 0 else status  # a negative status means that a signal ended it


class SharedPort:
    """A port that stays bound until this process ends, across restarts of the worker."""

    def __init__(self, address: str, port: int) -> None:
        """Bind the port. Clients cannot connect until a worker listens."""
        self.holder: Any = SocketSpec(address, port, 2048).build()


class PortServer(MPServer):
    """A granian server on a port that is already bound and outlives the server.

    Reaches: `MPServer._init_shared_socket`, the four fields that it sets, and `granian.net.SocketSpec`.
    Why: on Linux each granian worker binds the port itself, and there is no option to pass a socket.
    Gain: while a worker restarts, which takes 2.2 to 2.4 s, requests wait instead of being refused.
    Test: test_granian_still_shares_a_socket_in_these_fields (tests/reflex_adapter/test_worker.py).
    """

    def __init__(self, *arguments: Any, shared: SharedPort, **options: Any) -> None:
        """Serve on this port; all other arguments are those of `MPServer`."""
        super().__init__(*arguments, **options)
        self._shared = shared

    def _init_shared_socket(self) -> None:
        self._ssp, self._shd = None, self._shared.holder
        # Duplicated, because the server closes its socket when it ends and the next server needs the port.
        self._sso = socket.socket(fileno=os.dup(self._shared.holder.get_fd()))
        self._sso.set_inheritable(True)
        self._sfd = self._sso.fileno()


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
    preparation: Preparation | None = None,
    websockets: bool = True,
    most_deaths: int = MOST_DEATHS,
) -> int:
    """Serve an application until this process is asked to stop.

    A worker that dies is restarted at once; granian would give up if a second one died within 5.5 seconds. After
    `most_deaths` deaths within a minute the server ends with status 1: restarting does not help then, and the
    operator must know.

    Args:
        application: function that creates the ASGI application in the worker, as "package.module:function".
        address: the address to listen on.
        port: the port to listen on.
        preparation: must finish before the first request is served.
        websockets: whether the application uses WebSockets.
        most_deaths: number of deaths within a minute after which the server ends.

    Returns:
        The exit status of this process.
    """
    multiprocessing.set_start_method("fork", force=True)  # Workers share the preparation and the loaded modules.
    shared, deaths, previous = SharedPort(address, port), deque[float](maxlen=most_deaths), None
    while True:
        server = PortServer(
            application,
            address=address,
            port=port,
            shared=shared,
            interface=Interfaces.ASGI,
            loop=Loops.uvloop,
            workers_kill_timeout=_STOP_SECONDS,
            backpressure=_CONNECTIONS,
            websockets=websockets,
            log_level=LogLevels.warning,
        )
        server.on_startup(partial(_stop_too, server, previous))
        with suppress(SystemExit):  # Its worker died.
            server.serve(target_loader=partial(_loaded, server, application, preparation), wrap_loader=False)
        if server.interrupt_signal:
            return preparation.end() if preparation else 0
        deaths.append(time.monotonic())
        if len(deaths) == most_deaths and deaths[-1] - deaths[0] < _DEATHS_SECONDS:
            logger.error("The worker died %d times within %d seconds; giving up", most_deaths, _DEATHS_SECONDS)
            return (preparation.end() if preparation else 0) or 1
        previous = server


def _stop_too(server: MPServer, previous: MPServer | None) -> None:
    """Pass on a stop request that reached the previous server after it had ended."""
    if previous is not None and previous.interrupt_signal:
        server.signal_handler_interrupt()


def _loaded(server: MPServer, application: str, preparation: Preparation | None) -> Any:
    end_when_asked()  # Applies until the worker's event loop installs its own handlers.
    if server.interrupt_signal:
        sys.exit(0)  # The stop request came before the fork.
    module, _, name = application.partition(":")
    app = getattr(import_module(module), name)()
    if preparation:
        preparation.wait()
    return app


def end_when_asked() -> None:
    """Make a forked process end at once on SIGTERM or SIGINT, instead of using the server's signal handlers."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
