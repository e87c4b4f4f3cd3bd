"""Free ports."""

from __future__ import annotations

import random
import socket

# Below the ports that the system gives to connections (from 32768): one of those could take a port before a server
# listens on it, or while a server is away that is to come back.
_PORTS = range(20_000, 32_000)
_order = iter(random.SystemRandom().sample(_PORTS, len(_PORTS)))


def free_port() -> int:
    """A port of this machine that nobody listens on; another one each time."""
    for port in _order:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("every port was given away")
