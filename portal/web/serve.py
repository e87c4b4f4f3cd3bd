"""The server process: watches one worker, starts it again when it dies, and keeps the port open meanwhile."""

from __future__ import annotations

import socket
import sys
from typing import Any

from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.net import SocketSpec  # pyright: ignore[reportPrivateImportUsage]
from granian.server.mp import MPServer

from portal import garbage
from portal.settings import Settings, settings

_STOP_SECONDS = 5
_CONNECTIONS = 4096


class PatientServer(MPServer):
    """Holds the listening socket itself, so that requests wait for a new worker instead of being refused."""

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
