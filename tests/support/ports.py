"""Free ports."""

import random
import socket

# Below the ephemeral ports (from 32768): a connection could take one of those before a server listens on it or while
# a server restarts.
_PORTS = range(20_000, 32_000)
_order = iter(random.SystemRandom().sample(_PORTS, len(_PORTS)))


def free_port() -> int:
    """A free port of this machine; a different one on each call."""
    for port in _order:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("every port was given away")
