"""The server process: watches one worker, starts it again when it dies, and keeps the port open meanwhile."""

from __future__ import annotations

import socket
import sys
import time
from collections import deque
from typing import Any

from granian.constants import Interfaces, Loops
from granian.log import LogLevels, logger
from granian.net import SocketSpec  # pyright: ignore[reportPrivateImportUsage]
from granian.server.mp import MPServer

from portal import garbage
from portal.settings import Settings, settings

_STOP_SECONDS = 5
_CONNECTIONS = 4096
_MOST_DEATHS = 5
_DEATHS_SECONDS = 60


class PatientServer(MPServer):
    """Holds the listening socket itself, so that requests wait for a new worker instead of being refused.

    A worker that dies is started again at once, also when two die one after the other. The fifth within a minute ends
    the server with code 1: starting again does not help then, and whoever runs the portal has to know.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deaths: deque[float] = deque(maxlen=_MOST_DEATHS)

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


def serve(options: Settings) -> None:
    """Serve the built portal until the process is asked to stop."""
    garbage.wait()  # The worker inherits it, and ends it when the app is loaded.
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
    ).serve()


if __name__ == "__main__":
    sys.exit(serve(settings()))
