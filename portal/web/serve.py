"""The server process: watches one worker, starts it again when it dies, and keeps the port open meanwhile."""

from __future__ import annotations

import multiprocessing
import socket
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from granian.constants import Interfaces, Loops
from granian.log import LogLevels, logger
from granian.net import SocketSpec  # pyright: ignore[reportPrivateImportUsage]
from granian.server.mp import MPServer

from portal.settings import Settings
from portal.web.preparation import Preparation, end_when_asked

_STOP_SECONDS = 5
_CONNECTIONS = 4096
_MOST_DEATHS = 5
_DEATHS_SECONDS = 60


class PatientServer(MPServer):
    """Holds the listening socket itself, so that requests wait for a new worker instead of being refused.

    A worker that dies is started again at once, also when two die one after the other. The fifth within a minute ends
    the server with code 1: starting again does not help then, and whoever runs the portal has to know.

    A worker loads the pages while the shop is being made ready. When that fails, the server ends with its code.
    """

    def __init__(self, *arguments: Any, preparation: Preparation | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)
        self._preparation = preparation

    def _serve(self, spawn_target: Any, target_loader: Any) -> None:
        super()._serve(spawn_target, partial(_loaded, target_loader, self._preparation))

    def startup(self, spawn_target: Any, target_loader: Any) -> None:
        """Let a worker load the pages, and wait for the shop meanwhile."""
        super().startup(spawn_target, target_loader)
        if self._preparation and (code := self._preparation.code(lambda: self.interrupt_signal)):
            self.shutdown(code)

    def _respawn_workers(self, workers: Any, spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        if not delay:  # With a delay nobody died: the workers are to be replaced.
            self._deaths.append(time.monotonic())
            if len(self._deaths) == _MOST_DEATHS and self._deaths[-1] - self._deaths[0] < _DEATHS_SECONDS:
                logger.error("The worker died %d times within %d seconds; giving up", _MOST_DEATHS, _DEATHS_SECONDS)
                self.shutdown(1)
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # Otherwise a second death within 5.5 seconds ended the server.

    def _init_shared_socket(self) -> None:
        holder: Any = SocketSpec(self.bind_addr, self.bind_port, self.backlog).build()
        self._ssp = None
        self._shd = holder
        self._sfd = holder.get_fd()
        self._sso = socket.socket(fileno=self._sfd)
        self._sso.set_inheritable(True)


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


def serve(options: Settings, preparation: Preparation) -> None:
    """Serve the built portal until the process is asked to stop.

    Args:
        options: settings of this process.
        preparation: has to end before the first customer is answered.
    """
    multiprocessing.set_start_method("fork", force=True)  # Workers share the preparation, and what is loaded.
    PatientServer(
        "portal.portal:app",
        address=options.bind,
        port=options.port,
        interface=Interfaces.ASGI,
        factory=True,
        loop=Loops.uvloop,
        workers=1,
        respawn_failed_workers=True,
        workers_kill_timeout=_STOP_SECONDS,
        backlog=2048,
        backpressure=_CONNECTIONS,
        log_level=LogLevels.warning,
        preparation=preparation,
    ).serve()


def _loaded(load: Callable[[], Any], preparation: Preparation | None) -> Any:
    end_when_asked()  # Until the worker's loop has its own way to stop.
    app = load()
    if preparation:
        preparation.wait()
    return app
