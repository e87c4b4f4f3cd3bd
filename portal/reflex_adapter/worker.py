"""The server process: watches one worker, starts it again when it dies, and keeps the port open meanwhile.

Beside them tables and shop are made ready by a process of their own, while the server builds or loads the pages.
"""

from __future__ import annotations

import multiprocessing
import os
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
"""Processes that share what is loaded already. Whoever begins them has no threads but those that wait for processes."""
_WAIT_SECONDS = 0.25
_STOP_SECONDS = 5
_CONNECTIONS = 4096
MOST_DEATHS = 5
_DEATHS_SECONDS = 60


class Preparation:
    """Work that has to be done before the first customer is answered.

    Each worker waits for its end. When it fails, the worker asks the server to stop, and `serve` returns its status.
    """

    def __init__(self, work: Callable[[], int]) -> None:
        """Begin.

        Args:
            work: what is to be done; returns 0, or the status that the server has to end with.
        """
        self._done = _FORK.Event()
        self._process = _FORK.Process(target=self._run, args=(work,), daemon=True)
        self._process.start()
        # Otherwise it would stay in the table of processes until the server ends.
        self._ended = Thread(target=self._process.join, daemon=True)
        self._ended.start()

    def _run(self, work: Callable[[], int]) -> None:
        end_when_asked()
        status = work()
        if status == 0:
            self._done.set()
        sys.exit(status)

    def wait(self) -> None:
        """Wait in a worker until the work is done. The worker ends when it never will be, or its server is gone."""
        server = os.getppid()
        while not self._done.wait(0) and os.getppid() == server:
            if wait([self._process.sentinel], _WAIT_SECONDS) and not self._done.is_set():
                os.kill(server, signal.SIGTERM)
                signal.pause()
        if not self._done.is_set():
            sys.exit(1)

    def end(self) -> int:
        """Break the work off when it is still under way.

        Returns:
            its status, 1 when it did not come to its end by itself, 0 when it was broken off here.
        """
        if not wait([self._process.sentinel], 0) and not self._done.is_set():
            self._process.terminate()
            self._ended.join()
            return 0
        self._ended.join()
        status = self._process.exitcode or 0
        return 1 if status < 0 else status  # below 0: ended by a signal


class SharedPort:
    """A port that stays open from the first worker on, until this process ends."""

    def __init__(self, address: str, port: int) -> None:
        """Take the port. Nobody can connect before a worker listens."""
        self.holder: Any = SocketSpec(address, port, 2048).build()


class PortServer(MPServer):
    """A server on a port that others had before it and have after it.

    Reaches: `MPServer._init_shared_socket`, the four fields that it fills, and `granian.net.SocketSpec`.
    Why: on Linux granian lets each worker open the port by itself, and has no option to be given a socket.
    Gain: requests wait for the 2.2 to 2.4 s in which a worker starts again, instead of being refused.
    Test: test_granian_still_shares_a_socket_in_these_fields (tests/reflex_adapter/test_worker.py).
    """

    def __init__(self, *arguments: Any, shared: SharedPort, **options: Any) -> None:
        """Serve on this port; everything else as granian says."""
        super().__init__(*arguments, **options)
        self._shared = shared

    def _init_shared_socket(self) -> None:
        self._ssp, self._shd = None, self._shared.holder
        # A duplicate: the server closes it when it ends, and the next one needs the port.
        self._sso = socket.socket(fileno=os.dup(self._shared.holder.get_fd()))
        self._sso.set_inheritable(True)
        self._sfd = self._sso.fileno()


def is_free(address: str, port: int) -> bool:
    """Whether nobody listens yet. Two servers could otherwise share the port and each get half of the requests."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True


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

    A worker that dies is started again at once, also when two die one after the other; granian would give up at the
    second death within 5.5 seconds. The last of `most_deaths` within a minute ends the server with status 1: starting
    again does not help then, and whoever runs the portal has to know.

    Args:
        application: what makes the ASGI application, in the worker, as "package.module:function".
        address: to listen on.
        port: to listen on.
        preparation: has to end before the first customer is answered.
        websockets: whether the application has any.
        most_deaths: so many deaths within a minute are too many.

    Returns:
        the status to end this process with.
    """
    multiprocessing.set_start_method("fork", force=True)  # Workers share the preparation, and what is loaded.
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
    """A request to stop that came between two servers was heard by the one that had ended already."""
    if previous is not None and previous.interrupt_signal:
        server.signal_handler_interrupt()


def _loaded(server: MPServer, application: str, preparation: Preparation | None) -> Any:
    end_when_asked()  # Until the worker's loop has its own way to stop.
    if server.interrupt_signal:
        sys.exit(0)  # It was asked before, and heard it as its server would.
    module, _, name = application.partition(":")
    app = getattr(import_module(module), name)()
    if preparation:
        preparation.wait()
    return app


def end_when_asked() -> None:
    """Let a process that was forked end at once when it is asked to stop, whatever the server does then."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
